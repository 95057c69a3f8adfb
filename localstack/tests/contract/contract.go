// Package contract checks real HTTP responses and callbacks against docs/openapi.yaml, and
// what partners do not call against docs/openapi-internal.yaml. It is stricter
// than JSON Schema: members that the document does not list are faults. Requests may be
// invalid, because tests send bad ones on purpose. Responses must always be valid.
package contract

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"aviso/localstack/stack/emulator"
)

// Contract is what the loaded documents say.
type Contract struct {
	// paths finds what the documents say about a path.
	paths *http.ServeMux
	// problem is a body with any problem.
	problem   part
	callbacks map[string]part // by event type
}

// Default returns the two documents of this checkout. It loads them only once, because that
// takes longer than hundreds of checks.
func Default() (*Contract, error) { return loadDefault() }

var loadDefault = sync.OnceValues(func() (*Contract, error) {
	folder, err := emulator.Folder()
	if err != nil {
		return nil, fmt.Errorf("find docs/openapi.yaml: %w", err)
	}
	docs := filepath.Join(filepath.Dir(folder), "docs")
	return Load(filepath.Join(docs, "openapi.yaml"), filepath.Join(docs, "openapi-internal.yaml"))
})

// Load reads the documents at these paths as one.
func Load(paths ...string) (*Contract, error) {
	c := empty()
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err == nil {
			err = c.add(text)
		}
		if err != nil {
			return nil, fmt.Errorf("read the contract %s: %w", path, err)
		}
	}
	return c, nil
}

func empty() *Contract {
	return &Contract{paths: http.NewServeMux(), callbacks: map[string]part{}}
}

// tree reads YAML as if it were JSON, and keeps the digits of numbers, so that the same
// checks work for examples and responses.
func tree(text []byte) (map[string]any, error) {
	var doc map[string]any
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	asJSON, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	root, _ := value.(map[string]any)
	return root, err
}

// sandbox is the path of the sandbox's banks, which the document does not describe.
const sandbox = "/sandbox/"

// Check returns everything that is wrong with a response to req, or nil. It ignores
// responses of /sandbox/.
func (c *Contract) Check(req *http.Request, status int, header http.Header, body []byte) error {
	path := req.URL.EscapedPath()
	if strings.HasPrefix(path, sandbox) {
		return nil
	}
	if err := c.check(req.Method, path, status, header, body); err != nil {
		return fmt.Errorf("%s %s answered %d: %w", req.Method, path, status, err)
	}
	return nil
}

func (c *Contract) check(method, path string, status int, header http.Header, body []byte) error {
	if method == http.MethodHead { // not in the document; the same as GET without the body
		if len(body) > 0 {
			return errors.New("a response to HEAD has a body")
		}
		return nil
	}
	route, err := http.NewRequest(method, path, http.NoBody)
	if err != nil {
		return err
	}
	// For a path such as /a/../b, a ServeMux finds what it would redirect to.
	unclean := strings.Contains(path, "//") || strings.Contains(path+"/", "/./") || strings.Contains(path+"/", "/../")
	found, pattern := c.paths.Handler(route)
	if pattern == "" || unclean {
		return c.refusal(http.StatusNotFound, "path", status, header, body)
	}
	operation := found.(part).at(strings.ToLower(method))
	if operation.object == nil {
		if header.Get("Allow") == "" {
			return errors.New("the header Allow is missing")
		}
		return c.refusal(http.StatusMethodNotAllowed, "method", status, header, body)
	}
	r := operation.at("responses", strconv.Itoa(status))
	if r.object == nil {
		return errors.New("the document does not have this status")
	}
	return errors.Join(checkHeaders(r.parts("headers"), header, plumbing),
		checkBody(r.parts("content"), status, header, body))
}

// refusal checks the response to a request that the document does not describe.
func (c *Contract) refusal(want int, what string, status int, header http.Header, body []byte) error {
	if status != want {
		return fmt.Errorf("the document does not have this %s, so the status must be %d", what, want)
	}
	return checkBody(map[string]part{problemMedia: c.problem}, status, header, body)
}

// CheckCallback returns everything that is wrong with a callback that a partner received,
// or nil.
func (c *Contract) CheckCallback(sent http.Header, body []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the callback is not JSON: %w", err)
	}
	event, _ := value.(map[string]any)
	name, _ := event["eventType"].(string)
	described, known := c.callbacks[name]
	if !known {
		return fmt.Errorf("the document does not have the event %q", name)
	}
	faults := []error{checkHeaders(described.parts("parameters"), sent, transport)}
	if id := sent.Get("webhook-id"); event["eventId"] != id {
		faults = append(faults, fmt.Errorf("/eventId is %v, the header webhook-id is %q", event["eventId"], id))
	}
	content := described.at("requestBody").at("content", "application/json")
	if err := errors.Join(append(faults, content.schema().Validate(value))...); err != nil {
		return fmt.Errorf("callback %s: %w", name, err)
	}
	return nil
}

// Transport checks every response that passes through it.
type Transport struct {
	Contract *Contract
	// Base makes the calls.
	Base http.RoundTripper
	// OnViolation is called with everything wrong about a response, which is then passed
	// on. If it is nil, the call fails instead.
	OnViolation func(error)
}

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.Base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return nil, fmt.Errorf("read the response: %w", err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	if err := t.Contract.Check(req, resp.StatusCode, resp.Header, body); err != nil {
		if t.OnViolation == nil {
			return nil, err
		}
		t.OnViolation(err)
	}
	return resp, nil
}

const problemMedia = "application/problem+json"

const (
	// transport are the headers of a request that HTTP clients set by themselves.
	transport = "Accept Accept-Encoding Connection Content-Length Content-Type"
	// plumbing are the headers of a response that are for browsers, caches and the connection, not
	// for programs that call the API.
	plumbing = "Content-Type Content-Length Content-Encoding Date Connection Apigw-Requestid Cache-Control Pragma " +
		"Server Vary X-Content-Type-Options Strict-Transport-Security Content-Security-Policy Referrer-Policy " +
		"X-Frame-Options Content-Language Set-Cookie"
)

// checkHeaders checks that what is sent is documented, except for what is ignored, and that
// what is required is sent.
func checkHeaders(documented map[string]part, sent http.Header, ignored string) error {
	var faults []error
	known := map[string]bool{}
	for name, h := range documented {
		known[http.CanonicalHeaderKey(name)] = true
		value := sent.Get(name)
		switch {
		case value == "" && h.object["required"] == true:
			faults = append(faults, fmt.Errorf("the header %s is missing", name))
		case value != "":
			if err := h.schema().Validate(h.read(value)); err != nil {
				faults = append(faults, fmt.Errorf("header %s: %w", name, err))
			}
		}
	}
	for name := range sent {
		if !known[name] && !slices.Contains(strings.Fields(ignored), name) {
			faults = append(faults, fmt.Errorf("the document does not have the header %s", name))
		}
	}
	return errors.Join(faults...)
}

// read returns the value of a header as its schema describes it.
func (p part) read(value string) any {
	if types := p.schema().Types; types != nil && !slices.Contains(types.ToStrings(), "string") {
		return json.Number(value)
	}
	return value
}

func checkBody(content map[string]part, status int, header http.Header, body []byte) error {
	if len(content) == 0 {
		if len(body) > 0 {
			return errors.New("the document has no body for this status")
		}
		return nil
	}
	name, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("Content-Type: %w", err)
	}
	m, known := content[name]
	if !known {
		return fmt.Errorf("the document does not have the media type %s for this status", name)
	}
	if m.at("schema").object["format"] == "binary" { // not text, so the schema does not apply
		return checkBinary(name, body)
	}
	if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") {
		return fmt.Errorf("the charset is %s", charset)
	}
	if header.Get("Content-Encoding") == "gzip" {
		if body, err = gunzip(body); err != nil {
			return err
		}
	}
	if !utf8.Valid(body) {
		return errors.New("the body is not UTF-8")
	}
	if !strings.HasSuffix(name, "json") {
		return m.schema().Validate(string(body))
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the body is not JSON: %w", err)
	}
	if err := m.schema().Validate(value); err != nil || name != problemMedia {
		return err
	}
	return m.checkProblem(status, header, value)
}

func gunzip(body []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("the body is not gzip: %w", err)
	}
	return io.ReadAll(r)
}

// checkBinary checks what it can about a binary body.
func checkBinary(name string, body []byte) error {
	if len(body) == 0 {
		return errors.New("the body is empty")
	}
	if name == "application/pdf" && !bytes.HasPrefix(body, []byte("%PDF-")) {
		return errors.New("the body is not a PDF")
	}
	return nil
}

// checkProblem checks what the schema of a problem cannot express.
func (p part) checkProblem(status int, header http.Header, value any) error {
	problem, _ := value.(map[string]any)
	var faults []error
	if fmt.Sprint(problem["status"]) != fmt.Sprint(status) {
		faults = append(faults, fmt.Errorf("/status is %v", problem["status"]))
	}
	if id := header.Get("X-Request-Id"); problem["traceId"] != id {
		faults = append(faults, fmt.Errorf("/traceId is %v, the header X-Request-Id is %q", problem["traceId"], id))
	}
	if code, known := fmt.Sprint(problem["code"]), p.codes(); len(known) > 0 && !known[code] {
		faults = append(faults, fmt.Errorf("the document does not have the code %s for this status", code))
	}
	return errors.Join(faults...)
}
