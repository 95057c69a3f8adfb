package jsonlines

import (
	"strings"
	"unicode"

	"golang.org/x/text/language"
)

// Formats are the checks that a schema names with the keyword format. Each says what
// a text has to be, or is empty where the text is that.
type Formats map[string]func(string) string

// OneLine is a format: one line of characters that people can see.
func OneLine(text string) string {
	// Controls, what formats or joins, private ones, ends of lines and paragraphs.
	unseen := func(r rune) bool { return unicode.In(r, unicode.C, unicode.Zl, unicode.Zp) }
	switch {
	case strings.ContainsFunc(text, unseen):
		return "must not hold control, zero-width or bidirectional characters"
	case strings.TrimSpace(text) != text:
		return "must not begin or end with a space"
	default:
		return ""
	}
}

// IsCountry reports whether a text is a code of ISO 3166-1 that is in use.
func IsCountry(s string) bool {
	region, err := language.ParseRegion(s)
	return err == nil && len(s) == 2 && region.IsCountry() && region.Canonicalize().String() == s
}
