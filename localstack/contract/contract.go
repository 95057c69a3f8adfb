// Package contract holds real HTTP answers against docs/openapi.yaml. It is
// stricter than JSON Schema alone: what the document does not name must not be
// there. Requests need not be valid, since tests send bad ones on purpose;
// answers always have to be.
package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"aviso/localstack/emulator"
)

// Contract is a loaded document.
type Contract struct {
	paths   []pathItem
	problem *jsonschema.Schema
}

// pathItem is one path of the document, cut at its slashes.
type pathItem struct {
	path       string
	segments   []string
	operations map[string]operation // by method
}

type operation struct {
	responses map[int]response
}

// response is what the document says about one status of an operation.
type response struct {
	content map[string]media
	headers map[string]*jsonschema.Schema
}

type media struct {
	schema *jsonschema.Schema
	// binary: the body is no text, and the schema says nothing of it.
	binary bool
	// codes are the problems that the document gives as examples; nil where it
	// gives none.
	codes map[string]bool
}

// Default is docs/openapi.yaml of this checkout, loaded once: that takes longer
// than hundreds of checks.
func Default() (*Contract, error) { return loadDefault() }

var loadDefault = sync.OnceValues(func() (*Contract, error) {
	folder, err := emulator.Folder()
	if err != nil {
		return nil, fmt.Errorf("find docs/openapi.yaml: %w", err)
	}
	return Load(filepath.Join(filepath.Dir(folder), "docs", "openapi.yaml"))
})

// Load reads the document at path.
func Load(path string) (*Contract, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the contract: %w", err)
	}
	c, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("read the contract %s: %w", path, err)
	}
	return c, nil
}

func parse(text []byte) (*Contract, error) {
	doc, err := tree(text)
	if err != nil {
		return nil, err
	}
	compiler, err := newCompiler(doc)
	if err != nil {
		return nil, err
	}
	b := &builder{compiler: compiler}
	c := b.build(doc)
	if err := errors.Join(b.faults...); err != nil {
		return nil, err
	}
	return c, nil
}

// tree reads YAML as what JSON would have been, numbers in their own digits
// included, so that examples and answers go through the same checks.
func tree(text []byte) (map[string]any, error) {
	var doc any
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	asJSON, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	value, err := decode(asJSON)
	if err != nil {
		return nil, err
	}
	root, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("the document is no object")
	}
	return root, nil
}

// sandbox is what lies outside the partner's interface: the pretended banks.
const sandbox = "/sandbox/"

// Check tells everything that is wrong with an answer to req, or nil. Answers of
// /sandbox/ are not looked at: the document does not describe the sandbox's
// banks, which follow a standard of their own.
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
	if method == http.MethodHead { // OpenAPI describes none; it is GET without the body
		if len(body) > 0 {
			return errors.New("an answer to HEAD has a body")
		}
		return nil
	}
	item, known := c.find(path)
	if !known {
		return c.refusal(http.StatusNotFound, "path", status, header, body)
	}
	op, known := item.operations[method]
	if !known {
		if header.Get("Allow") == "" {
			return errors.New("the header Allow is missing")
		}
		return c.refusal(http.StatusMethodNotAllowed, "method", status, header, body)
	}
	r, known := op.responses[status]
	if !known {
		return errors.New("the document does not have this status")
	}
	return errors.Join(r.checkHeaders(header), r.checkBody(status, header, body))
}

// refusal checks the answer to what the document does not have.
func (c *Contract) refusal(want int, what string, status int, header http.Header, body []byte) error {
	if status != want {
		return fmt.Errorf("the document does not have this %s; want status %d", what, want)
	}
	r := response{content: map[string]media{problemMedia: {schema: c.problem}}}
	return r.checkBody(status, header, body)
}

// find gives the path of the document that a request's path means; a literal
// segment goes before a parameter, as in the router.
func (c *Contract) find(path string) (pathItem, bool) {
	segments := strings.Split(path, "/")
	var best pathItem
	found := -1
	for _, item := range c.paths {
		if literal := item.match(segments); literal > found {
			best, found = item, literal
		}
	}
	return best, found >= 0
}

// match gives how many segments are equal, or -1 where one does not fit.
func (p pathItem) match(segments []string) int {
	if len(segments) != len(p.segments) {
		return -1
	}
	literal := 0
	for i, want := range p.segments {
		switch {
		case want == segments[i]:
			literal++
		case !strings.HasPrefix(want, "{") || segments[i] == "" || segments[i] == "." || segments[i] == "..":
			return -1
		}
	}
	return literal
}
