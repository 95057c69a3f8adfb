package xs2a

import (
	"strings"
	"unicode"

	"aviso/internal/pfm"
)

// maxText bounds a text, in runes. The longest in the standard has 500.
const maxText = 1000

// text is a cleaned string from a response. A number is read as its digits, since
// some banks send references as numbers.
type text string

// UnmarshalJSON reads a string or a number, and null as the empty text.
func (t *text) UnmarshalJSON(b []byte) error {
	switch {
	case string(b) == "null":
		*t = ""
	case b[0] == '"':
		var s string
		if err := unmarshal(b, &s); err != nil {
			return err
		}
		*t = text(clean(s))
	case b[0] == '-' || b[0] >= '0' && b[0] <= '9':
		*t = text(clean(string(b)))
	default:
		return errMalformed
	}
	return nil
}

// clean returns a bank's text in a form that is safe to store and show. It turns
// white space into spaces, drops control and bidirectional formatting characters,
// replaces invalid UTF-8 and caps the length.
func clean(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range strings.TrimFunc(s, isInvisible) {
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case isInvisible(r):
			continue
		}
		if n == maxText {
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

// day is a calendar day from a response. It is empty if the bank sends null or "".
type day pfm.Date

// UnmarshalJSON accepts ISO dates only.
func (d *day) UnmarshalJSON(b []byte) error {
	var s *string
	if err := unmarshal(b, &s); err != nil {
		return err
	}
	if s == nil || *s == "" {
		*d = ""
		return nil
	}
	parsed, err := pfm.ParseDate(*s)
	if err != nil {
		return errMalformed
	}
	*d = day(parsed)
	return nil
}

// anyDay is a day that we can do without: whatever is not one is read as none.
type anyDay day

// UnmarshalJSON never fails.
func (d *anyDay) UnmarshalJSON(b []byte) error {
	_ = (*day)(d).UnmarshalJSON(b)
	return nil
}

// firstOf returns the first text that is not empty.
func firstOf(texts ...text) string {
	for _, t := range texts {
		if t != "" {
			return string(t)
		}
	}
	return ""
}

// joined joins the texts and caps the result.
func joined(texts []text) text {
	parts := make([]string, 0, len(texts))
	for _, t := range texts {
		if t != "" {
			parts = append(parts, string(t))
		}
	}
	return text(clean(strings.Join(parts, " ")))
}
