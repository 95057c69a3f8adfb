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

func (b *builder) build(doc map[string]any) *Contract {
	c := &Contract{problem: b.compile("components", "schemas", "Problem"), callbacks: map[string]callback{}}
	paths, _ := doc["paths"].(map[string]any)
	if len(paths) == 0 {
		b.fault("paths", "missing or empty")
	}
	for path, spec := range paths {
		item := pathItem{path: path, segments: strings.Split(path, "/"), operations: map[string]operation{}}
		methods, _ := spec.(map[string]any)
		for method, spec := range methods {
			item.operations[strings.ToUpper(method)] = b.operation(spec, "paths", path, method)
		}
		c.paths = append(c.paths, item)
	}
	webhooks, _ := doc["webhooks"].(map[string]any)
	for name := range webhooks {
		c.callbacks[name] = b.callback("webhooks", name, "post")
	}
	return c
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

func (b *builder) operation(spec any, steps ...string) operation {
	op := operation{responses: map[int]response{}}
	node, _ := spec.(map[string]any)
	responses, _ := node["responses"].(map[string]any)
	if len(responses) == 0 {
		b.fault(pointer(steps...), "no responses")
	}
	for key, spec := range responses {
		status, err := strconv.Atoi(key)
		if err != nil {
			b.fault(pointer(steps...), "response "+key+" is not a single status")
			continue
		}
		op.responses[status] = b.response(spec, append(slices.Clip(steps), "responses", key)...)
	}
	return op
}

func (b *builder) response(spec any, steps ...string) response {
	r := response{content: map[string]media{}, headers: map[string]header{}}
	below := func(more ...string) []string { return append(append(slices.Clip(steps), more...), "schema") }
	node, _ := spec.(map[string]any)
	content, _ := node["content"].(map[string]any)
	for name, spec := range content {
		m, _ := spec.(map[string]any)
		schema, _ := m["schema"].(map[string]any)
		r.content[name] = media{
			schema: b.compile(below("content", name)...), binary: schema["format"] == "binary", codes: codes(m),
		}
	}
	headers, _ := node["headers"].(map[string]any)
	for name := range headers {
		r.headers[name], _ = b.header(append(slices.Clip(steps), "headers", name)...)
	}
	return r
}

// codes returns the problem codes in the examples of a media type.
func codes(media map[string]any) map[string]bool {
	var found map[string]bool
	examples, _ := media["examples"].(map[string]any)
	for _, e := range examples {
		example, _ := e.(map[string]any)
		value, _ := example["value"].(map[string]any)
		if code, ok := value["code"].(string); ok {
			if found == nil {
				found = map[string]bool{}
			}
			found[code] = true
		}
	}
	return found
}
