package observe

import (
	"fmt"
	"io"
	"log/slog"
)

// Redacted replaces a secret.
const Redacted = "[secret]"

// Hidden hides the whole struct that embeds it. Hiding only the fields is not enough: for some verbs, fmt prints the
// fields behind a pointer inside a struct in plain text.
type Hidden struct{}

// LogValue implements slog.LogValuer.
func (Hidden) LogValue() slog.Value { return slog.StringValue(Redacted) }

// String implements fmt.Stringer.
func (Hidden) String() string { return Redacted }

// Format implements fmt.Formatter for every verb.
func (Hidden) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, Redacted) }

// MarshalText implements encoding.TextMarshaler, which encoding/json uses too.
func (Hidden) MarshalText() ([]byte, error) { return []byte(Redacted), nil }

// Secret is a signing key or a credential. Printing, logging or encoding it gives Redacted; string(s) is the secret
// itself. Do not use it as a map key: encoding/json writes map keys unchanged.
type Secret string

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return Hidden{}.LogValue() }

// String implements fmt.Stringer.
func (Secret) String() string { return Redacted }

// Format implements fmt.Formatter for every verb.
func (Secret) Format(s fmt.State, verb rune) { Hidden{}.Format(s, verb) }

// MarshalText implements encoding.TextMarshaler, which encoding/json uses too.
func (Secret) MarshalText() ([]byte, error) { return Hidden{}.MarshalText() }
