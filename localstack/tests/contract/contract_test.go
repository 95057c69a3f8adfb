package contract

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sample has one of everything that the package checks.
const sample = `
openapi: 3.1.0
paths:
  /things:
    get:
      responses:
        "200":
          headers:
            Location: {schema: {type: string, format: uri}}
            Retry-After: {$ref: "#/components/headers/Retry-After"}
          content:
            application/json: {schema: {$ref: "#/components/schemas/Things"}}
        "404":
          headers:
            X-Request-Id: {schema: {type: string}}
          content:
            application/problem+json:
              examples: {not_found: {value: {code: not_found}}}
              schema: {$ref: "#/components/schemas/Problem"}
    delete:
      responses:
        "204":
          description: Gone.
        "503":
          headers:
            Retry-After: {required: true, schema: {type: integer}}
  /things/{id}:
    get:
      responses:
        "200":
          content:
            text/html: {schema: {type: string}}
  /things/{id}/letter:
    get:
      responses:
        "200":
          content:
            application/pdf: {schema: {type: string, format: binary}}
  /things/count:
    get:
      responses:
        "200":
          content:
            application/json: {schema: {type: integer, format: int32, minimum: 0}}
webhooks:
  thing.made:
    post:
      parameters:
        - {$ref: "#/components/parameters/Id"}
        - {name: traceparent, in: header, schema: {type: string}}
      requestBody:
        content:
          application/json:
            schema: {$ref: "#/components/schemas/ThingMadeEvent"}
components:
  headers:
    Retry-After: {schema: {type: integer}}
  parameters:
    Id: {name: webhook-id, in: header, required: true, schema: {type: string}}
  schemas:
    ThingMadeEvent:
      type: object
      required: [eventId, eventType]
      properties:
        eventId: {type: string}
        eventType: {type: string, enum: [thing.made]}
    Things:
      type: object
      required: [things]
      properties:
        things: {type: array, maxItems: 2, items: {$ref: "#/components/schemas/Thing"}}
    Thing:
      type: object
      required: [id, name]
      additionalProperties: false
      properties:
        id: {type: string, format: uuid}
        name: {type: string, minLength: 1, pattern: "^[a-z]+$"}
        at: {type: string, format: date-time}
        day: {type: string, format: date}
        at_url: {type: string, format: uri}
        price: {type: number, maximum: 10}
        colour: {type: string, enum: [red, blue]}
        shape: {type: string, x-extensible-enum: [round, square]}
        labels: {type: object, additionalProperties: {type: string}}
        anything: {type: object}
    Problem:
      type: object
      required: [status, code, traceId]
      properties:
        status: {type: integer}
        code: {type: string}
        traceId: {type: string}
`

const id = `"id":"7f0d4a52-5a3c-4c39-9f3e-0f6f1f9d8c11"`

func load(t *testing.T) *Contract {
	t.Helper()
	c := empty()
	require.NoError(t, c.add([]byte(sample)))
	return c
}

func check(t *testing.T, method, path string, status int, media, body string, headers ...string) error {
	t.Helper()
	h := http.Header{}
	if media != "" {
		h.Set("Content-Type", media)
	}
	for i := 0; i < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return load(t).Check(httptest.NewRequest(method, "http://host"+path, nil), status, h, []byte(body))
}

func TestCheckAccepts(t *testing.T) {
	t.Parallel()
	thing := `{` + id + `,"name":"x","at":"2026-02-28T00:00:00.5Z","day":"2026-02-28","at_url":"https://a.example/b","price":9.90,"colour":"red","shape":"round","labels":{"a":"b"},"anything":{"x":[null]}}`
	problem := `{"status":404,"code":"not_found","traceId":"t"}`
	for name, c := range map[string]struct {
		method, path string
		status       int
		media, body  string
		headers      []string
	}{
		"an answer as documented":             {"GET", "/things", 200, "application/json", `{"things":[` + thing + `]}`, nil},
		"an empty list":                       {"GET", "/things", 200, "application/json; charset=utf-8", `{"things":[]}`, nil},
		"the name of sam local's server":      {"GET", "/things", 200, "application/json", `{"things":[]}`, []string{"Server", "Werkzeug/3.1.5 Python/3.11.7"}},
		"a number without digits after point": {"GET", "/things/count", 200, "application/json", `3`, nil},
		"a page":                              {"GET", "/things/x", 200, "text/html; charset=utf-8", `<p>x`, nil},
		"a letter":                            {"GET", "/things/x/letter", 200, "application/pdf", "%PDF-1.3\n%\xb5\xb6", nil},
		"no body where there is none":         {"DELETE", "/things", 204, "", "", nil},
		"a documented refusal":                {"GET", "/things", 404, problemMedia, problem, []string{"X-Request-Id", "t"}},
		"a problem for an unknown path":       {"GET", "/others", 404, problemMedia, problem, []string{"X-Request-Id", "t"}},
		"a problem for an unknown method": {"PUT", "/things", 405, problemMedia, `{"status":405,"code":"method_not_allowed","traceId":"t"}`,
			[]string{"X-Request-Id", "t", "Allow", "GET, DELETE"}},
		"HEAD without a body":   {"HEAD", "/things", 200, "", "", nil},
		"whatever a bank shows": {"GET", "/sandbox/banks/x", 418, "text/plain", "x", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.NoError(t, check(t, c.method, c.path, c.status, c.media, c.body, c.headers...))
		})
	}
}

func TestCheckCatchesInTheBody(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, want string }{
		"a missing member": {`{"things":[{"name":"x"}]}`, "at '/things/0': missing property 'id'"},
		"a missing list":   {`{}`, "missing property 'things'"},
		"an extra member":  {`{"things":[{` + id + `,"name":"x","more":1}]}`, "at '/things/0': additional properties 'more' not allowed"},
		"an extra member where the document is silent": {`{"things":[],"more":1}`, "additional properties 'more' not allowed"},
		"a wrong type":                 {`{"things":[{` + id + `,"name":1}]}`, "at '/things/0/name': got number, want string"},
		"a number as text":             {`{"things":[{` + id + `,"name":"x","price":"1"}]}`, "at '/things/0/price': got string, want number"},
		"a null list":                  {`{"things":null}`, "at '/things': got null, want array"},
		"a null element":               {`{"things":[null]}`, "at '/things/0': got null, want object"},
		"too long a list":              {`{"things":[{` + id + `,"name":"x"},{` + id + `,"name":"x"},{` + id + `,"name":"x"}]}`, "at '/things': maxItems: got 3, want 2"},
		"a short text":                 {`{"things":[{` + id + `,"name":""}]}`, "at '/things/0/name': minLength"},
		"a text off its pattern":       {`{"things":[{` + id + `,"name":"X"}]}`, "at '/things/0/name': 'X' does not match pattern"},
		"a number over its bound":      {`{"things":[{` + id + `,"name":"x","price":10.01}]}`, "at '/things/0/price': maximum"},
		"a value that is not a choice": {`{"things":[{` + id + `,"name":"x","colour":"Red"}]}`, "at '/things/0/colour': value must be one of"},
		"a value not known yet":        {`{"things":[{` + id + `,"name":"x","shape":"Round"}]}`, "at '/things/0/shape': value must be one of"},
		"a wrong type in a map":        {`{"things":[{` + id + `,"name":"x","labels":{"a":1}}]}`, "at '/things/0/labels/a': got number, want string"},
		"no UUID":                      {`{"things":[{"id":"7f0d4a52","name":"x"}]}`, "at '/things/0/id': '7f0d4a52' is not valid uuid"},
		"no date-time":                 {`{"things":[{` + id + `,"name":"x","at":"2026-02-28 00:00:00Z"}]}`, "is not valid date-time"},
		"a date-time not in UTC":       {`{"things":[{` + id + `,"name":"x","at":"2026-02-28T00:00:00+01:00"}]}`, "is not valid date-time"},
		"a day that does not exist":    {`{"things":[{` + id + `,"name":"x","day":"2026-02-30"}]}`, "is not valid date"},
		"no absolute URI":              {`{"things":[{` + id + `,"name":"x","at_url":"/b"}]}`, "is not valid uri"},
		"no JSON":                      {`{"things":[`, "the body is not JSON"},
		"two values":                   {`{"things":[]}{}`, "invalid character after top-level value"},
		"text that is not UTF-8":       {"\"\xff\"", "the body is not UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := check(t, "GET", "/things", 200, "application/json", c.body)
			assert.ErrorContains(t, err, c.want)
			assert.ErrorContains(t, err, "GET /things answered 200: ")
		})
	}

	t.Run("everything wrong, not only the first fault", func(t *testing.T) {
		t.Parallel()
		err := check(t, "GET", "/things", 200, "application/json", `{"things":[{"name":1}]}`)
		assert.ErrorContains(t, err, "at '/things/0': missing property 'id'")
		assert.ErrorContains(t, err, "at '/things/0/name': got number, want string")
	})
	t.Run("an invalid letter", func(t *testing.T) {
		t.Parallel()
		assert.ErrorContains(t, check(t, "GET", "/things/x/letter", 200, "application/pdf", "<p>x"), "the body is not a PDF")
		assert.ErrorContains(t, check(t, "GET", "/things/x/letter", 200, "application/pdf", ""), "the body is empty")
	})
	t.Run("an integer that does not fit", func(t *testing.T) {
		t.Parallel()
		assert.ErrorContains(t, check(t, "GET", "/things/count", 200, "application/json", `2147483648`), "is not valid int32")
		assert.ErrorContains(t, check(t, "GET", "/things/count", 200, "application/json", `1.5`), "got number, want integer")
		assert.ErrorContains(t, check(t, "GET", "/things/count", 200, "application/json", `-1`), "minimum: got -1, want 0")
	})
}

func TestCheckCatchesFaultsOutsideTheBody(t *testing.T) {
	t.Parallel()
	problem := `{"status":404,"code":"not_found","traceId":"t"}`
	for name, c := range map[string]struct {
		method, path      string
		status            int
		media, body, want string
		headers           []string
	}{
		"an undocumented status":        {"GET", "/things", 201, "application/json", `{"things":[]}`, "does not have this status", nil},
		"a wrong media type":            {"GET", "/things", 200, "text/plain", `{"things":[]}`, "does not have the media type text/plain", nil},
		"no media type":                 {"GET", "/things", 200, "", `{"things":[]}`, "Content-Type", nil},
		"another charset":               {"GET", "/things", 200, "application/json; charset=latin1", `{"things":[]}`, "the charset is latin1", nil},
		"a body where there is none":    {"DELETE", "/things", 204, "", "x", "no body", nil},
		"a body for HEAD":               {"HEAD", "/things", 200, "", "x", "HEAD has a body", nil},
		"a header of a wrong format":    {"GET", "/things", 200, "application/json", `{"things":[]}`, "header Location", []string{"Location", "x"}},
		"a header of a wrong type":      {"GET", "/things", 200, "application/json", `{"things":[]}`, "header Retry-After", []string{"Retry-After", "soon"}},
		"an undocumented header":        {"GET", "/things", 200, "application/json", `{"things":[]}`, "does not have the header X-More", []string{"X-More", "x"}},
		"a missing header":              {"DELETE", "/things", 503, "", "", "the header Retry-After is missing", nil},
		"a success for an unknown path": {"GET", "/others", 200, "application/json", `{}`, "the status must be 404", nil},
		"a plain 404":                   {"GET", "/others", 404, "text/plain", "404 page not found", "does not have the media type", nil},
		"a plain 404 below a path":      {"GET", "/things/a/b", 404, "text/plain", "404 page not found", "does not have the media type", nil},
		"a 404 for an unknown method":   {"PUT", "/things", 404, problemMedia, problem, "the status must be 405", []string{"Allow", "GET", "X-Request-Id", "t"}},
		"a 405 without Allow":           {"PUT", "/things", 405, problemMedia, problem, "Allow is missing", nil},
		"a problem with another status": {"GET", "/things", 404, problemMedia, `{"status":400,"code":"not_found","traceId":"t"}`, "/status is 400", []string{"X-Request-Id", "t"}},
		"a problem with another ID":     {"GET", "/things", 404, problemMedia, problem, "/traceId is t", []string{"X-Request-Id", "u"}},
		"an undocumented code":          {"GET", "/things", 404, problemMedia, `{"status":404,"code":"gone","traceId":"t"}`, "does not have the code gone", []string{"X-Request-Id", "t"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.ErrorContains(t, check(t, c.method, c.path, c.status, c.media, c.body, c.headers...), c.want)
		})
	}
}

func TestCheckCallback(t *testing.T) {
	t.Parallel()
	check := func(body string, headers ...string) error {
		h := http.Header{"Content-Type": {"application/json"}, "Accept": {"*/*"}}
		for i := 0; i < len(headers); i += 2 {
			h.Set(headers[i], headers[i+1])
		}
		return load(t).CheckCallback(h, []byte(body))
	}
	const made = `{"eventId":"7","eventType":"thing.made"}`
	require.NoError(t, check(made, "webhook-id", "7", "traceparent", "00"))
	assert.ErrorContains(t, check(made), "the header webhook-id is missing")
	assert.ErrorContains(t, check(made, "webhook-id", "8"), "/eventId is 7")
	assert.ErrorContains(t, check(made, "webhook-id", "7", "X-More", "x"), "does not have the header X-More")
	assert.ErrorContains(t, check(`{"eventId":"7","eventType":"thing.lost"}`, "webhook-id", "7"), "does not have the event")
	assert.ErrorContains(t, check(`{"eventId":"7","eventType":"thing.made","more":1}`, "webhook-id", "7"),
		"additional properties 'more' not allowed")
	assert.ErrorContains(t, check(`{`), "not JSON")
}

func TestLoadRejectsUnsupportedDocuments(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][2]string{
		"a broken pattern":    {"^[a-z]+$", "^[a-z"},
		"an unknown type":     {"type: integer, format: int32", "type: whole"},
		"a range of statuses": {`"204"`, "2XX"},
		"a broken reference":  {"schemas/Thing\"", "schemas/Thin\""},
		"a missing schema":    {"{schema: {type: string}}", "{}"},
		"no problem":          {"    Problem:", "    Trouble:"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, sample, change[0])
			assert.Error(t, empty().add([]byte(strings.Replace(sample, change[0], change[1], 1))))
		})
	}
	t.Run("a missing file", func(t *testing.T) {
		t.Parallel()
		_, err := Load(filepath.Join(t.TempDir(), "none.yaml"))
		assert.ErrorIs(t, err, os.ErrNotExist)
	})
}

// answers is a Base that gives every request the same response.
type answers struct {
	body string
	err  error
}

func (a answers) RoundTrip(*http.Request) (*http.Response, error) {
	if a.err != nil {
		return nil, a.err
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(a.body)),
	}, nil
}

func TestTransport(t *testing.T) {
	t.Parallel()
	get := func(t *testing.T, transport *Transport) (string, error) {
		t.Helper()
		transport.Contract = load(t)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://host/things", nil)
		require.NoError(t, err)
		resp, err := (&http.Client{Transport: transport}).Do(req)
		if err != nil {
			return "", err
		}
		defer func() { assert.NoError(t, resp.Body.Close()) }()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return string(body), nil
	}

	t.Run("passes on a valid response", func(t *testing.T) {
		t.Parallel()
		body, err := get(t, &Transport{Base: answers{body: `{"things":[]}`}})
		require.NoError(t, err)
		assert.JSONEq(t, `{"things":[]}`, body)
	})
	t.Run("fails the call if the response is invalid", func(t *testing.T) {
		t.Parallel()
		_, err := get(t, &Transport{Base: answers{body: `{}`}})
		assert.ErrorContains(t, err, "missing property 'things'")
	})
	t.Run("reports an invalid response and passes it on", func(t *testing.T) {
		t.Parallel()
		var told []error
		body, err := get(t, &Transport{Base: answers{body: `{}`}, OnViolation: func(err error) { told = append(told, err) }})
		require.NoError(t, err)
		assert.Equal(t, "{}", body)
		require.Len(t, told, 1)
		assert.ErrorContains(t, told[0], "missing property 'things'")
	})
	t.Run("passes on the error if there is no response", func(t *testing.T) {
		t.Parallel()
		broken := errors.New("line is cut")
		_, err := get(t, &Transport{Base: answers{err: broken}})
		assert.ErrorIs(t, err, broken)
	})
}
