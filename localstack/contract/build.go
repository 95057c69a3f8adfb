package contract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
