package carrier

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a credential. It goes into requests and nowhere else: whatever
// prints, logs or encodes it gets "[secret]" instead.
type Secret string

const redacted = "[secret]"

// LogValue keeps credentials out of logs.
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// String keeps credentials out of text.
func (Secret) String() string { return redacted }

// Format keeps credentials out of formatted text, whatever the verb.
func (Secret) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, redacted) }

// MarshalJSON keeps credentials out of values that are logged as JSON.
func (Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }
