// Package redact keeps secrets out of what is printed, logged and encoded.
package redact

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a secret in text: a root secret, a signing key, a credential. Whatever
// prints, logs or encodes it gets "[secret]" instead; string(s) is the secret.
type Secret string

const redacted = "[secret]"

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// String implements fmt.Stringer.
func (Secret) String() string { return redacted }

// Format implements fmt.Formatter, for whatever verb.
func (Secret) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, redacted) }

// MarshalText implements encoding.TextMarshaler, which JSON uses, too.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }
