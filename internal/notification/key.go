package notification

import "aviso/internal/redact"

// Key is a signing key as text.
type Key = redact.Secret
