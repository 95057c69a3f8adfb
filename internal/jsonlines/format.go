package jsonlines

import (
	"strings"
	"unicode"

	"golang.org/x/text/language"

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

// IsCountry reports whether s is an ISO 3166-1 alpha-2 code that is in use.
func IsCountry(s string) bool {
	region, err := language.ParseRegion(s)
	return err == nil && len(s) == 2 && region.IsCountry() && region.Canonicalize().String() == s
}
