// Package redact keeps secrets out of what is printed, logged and encoded.
package redact

import (
	"fmt"
	"io"
	"log/slog"
)

// Text stands in the place of a secret.
const Text = "[secret]"

// Hidden hides the struct that embeds it as a whole. Hiding its fields is not enough:
// fmt shows the fields of a pointer inside a struct as they are, where the verb does
// not suit it.
type Hidden struct{}

// LogValue implements slog.LogValuer.
func (Hidden) LogValue() slog.Value { return slog.StringValue(Text) }

// String implements fmt.Stringer.
func (Hidden) String() string { return Text }

// Format implements fmt.Formatter, for whatever verb.
func (Hidden) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, Text) }

// MarshalText implements encoding.TextMarshaler, which JSON uses, too.
func (Hidden) MarshalText() ([]byte, error) { return []byte(Text), nil }

// Secret is a signing key or a credential. Whatever prints, logs or encodes it gets
// Text instead; string(s) is the secret. It is no key of a map: JSON writes those as
// they are.
type Secret string

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return Hidden{}.LogValue() }

// String implements fmt.Stringer.
func (Secret) String() string { return Text }

// Format implements fmt.Formatter, for whatever verb.
func (Secret) Format(s fmt.State, verb rune) { Hidden{}.Format(s, verb) }

// MarshalText implements encoding.TextMarshaler, which JSON uses, too.
func (Secret) MarshalText() ([]byte, error) { return Hidden{}.MarshalText() }
