package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// builder turns the document's tree into checks, and collects faults.
type builder struct {
	compiler *jsonschema.Compiler
	doc      map[string]any
	faults   []error
}

// compile compiles the schema at the end of steps.
func (b *builder) compile(steps ...string) *jsonschema.Schema {
	s, err := b.compiler.Compile(pointer(steps...))
	if err != nil {
		b.faults = append(b.faults, err)
	}
	return s
}

func (b *builder) fault(where, text string) {
	b.faults = append(b.faults, fmt.Errorf("%s: %s", where, text))
}

// build adds what the document says to c.
func (b *builder) build(c *Contract) {
	c.problem = b.compile("components", "schemas", "Problem")
	paths := at(b.doc, []string{"paths"})
	if len(paths) == 0 {
		b.fault("paths", "missing or empty")
	}
	for path := range paths {
		c.paths.Handle(path, operation{})
		for method := range at(paths, []string{path}) {
			c.operations.Handle(strings.ToUpper(method)+" "+path, b.operation("paths", path, method))
		}
	}
	for name := range at(b.doc, []string{"webhooks"}) {
		c.callbacks[name] = b.callback("webhooks", name, "post")
	}
}

func (b *builder) callback(steps ...string) callback {
	c := callback{
		headers: map[string]header{},
		body:    b.compile(append(slices.Clip(steps), "requestBody", "content", "application/json", "schema")...),
	}
	parameters, _ := at(b.doc, steps)["parameters"].([]any)
	for i := range parameters {
		h, described := b.header(append(slices.Clip(steps), "parameters", strconv.Itoa(i))...)
		name, _ := described["name"].(string)
		c.headers[name] = h
	}
	return c
}

// header follows a reference to a component, and also returns what it is described by.
func (b *builder) header(steps ...string) (header, map[string]any) {
	node := at(b.doc, steps)
	if ref, ok := node["$ref"].(string); ok {
		steps = strings.Split(strings.TrimPrefix(ref, "#/"), "/")
		node = at(b.doc, steps)
	}
	required, _ := node["required"].(bool)
	return header{schema: b.compile(append(slices.Clip(steps), "schema")...), required: required}, node
}

// at returns the object at the end of steps, or nil.
func at(node any, steps []string) map[string]any {
	for _, step := range steps {
		switch n := node.(type) {
		case map[string]any:
			node = n[step]
		case []any:
			i, _ := strconv.Atoi(step)
			node = n[i]
		}
	}
	found, _ := node.(map[string]any)
	return found
}

func (b *builder) operation(steps ...string) operation {
	op := operation{}
	responses := at(b.doc, append(slices.Clip(steps), "responses"))
	if len(responses) == 0 {
		b.fault(pointer(steps...), "no responses")
	}
	for key := range responses {
		status, err := strconv.Atoi(key)
		if err != nil {
			b.fault(pointer(steps...), "response "+key+" is not a single status")
			continue
		}
		op[status] = b.response(append(slices.Clip(steps), "responses", key)...)
	}
	return op
}

func (b *builder) response(steps ...string) response {
	r := response{content: map[string]media{}, headers: map[string]header{}}
	for name := range at(b.doc, append(slices.Clip(steps), "content")) {
		below := append(slices.Clip(steps), "content", name)
		schema := append(slices.Clip(below), "schema")
		r.content[name] = media{
			schema: b.compile(schema...), binary: at(b.doc, schema)["format"] == "binary", codes: codes(at(b.doc, below)),
		}
	}
	for name := range at(b.doc, append(slices.Clip(steps), "headers")) {
		r.headers[name], _ = b.header(append(slices.Clip(steps), "headers", name)...)
	}
	return r
}

// codes returns the problem codes in the examples of a media type, or nil if it has none.
func codes(media map[string]any) map[string]bool {
	examples, _ := media["examples"].(map[string]any)
	if len(examples) == 0 {
		return nil
	}
	found := map[string]bool{}
	for name := range examples {
		code, _ := at(examples, []string{name, "value"})["code"].(string)
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
