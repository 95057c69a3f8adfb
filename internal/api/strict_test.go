package api_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestQueryOfUnsafeMethods(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ query, parameter, code string }{
		"an unknown parameter":  {"dryrun=true", "dryrun", "unknown_parameter"},
		"an empty parameter":    {"dryRun=", "dryRun", "invalid"},
		"a repeated parameter":  {"dryRun=true&dryRun=true", "dryRun", "repeated"},
		"a parameter, no value": {"dryRun", "dryRun", "invalid"},
	} {
		t.Run("rejects "+name, func(t *testing.T) {
			s := newService(t)
			req := create(`{"name":"a"}`)
			req.query = c.query
			p, _ := s.refused(req, http.StatusUnprocessableEntity, "validation_failed")
			assert.Len(t, p.Errors, 1)
			assert.Equal(t, c.parameter, p.Errors[0].Parameter)
			assert.Equal(t, c.code, p.Errors[0].Code)
			assert.Zero(t, s.ops.made.Load(), "nothing was made")
		})
	}
	t.Run("accepts a known parameter", func(t *testing.T) {
		s := newService(t)
		req := create(`{"name":"a"}`)
		req.query = "dryRun=true"
		s.accepted(req, http.StatusCreated)
	})
}

func TestQueryOfReads(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"other=1", "other=1&other=2", "other=", "limit=&nextToken=", "limit"} {
		t.Run("ignores unknown and empty parameters: "+query, func(t *testing.T) {
			newService(t).accepted(list(query), http.StatusOK)
		})
	}
	for query, parameter := range map[string]string{
		"limit=1&limit=1": "limit", "limit=&limit=2": "limit", "other=1&nextToken=a&limit=1&nextToken=": "nextToken",
		"limit=7&l%69mit=9": "limit",
	} {
		t.Run("rejects a repeated parameter: "+query, func(t *testing.T) {
			p, _ := newService(t).refused(list(query), http.StatusUnprocessableEntity, "validation_failed")
			assert.Len(t, p.Errors, 1)
			assert.Equal(t, parameter, p.Errors[0].Parameter)
			assert.Equal(t, "repeated", p.Errors[0].Code)
		})
	}
}

func TestTextThatWouldBeChanged(t *testing.T) {
	t.Parallel()
	for name, req := range map[string]request{
		"Latin-1 in a body":             {method: http.MethodPost, path: "/test/v1/things", body: "{\"name\":\"M\xfcller\"}", inBase64: true},
		"bytes that a gateway replaced": create("{\"name\":\"M\ufffdller\"}"),
		"a lone surrogate":              create(`{"name":"\ud83d"}`),
		"a second half alone":           create(`{"name":"\ude00x"}`),
		"a surrogate, then another":     create(`{"name":"\ud83d\ud83d\ude00"}`),
		"a duplicate member":            create(`{"name":"a","name":"a"}`),
		"a duplicate member inside":     create(`{"name":"a","parts":[{"label":"x","label":"y"}]}`),
		"a duplicate, escaped":          create(`{"name":"a","n\u0061me":"b"}`),
		"Latin-1 in a query":            {path: "/test/v1/who", query: "other=M%FCller"},
		"an incomplete query escape":    {method: http.MethodPost, path: "/test/v1/things", query: "dryRun=%F", body: `{"name":"a"}`},
	} {
		t.Run("rejects "+name, func(t *testing.T) {
			s := newService(t)
			s.refused(req.with("X-User-Id", userID), http.StatusBadRequest, "malformed_request")
			assert.Zero(t, s.ops.made.Load())
		})
	}
	for name, body := range map[string]string{
		"a surrogate pair":            `{"name":"\ud83d\ude00"}`,
		"an escaped backslash before": `{"name":"\\ud83d"}`,
		"members in several objects":  `{"name":"a","parts":[{"label":"x"},{"label":"x"}]}`,
	} {
		t.Run("accepts "+name, func(t *testing.T) {
			newService(t).accepted(create(body), http.StatusCreated)
		})
	}
}
