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
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const problemMedia = "application/problem+json"

// checkHeaders checks that what is sent is documented, except for what is ignored, and that
// what is required is sent.
func checkHeaders(documented map[string]header, sent http.Header, ignored func(name string) bool) error {
	var faults []error
	known := map[string]bool{}
	for name, h := range documented {
		known[http.CanonicalHeaderKey(name)] = true
		value := sent.Get(name)
		switch {
		case value == "" && h.required:
			faults = append(faults, fmt.Errorf("the header %s is missing", name))
		case value != "":
			if err := h.schema.Validate(h.read(value)); err != nil {
				faults = append(faults, fmt.Errorf("header %s: %w", name, err))
			}
		}
	}
	for name := range sent {
		if !known[name] && !ignored(name) {
			faults = append(faults, fmt.Errorf("the document does not have the header %s", name))
		}
	}
	return errors.Join(faults...)
}

// read returns the value of a header as its schema describes it.
func (h header) read(value string) any {
	if h.schema.Types != nil && !slices.Contains(h.schema.Types.ToStrings(), "string") {
		return json.Number(value)
	}
	return value
}

// isPlumbing reports whether a response's header is for browsers, caches and the connection,
// not for programs that call the API.
func isPlumbing(name string) bool {
	switch name {
	case "Content-Type", "Content-Length", "Content-Encoding", "Date", "Connection", "Apigw-Requestid",
		"Cache-Control", "Pragma", "Vary", "X-Content-Type-Options", "Strict-Transport-Security",
		"Content-Security-Policy", "Referrer-Policy", "X-Frame-Options", "Content-Language", "Set-Cookie":
		return true
	}
	return false
}

func (r response) checkBody(status int, header http.Header, body []byte) error {
	if len(r.content) == 0 {
		if len(body) > 0 {
			return errors.New("the document has no body for this status")
		}
		return nil
	}
	name, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return fmt.Errorf("Content-Type: %w", err)
	}
	m, known := r.content[name]
	if !known {
		return fmt.Errorf("the document does not have the media type %s for this status", name)
	}
	if m.binary {
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
		return m.schema.Validate(string(body))
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the body is not JSON: %w", err)
	}
	if err := m.schema.Validate(value); err != nil || name != problemMedia {
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
func (m media) checkProblem(status int, header http.Header, value any) error {
	problem, _ := value.(map[string]any)
	var faults []error
	if fmt.Sprint(problem["status"]) != fmt.Sprint(status) {
		faults = append(faults, fmt.Errorf("/status is %v", problem["status"]))
	}
	if id := header.Get("X-Request-Id"); problem["traceId"] != id {
		faults = append(faults, fmt.Errorf("/traceId is %v, the header X-Request-Id is %q", problem["traceId"], id))
	}
	if code := fmt.Sprint(problem["code"]); m.codes != nil && !m.codes[code] {
		faults = append(faults, fmt.Errorf("the document does not have the code %s for this status", code))
	}
	return errors.Join(faults...)
}
