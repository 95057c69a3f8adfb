package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
)

// FuzzCheckJSON compares checkJSON with encoding/json: what passes loses nothing when it
// is decoded.
func FuzzCheckJSON(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `{"a":1,"a":2}`, `{"a":{"b":1},"c":[{"b":1},{"b":2}]}`, `{"a":"\ud83d\ude00"}`, `"\ud83d"`, `"\ude00\ud83d"`,
		`"\\ud83d"`, `"\uD83D\uDE00\uD83D"`, `{"a":1,"\u0061":2}`, "\"M\xfcller\"", "\"\ufffd\"", `"\ufffd"`, `{"a":1}{"a":1}`,
		`[1e400,-0,0.1e-5]`, strings.Repeat("[", 200) + strings.Repeat("]", 200), `"\u12`, `"\`, "\ufeff{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if err := checkJSON(body); err != nil {
			var e *apierror.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, apierror.MalformedRequest, e.Code)
			return
		}
		assert.True(t, utf8.Valid(body))
		if !json.Valid(body) {
			return // the parser's to refuse
		}
		texts, distinct := read(t, body)
		assert.True(t, distinct, "a member occurs twice")
		if !strings.Contains(strings.ToLower(string(body)), "fffd") {
			assert.NotContains(t, strings.Join(texts, ""), "\ufffd", "encoding/json replaced something")
		}
	})
}

// read returns the texts of a JSON value, member names included, and whether no object
// has a member twice.
func read(t *testing.T, body []byte) (texts []string, distinct bool) {
	t.Helper()
	distinct = true
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	type level struct {
		object bool
		names  []string
		value  bool // a name was read, so a value follows
	}
	levels := []*level{{}}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return texts, distinct
		}
		require.NoError(t, err)
		current := levels[len(levels)-1]
		text, isText := token.(string)
		if isText {
			texts = append(texts, text)
		}
		if token == json.Delim('}') || token == json.Delim(']') {
			levels = levels[:len(levels)-1]
			continue
		}
		if current.object && !current.value {
			distinct = distinct && !slices.Contains(current.names, text)
			current.names, current.value = append(current.names, text), true
			continue
		}
		current.value = false
		if token == json.Delim('{') || token == json.Delim('[') {
			levels = append(levels, &level{object: token == json.Delim('{')})
		}
	}
}
