package jsonlines

import (
	"strings"
	"unicode"

	"aviso/internal/jsonschema"
)

// Formats are the checks behind the schema keyword format.
type Formats = jsonschema.Formats

// OneLine is a format: a single line of visible characters.
func OneLine(text string) string {
	// Control, format, joining and private-use characters, and line and paragraph
	// separators.
	invisible := func(r rune) bool { return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) }
	switch {
	case strings.ContainsFunc(text, invisible):
		return "must not contain control, zero-width or bidirectional characters"
	case strings.TrimSpace(text) != text:
		return "must not begin or end with a space"
	default:
		return ""
	}
}
