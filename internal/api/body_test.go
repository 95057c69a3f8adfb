package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
)

func create(body string) request {
	return request{method: http.MethodPost, path: "/test/v1/things", body: body}
}

func TestBody(t *testing.T) {
	t.Parallel()

	t.Run("rejects a body that is not JSON as malformed", func(t *testing.T) {
		s := newService(t)
		for _, body := range []string{"", " ", "{", `{"name":"a"`, `{"name":"a"}}`, `{"name":"a"} {}`,
			`{'name':'a'}`, "name=a", "\xff", `{"name":1e999}`, strings.Repeat("[", 20_000)} {
			p, _ := s.refused(create(body), http.StatusBadRequest, "malformed_request")
			assert.Empty(t, p.Errors)
		}
		assert.Zero(t, s.ops.made.Load())
	})

	t.Run("rejects JSON of the wrong type as invalid", func(t *testing.T) {
		s := newService(t)
		for _, body := range []string{"null", "[]", "1", `"a"`, "true"} {
			p, _ := s.refused(create(body), http.StatusUnprocessableEntity, "validation_failed")
			assert.Len(t, p.Errors, 1, body)
		}
	})

	for name, c := range map[string]struct {
		body, pointer, code string
	}{
		"an unknown member":                    {`{"name":"a","nmae":"b"}`, "/nmae", "unknown_member"},
		"an unknown member deep inside":        {`{"name":"a","parts":[{"label":"x"},{"label":"y","colour":"red"}]}`, "/parts/1/colour", "unknown_member"},
		"an unknown member with odd letters":   {`{"name":"a","x~/y":"b"}`, "/x~0~1y", "unknown_member"},
		"an unknown member with a dot":         {`{"name":"a","x.y[0]":"b"}`, "/x.y[0]", "unknown_member"},
		"an unknown member with a long name":   {`{"name":"a","` + strings.Repeat("x", 300) + `":"b"}`, "", "unknown_member"},
		"a long name deep inside":              {`{"name":"a","parts":[{"label":"x","` + strings.Repeat("/", 150) + `":1}]}`, "/parts/0", "unknown_member"},
		"a missing member":                     {`{"kind":"Round"}`, "/name", "required"},
		"a missing member deep inside":         {`{"name":"a","parts":[{"size":1}]}`, "/parts/0/label", "required"},
		"a null where there must be something": {`{"name":null}`, "/name", "invalid"},
		"a wrong type":                         {`{"name":7}`, "/name", "invalid"},
		"a value out of range":                 {`{"name":"a","count":-1}`, "/count", "invalid"},
		"a value outside the enumeration":      {`{"name":"a","kind":"round"}`, "/kind", "invalid"},
		"a fraction for an integer":            {`{"name":"a","count":1.5}`, "/count", "invalid"},
		"a string too long":                    {`{"name":"a","parts":[{"label":"123456789"}]}`, "/parts/0/label", "invalid"},
		"a list too long":                      {`{"name":"a","parts":[{"label":"x"},{"label":"x"},{"label":"x"},{"label":"x"}]}`, "/parts", "invalid"},
		"an integer no machine can hold":       {`{"name":"a","count":1e30}`, "", "invalid"},
		"a time without a zone":                {`{"name":"a","when":"2026-03-02T10:00:00"}`, "/when", "invalid"},
	} {
		t.Run(name+" is pointed at", func(t *testing.T) {
			s := newService(t)
			p, _ := s.refused(create(c.body), http.StatusUnprocessableEntity, "validation_failed")
			if assert.Len(t, p.Errors, 1) {
				assert.Equal(t, c.pointer, p.Errors[0].Pointer)
				assert.Equal(t, c.code, p.Errors[0].Code)
				assert.NotEmpty(t, p.Errors[0].Detail)
			}
			assert.Equal(t, "1 part of the request is not valid.", p.Detail)
			assert.Zero(t, s.ops.made.Load())
		})
	}

	t.Run("member names are case-sensitive", func(t *testing.T) {
		s := newService(t)
		p, _ := s.refused(create(`{"Name":"a"}`), http.StatusUnprocessableEntity, "validation_failed")
		codes := map[string]string{}
		for _, e := range p.Errors {
			codes[e.Pointer] = e.Code
		}
		assert.Equal(t, map[string]string{"/Name": "unknown_member", "/name": "required"}, codes)
		assert.Equal(t, "2 parts of the request are not valid.", p.Detail)
		s.refused(create(`{"name":"a","NAME":"b"}`), http.StatusUnprocessableEntity, "validation_failed")
	})

	t.Run("a list that is too long is not also wrong in each item", func(t *testing.T) {
		p, _ := newService(t).refused(create(`{"name":"a","parts":[`+strings.Repeat("1,", 50_000)+`1]}`),
			http.StatusUnprocessableEntity, "validation_failed")
		require.Len(t, p.Errors, 1)
		assert.Equal(t, "/parts", p.Errors[0].Pointer)
	})

	t.Run("lists 100 errors, of which the last says that there are more", func(t *testing.T) {
		s := newService(t)
		members := func(n int) request {
			var body strings.Builder
			for i := range n {
				fmt.Fprintf(&body, `,"a%d":1`, i)
			}
			return create(`{"name":"a"` + body.String() + "}")
		}
		p, _ := s.refused(members(100), http.StatusUnprocessableEntity, "validation_failed")
		assert.Len(t, p.Errors, 100)
		assert.Equal(t, "/a99", p.Errors[99].Pointer)
		assert.Equal(t, "100 parts of the request are not valid.", p.Detail)
		for _, n := range []int{101, 5_000} {
			p, _ = s.refused(members(n), http.StatusUnprocessableEntity, "validation_failed")
			assert.Len(t, p.Errors, 100)
			assert.Equal(t, "more", p.Errors[99].Code)
			assert.Equal(t, "More than 100 parts of the request are not valid.", p.Detail)
		}
	})

	t.Run("names what is wrong in the path and in the body", func(t *testing.T) {
		r := create(`{"name":7,"kind":"Oval"}`)
		r.query = "dryRun=maybe"
		p, _ := newService(t).refused(r, http.StatusUnprocessableEntity, "validation_failed")
		assert.Len(t, p.Errors, 3)
	})

	t.Run("accepts 256 KB, and not one byte more", func(t *testing.T) {
		s := newService(t)
		frame := len(`{"name":""}`)
		fits := `{"name":"` + strings.Repeat("a", api.MaxBody-frame) + `"}`
		s.accepted(create(fits), http.StatusCreated)
		s.refused(create(fits+" "), http.StatusRequestEntityTooLarge, "payload_too_large")
		big := create(fits + " ")
		big.inBase64 = true
		s.refused(big, http.StatusRequestEntityTooLarge, "payload_too_large")
		assert.EqualValues(t, 1, s.ops.made.Load())
	})

	t.Run("accepts only JSON in UTF-8", func(t *testing.T) {
		s := newService(t)
		for _, media := range []string{"-", "", "text/plain", "application/xml", "application/x-www-form-urlencoded",
			"application/json; charset=latin1", "application/problem+json", ";;", "application/json, text/plain"} {
			s.refused(create(`{"name":"a"}`).with("Content-Type", media), http.StatusUnsupportedMediaType, "unsupported_media_type")
		}
		assert.Zero(t, s.ops.made.Load())
		for _, media := range []string{"application/json", "Application/JSON", "application/json; charset=utf-8",
			`application/json;charset="UTF-8"`} {
			s.accepted(create(`{"name":"a"}`).with("Content-Type", media), http.StatusCreated)
		}
	})

	t.Run("accepts no content coding", func(t *testing.T) {
		s := newService(t)
		for _, coding := range []string{"gzip", "br", "x", "identity, gzip"} {
			res := s.send(create(`{"name":"a"}`).with("Content-Encoding", coding))
			assert.Equal(t, http.StatusUnsupportedMediaType, res.status)
			assert.Equal(t, "identity", res.header.Get("Accept-Encoding"))
		}
		assert.Zero(t, s.ops.made.Load())
		s.accepted(create(`{"name":"a"}`).with("Content-Encoding", "Identity"), http.StatusCreated)
	})

	t.Run("accepts a body in base64", func(t *testing.T) {
		s := newService(t)
		r := create(`{"name":"Zoë"}`)
		r.inBase64 = true
		assert.Contains(t, s.accepted(r, http.StatusCreated).body, `"Zoë"`)
	})

	t.Run("accepts only a form where a form is expected", func(t *testing.T) {
		s := newService(t)
		form := request{method: http.MethodPost, path: "/test/form", body: "a=b+c", inBase64: true}.with("Authorization", "-")
		assert.Equal(t, "b c", s.accepted(form.with("Content-Type", "application/x-www-form-urlencoded"), http.StatusOK).body)
		s.refused(form, http.StatusUnsupportedMediaType, "unsupported_media_type")
		form.body = strings.Repeat("a", api.MaxBody+1)
		s.refused(form.with("Content-Type", "application/x-www-form-urlencoded"), http.StatusRequestEntityTooLarge, "payload_too_large")
	})

	t.Run("ignores the Accept header", func(t *testing.T) {
		s := newService(t)
		for _, accept := range []string{"text/html", "application/cbor", "*/*;q=0", "nonsense"} {
			res := s.accepted(create(`{"name":"a"}`).with("Accept", accept), http.StatusCreated)
			assert.Equal(t, "application/json", res.header.Get("Content-Type"))
		}
	})
}

func TestIntegerInAnySpelling(t *testing.T) {
	t.Parallel()
	for _, number := range []string{"2", "2.0", "2e0", "0.02e2", "20E-1", "null"} {
		t.Run("accepts "+number, func(t *testing.T) {
			newService(t).accepted(create(`{"name":"a","count":`+number+`}`), http.StatusCreated)
		})
	}
}
