package bankwire

import (
	"cmp"
	"encoding/json"
	"strings"
	"unicode"
)

// MaxText bounds a text, in runes. The longest in NextGenPSD2 has 500.
const MaxText = 1000

// Text is a cleaned string from a response. A number is read as its digits, since some
// banks send references as numbers, and anything else as the empty text: a row with a name
// that cannot be read is still a row.
type Text string

// UnmarshalJSON never fails.
func (t *Text) UnmarshalJSON(b []byte) error {
	*t = ""
	var s string
	switch {
	case json.Unmarshal(b, &s) == nil:
		*t = Text(Clean(s))
	case b[0] == '-' || b[0] >= '0' && b[0] <= '9':
		*t = Text(Clean(string(b)))
	}
	return nil
}

// Lenient is a member that is read as none if it has another form than expected.
type Lenient[T any] struct{ Value T }

// UnmarshalJSON never fails.
func (l *Lenient[T]) UnmarshalJSON(b []byte) error {
	var v T
	if json.Unmarshal(b, &v) != nil {
		v = *new(T)
	}
	l.Value = v
	return nil
}

// List is a list, or a single value instead of one. What has another form than expected is
// read as the zero value.
type List[T any] []T

// UnmarshalJSON never fails.
func (l *List[T]) UnmarshalJSON(b []byte) error {
	var list []Lenient[T]
	if json.Unmarshal(b, &list) != nil {
		list = make([]Lenient[T], 1)
		_ = list[0].UnmarshalJSON(b)
	}
	*l = nil
	for _, one := range list {
		*l = append(*l, one.Value)
	}
	return nil
}

// FirstOf returns the first text that is not empty.
func FirstOf(texts ...Text) string { return string(cmp.Or(texts...)) }

// Joined joins the texts and caps the result.
func Joined[T ~string](texts []T) Text {
	parts := make([]string, 0, len(texts))
	for _, t := range texts {
		if t != "" {
			parts = append(parts, string(t))
		}
	}
	return Text(Clean(strings.Join(parts, " ")))
}

// Compact returns an account number in its electronic form, without the spaces of the
// printed form, so that every fetch returns the same text.
func Compact(t Text) Text { return Text(strings.ToUpper(strings.ReplaceAll(string(t), " ", ""))) }

// CategoryCode returns a merchant category code if it has the form of ISO 18245, or else "".
func CategoryCode(t Text) string {
	if len(t) != 4 || strings.Trim(string(t), "0123456789") != "" {
		return ""
	}
	return string(t)
}

// Clean turns white space into spaces, drops control and bidirectional formatting
// characters, replaces invalid UTF-8 and caps the length.
func Clean(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.TrimFunc(s, isInvisible) {
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case isInvisible(r):
			continue
		}
		if n == MaxText {
			break
		}
		b.WriteRune(r)
		n++
	}
	return strings.TrimRight(b.String(), " ")
}

func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}
