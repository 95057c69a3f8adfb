package notification

import "aviso/internal/observe"

// Key is a signing key as text.
type Key = observe.Secret
