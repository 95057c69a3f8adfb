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
	c := &Contract{problem: b.compile("components", "schemas", "Problem")}
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
	return c
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
	r := response{content: map[string]media{}, headers: map[string]*jsonschema.Schema{}}
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
		r.headers[name] = b.compile(below("headers", name)...)
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
