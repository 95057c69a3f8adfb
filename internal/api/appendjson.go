package api

import (
	"io"
	"maps"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// JSONAppender is the data of an answer that writes itself as JSON, which takes a
// quarter of what encoding/json takes by reflection. It pays for lists that are
// asked for most; a test must hold it to what encoding/json writes.
type JSONAppender interface {
	AppendJSON(b []byte) []byte
}

// appendJSON writes the envelope of such data; false for any other.
func (e Envelope[D]) appendJSON(b []byte) ([]byte, bool) {
	data, ok := any(e.Data).(JSONAppender)
	if !ok {
		return nil, false
	}
	b = data.AppendJSON(append(b, `{"data":`...))
	b = append(b, `,"meta":{"pagination":{`...)
	if token := e.Meta.Pagination.NextToken; token != "" {
		b = AppendString(append(b, `"nextToken":`...), token)
	}
	return append(b, "}}}"...), true
}

// formats are Huma's, with JSON that is written by JSONAppenders where there is
// one.
func formats() map[string]huma.Format {
	all := maps.Clone(huma.DefaultFormats)
	for name, f := range all {
		plain := f.Marshal
		f.Marshal = func(w io.Writer, v any) error {
			if own, ok := v.(interface {
				appendJSON(b []byte) ([]byte, bool)
			}); ok {
				if text, ok := own.appendJSON(nil); ok {
					_, err := w.Write(append(text, '\n'))
					return err
				}
			}
			return plain(w, v)
		}
		all[name] = f
	}
	return all
}

// AppendString writes a JSON string.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	if plain(s) {
		return append(append(b, s...), '"')
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\ufffd")
	}
	return append(appendEscaped(b, s), '"')
}

// plain is whether a text is ASCII without anything that JSON escapes, as most
// are: eight characters at a time. It may be false for one that is.
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
		// Each byte that is below a space, a quote or a backslash borrows into its
		// high bit; those beyond ASCII have it.
		odd |= w | (w - spaces) | ((w ^ quotes) - ones) | ((w ^ slants) - ones)
	}
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return false
		}
	}
	return odd&highs == 0
}

// AppendTime writes a time as encoding/json does.
func AppendTime(b []byte, t time.Time) []byte {
	return append(t.AppendFormat(append(b, '"'), time.RFC3339Nano), '"')
}
