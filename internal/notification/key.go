package notification

import "aviso/internal/observe/redact"

// Key is a signing key as text.
type Key = redact.Secret
