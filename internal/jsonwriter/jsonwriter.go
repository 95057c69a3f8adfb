// Package jsonwriter appends JSON strings and times faster than encoding/json, for
// large responses.
package jsonwriter

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// String appends a JSON string.
func String(b []byte, s string) []byte {
	b = append(b, '"')
	if plain(s) {
		return append(append(b, s...), '"')
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	return append(escaped(b, s), '"')
}

// plain reports whether s is ASCII without characters that JSON escapes, as most
// texts are. It compares eight characters at a time, and may return false for a text
// that is plain.
func plain(s string) bool {
	const (
		ones   = 0x0101010101010101
		highs  = 0x80 * ones
		spaces = ' ' * ones
		quotes = '"' * ones
		slants = '\\' * ones
	)
	var odd uint64
	for ; len(s) >= 8; s = s[8:] {
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		// A byte that is below a space, or is a quote or a backslash, borrows into its
		// high bit; a byte beyond ASCII has it set.
		odd |= w | (w - spaces) | ((w ^ quotes) - ones) | ((w ^ slants) - ones)
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return false
		}
	}
	return odd&highs == 0
}

// escaped appends text, which must be valid UTF-8, as the inside of a JSON string.
func escaped(out []byte, text string) []byte {
	from := 0 // the start of what is not yet written
	for i := range len(text) {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		out = append(out, text[from:i]...)
		from = i + 1
		if c < ' ' {
			out = fmt.Appendf(out, `\u%04x`, c)
		} else {
			out = append(out, '\\', c)
		}
	}
	return append(out, text[from:]...)
}

// Time appends a time as encoding/json does.
func Time(b []byte, t time.Time) []byte {
	return append(t.AppendFormat(append(b, '"'), time.RFC3339Nano), '"')
}
