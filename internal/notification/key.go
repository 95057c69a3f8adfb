package notification

import (
	"fmt"
	"io"
	"log/slog"
)

// Key is a signing key in text. Whatever prints, logs or encodes it gets "[key]"
// instead.
type Key string

const redacted = "[key]"

// LogValue keeps keys out of logs.
func (Key) LogValue() slog.Value { return slog.StringValue(redacted) }

// String keeps keys out of text.
func (Key) String() string { return redacted }

// Format keeps keys out of formatted text, whatever the verb.
func (Key) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, redacted) }

// MarshalJSON keeps keys out of values that are logged as JSON.
func (Key) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }
