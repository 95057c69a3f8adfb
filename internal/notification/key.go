package notification

import "aviso/internal/redact"

// Key is a signing key in text.
type Key = redact.Secret
