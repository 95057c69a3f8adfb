package api_test

import (
	encoding "encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
)

// FuzzRequest sends any query, headers and body through the whole chain. Nothing may be
// an internal error, and every refusal is a complete problem document.
func FuzzRequest(f *testing.F) {
	json := "application/json"
	f.Add(1, "/test/v1/things", "dryRun=true", "id", "key", userID, json, `{"name":"a","count":2.0}`)
	f.Add(1, "/test/v1/mine", "", "", "k\xff", "{"+userID+"}", json+";charset=utf-8", `{"name":"\ud800"}`)
	f.Add(1, "/test/v1/things", "dryRun=%F", " ", "", "", "application/json; charset=latin1", `{"name":"M`+"\xfc"+`"}`)
	f.Add(0, "/test/v1/things", "limit=7&limit=9&nextToken=x", "\u00e9", "", "", "", "")
	f.Add(0, "/test/v1/mine", "kind=%FF;&=&&", "a\nb", "", userID, "", "")
	f.Add(0, "/test/v1/things/"+userID, "depth=1&since=2026-03-02T10:00:00Z&deep=1", "", "", "", "", "")
	f.Add(2, "/test/v1/things/..%2f", "", "", "", "", "", "")
	f.Add(3, "//", "", "", "", "", "", "[")

	methods := []string{http.MethodGet, http.MethodPost, http.MethodDelete, "BREW"}
	all := serve(f, unlimited)
	broken := regexp.MustCompile(`odd/|/read|/unwritable|Broken|Panic|Slow`)
	printable := regexp.MustCompile(`^[[:graph:]]{1,128}$`)
	f.Fuzz(func(t *testing.T, method int, path, query, id, key, user, contentType, body string) {
		s := *all
		s.t = t
		if broken.MatchString(path) || broken.MatchString(body) {
			return // one of the tests' operations that fail on purpose
		}
		if n := len(strings.ToValidUTF8(key, "\ufffd")); n > 0 && n <= 255 {
			key = "-" // a good key needs a table
		}
		r := request{method: methods[uint(method)%4], path: path, query: query, body: body, inBase64: true, header: map[string]string{
			"X-Request-Id": id, "Idempotency-Key": key, "X-User-Id": user, "Content-Type": contentType,
		}}
		res := s.send(r)
		assert.Regexp(t, printable, res.header.Get("X-Request-Id"))
		require.Less(t, res.status, http.StatusInternalServerError, res.body)
		if res.status < http.StatusBadRequest {
			assert.True(t, res.header.Get("Content-Type") != json || encoding.Valid([]byte(res.body)), res.body)
			return
		}
		p := s.problem(res)
		for _, e := range p.Errors {
			assert.NotEmpty(t, e.Code)
			assert.NotEmpty(t, e.Detail)
		}
	})
}

// FuzzOpenPage opens any text as a page token. Only the token that was sealed for these
// filters opens, and it opens to its position.
func FuzzOpenPage(f *testing.F) {
	s := serve(f)
	r := api.New(api.Options{Pages: sealer(f, "page"), Now: s.clock.Now})
	type filters struct {
		api.Page
		One   string `query:"one"`
		Other string `query:"other"`
	}
	seed := r.SealPage(api.WithInput(f.Context(), &filters{One: "a", Other: "b"}), "1")
	f.Add("", "1", "a", "b", 0)
	f.Add(seed, "1", "a", "b", 5)
	f.Add(seed+"=", "1", "a", "b", 1)
	f.Add("AAAA", "2 3", "1:a", "", -1)
	f.Fuzz(func(t *testing.T, foreign, position, one, other string, at int) {
		refused := func(token, one, other string) {
			opened, err := r.OpenPage(api.WithInput(t.Context(), &filters{One: one, Other: other}), token)
			var e *apierror.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, apierror.InvalidNextToken, e.Code)
			assert.Empty(t, opened)
		}
		ctx := api.WithInput(t.Context(), &filters{Page: api.Page{Limit: at}, One: one, Other: other})
		token := r.SealPage(ctx, position)
		opened, err := r.OpenPage(ctx, token)
		require.NoError(t, err)
		require.Equal(t, position, opened)
		if token == "" {
			return
		}
		refused(token, one+"\x00", other)
		refused(token, one, other+" ")
		if one != other {
			refused(token, other, one)
		}
		changed := []byte(token)
		changed[uint(at)%uint(len(changed))]++
		refused(string(changed), one, other)
		if opened, err := r.OpenPage(ctx, foreign); err == nil && foreign != "" {
			// Only a seed can be sealed, and then with the same key and filters.
			assert.Equal(t, []string{"1", "a", "b"}, []string{opened, one, other})
		}
	})
}
