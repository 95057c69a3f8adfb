package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// source is a document's tree, with the schemas of headers, parameters and bodies by where these are.
type source struct {
	root    map[string]any
	schemas map[string]*jsonschema.Schema
}

// part is an object of a document, and the steps that lead to it. The object is nil if there is none.
type part struct {
	*source
	steps  []string
	object map[string]any
}

// ServeHTTP makes a path something that a ServeMux finds. Nothing calls it.
func (part) ServeHTTP(http.ResponseWriter, *http.Request) {}

// at returns the object that more steps lead to. It follows a reference.
func (p part) at(names ...string) part {
	var node any = p.object
	for _, name := range names {
		switch n := node.(type) {
		case map[string]any:
			node = n[name]
		case []any:
			i, _ := strconv.Atoi(name)
			node = n[i]
		}
	}
	object, _ := node.(map[string]any)
	if ref, ok := object["$ref"].(string); ok {
		return part{source: p.source, object: p.root}.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return part{p.source, append(slices.Clip(p.steps), names...), object}
}

// parts returns the objects in a member by their names.
func (p part) parts(member string) map[string]part {
	all := map[string]part{}
	switch list := p.object[member].(type) {
	case map[string]any:
		for name := range list {
			all[name] = p.at(member, name)
		}
	case []any: // of parameters
		for i := range list {
			one := p.at(member, strconv.Itoa(i))
			name, _ := one.object["name"].(string)
			all[name] = one
		}
	}
	return all
}

func (p part) pointer() string { return pointer(append(slices.Clip(p.steps), "schema")...) }

// schema returns the schema of a header, a parameter or a body.
func (p part) schema() *jsonschema.Schema { return p.schemas[p.pointer()] }

// compile compiles the schemas of headers, parameters or bodies.
func (s *source) compile(compiler *jsonschema.Compiler, all map[string]part) error {
	var faults []error
	for _, p := range all {
		schema, err := compiler.Compile(p.pointer())
		s.schemas[p.pointer()] = schema
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

// add adds a document to the contract.
func (c *Contract) add(text []byte) error {
	root, err := tree(text)
	if err != nil {
		return err
	}
	compiler, err := newCompiler(root)
	if err != nil {
		return err
	}
	s := &source{root, map[string]*jsonschema.Schema{}}
	top := part{source: s, object: root}
	c.problem = part{source: s, steps: []string{"problem"}}
	s.schemas[c.problem.pointer()], err = compiler.Compile(pointer("components", "schemas", "Problem"))
	faults := []error{err}
	for path, item := range top.parts("paths") {
		c.paths.Handle(path, item)
		for method := range item.object {
			responses := item.at(method).parts("responses")
			if len(responses) == 0 {
				faults = append(faults, fmt.Errorf("%s %s has no responses", method, path))
			}
			for status, r := range responses {
				_, err := strconv.Atoi(status)
				faults = append(faults, err, s.compile(compiler, r.parts("headers")), s.compile(compiler, r.parts("content")))
			}
		}
	}
	for name, item := range top.parts("webhooks") {
		sent := item.at("post")
		c.callbacks[name] = sent
		faults = append(faults, s.compile(compiler, sent.parts("parameters")),
			s.compile(compiler, sent.at("requestBody").parts("content")))
	}
	return errors.Join(faults...)
}

// codes returns the problem codes in the examples of a media type.
func (p part) codes() map[string]bool {
	found := map[string]bool{}
	for _, example := range p.parts("examples") {
		code, _ := example.at("value").object["code"].(string)
		found[code] = true
	}
	return found
}

// resource is the compiler's name for the document.
const resource = "openapi.json"

// newCompiler returns a compiler for the document's schemas. As in OpenAPI 3.1 they are
// JSON Schema 2020-12, but formats are checked, and objects and enums closed.
func newCompiler(doc map[string]any) (*jsonschema.Compiler, error) {
	closeSchemas(doc)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: "date-time", Validate: utcDateTime})
	c.RegisterFormat(&jsonschema.Format{Name: "int32", Validate: int32Number})
	err := c.AddResource(resource, doc)
	return c, err
}

// closeSchemas disallows other members in every object that lists its members, unless it
// explicitly allows them, and other values where the known ones are listed. A later version
// of the service may add both; this version must document what it sends.
func closeSchemas(node any) {
	switch n := node.(type) {
	case []any:
		for _, element := range n {
			closeSchemas(element)
		}
	case map[string]any:
		_, names := n["properties"].(map[string]any)
		if _, said := n["additionalProperties"]; names && !said && n["type"] == "object" {
			n["additionalProperties"] = false
		}
		if values, open := n["x-extensible-enum"]; open {
			n["enum"] = values
		}
		for _, key := range slices.Sorted(maps.Keys(n)) {
			if key != "example" && key != "examples" && key != "default" {
				closeSchemas(n[key])
			}
		}
	}
}

// pointer returns the URL of the part of the document at the end of steps.
func pointer(steps ...string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1", "%", "%25", "{", "%7B", "}", "%7D", "$", "%24")
	var b strings.Builder
	b.WriteString(resource + "#")
	for _, s := range steps {
		b.WriteString("/" + escape.Replace(s))
	}
	return b.String()
}

// utcDateTime is stricter than RFC 3339, because this interface uses only UTC.
func utcDateTime(value any) error {
	s, ok := value.(string)
	if !ok {
		return nil
	}
	_, err := time.Parse(time.RFC3339, s)
	if err != nil || len(s) < len("2006-01-02T15:04:05Z") || s[10] != 'T' || !strings.HasSuffix(s, "Z") {
		return errors.New("is not a date-time in UTC (RFC 3339, with Z)")
	}
	return nil
}

func int32Number(value any) error {
	if n, ok := value.(json.Number); ok {
		if _, err := strconv.ParseInt(n.String(), 10, 32); err != nil {
			return errors.New("is not a 32-bit integer")
		}
	}
	return nil
}
