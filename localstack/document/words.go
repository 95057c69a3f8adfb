package document

import (
	"cmp"
	"embed"
	"encoding/json"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"go.yaml.in/yaml/v3"
)

// The files of words describe the declarations in the code: one file for each area, and one for what they share.
//
//go:embed words/*.yaml
var wordFiles embed.FS

// words are descriptions and examples of declarations in the code.
type words struct {
	Operations map[string]operationWords
	// Schemas are by name. The bodies of responses share Envelope.
	Schemas map[string]schemaWords
	// Parameters has parameters and response headers by name, or by operation and name for a special meaning:
	// listTransactionChanges.limit.
	Parameters map[string]wording

	// seen has the names in the documents: schemas, their properties, operations and parameters.
	seen map[string]bool
}

// operationWords are the words for an operation. Request is an example of its body, Answer of the response's data.
type operationWords struct {
	Summary, Description string
	Request, Answer      example
}

type schemaWords struct {
	Description string
	Properties  map[string]wording
}

// wording is the words for one declaration: a description, perhaps with an example.
type wording struct {
	Description string
	Example     example
}

// UnmarshalYAML implements yaml.Unmarshaler: a wording without an example is just its description.
func (w *wording) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		return node.Decode(&w.Description)
	}
	type plain wording
	return node.Decode((*plain)(w))
}

// example is a value in JSON. The order of its members and the digits of its amounts are those in the file.
type example json.RawMessage

// UnmarshalYAML implements yaml.Unmarshaler.
func (e *example) UnmarshalYAML(node *yaml.Node) error {
	var value any
	*e = appendJSON(nil, node)
	return json.Unmarshal(*e, &value)
}

// MarshalJSON implements json.Marshaler.
func (e example) MarshalJSON() ([]byte, error) { return e, nil }

func appendJSON(to []byte, node *yaml.Node) []byte {
	switch {
	case node.Kind == yaml.AliasNode:
		return appendJSON(to, node.Alias)
	case node.Kind == yaml.ScalarNode && node.Tag != "!!str":
		return append(to, node.Value...)
	case node.Kind == yaml.ScalarNode:
		text, _ := json.Marshal(node.Value) // a string: cannot fail
		return append(to, text...)
	}
	begin, between, end := "[", ",,", "]"
	if node.Kind == yaml.MappingNode {
		begin, between, end = "{", ",:", "}"
	}
	to = append(to, begin...)
	for i, child := range node.Content {
		if i > 0 {
			to = append(to, between[i%2])
		}
		to = appendJSON(to, child)
	}
	return append(to, end...)
}

// readWords reads the files of words. No two of them may describe the same declaration.
func readWords(files fs.FS) words {
	all := words{map[string]operationWords{}, map[string]schemaWords{}, map[string]wording{}, map[string]bool{}}
	names, _ := fs.Glob(files, "words/*.yaml")
	for _, name := range names {
		file, _ := fs.ReadFile(files, name) // the files are embedded
		one := read[words](file)
		add(all.Operations, one.Operations)
		add(all.Schemas, one.Schemas)
		add(all.Parameters, one.Parameters)
	}
	return all
}

// add adds the words of one file to the words of all.
func add[T any](all map[string]T, one map[string]T) {
	for name, said := range one {
		if _, twice := all[name]; twice {
			panic("two files of words are about " + name)
		}
		all[name] = said
	}
}

// operation returns the words for an operation.
func (w words) operation(id string) operationWords {
	w.seen["operation "+id] = true
	return w.Operations[id]
}

// describe adds the words to a document.
func (w words) describe(document *huma.OpenAPI) {
	schemas := document.Components.Schemas
	for name, s := range schemas.Map() {
		t := schemas.TypeFromRef(schemaPrefix + name)
		about := aboutType(t, name)
		w.seen["schema "+about] = true
		if text := w.Schemas[about].Description; text != "" {
			s.Description = text
		}
		for property, p := range s.Properties {
			about := cmp.Or(embeddedIn(t, property), about)
			w.seen["property "+about+"."+property] = true
			w.Schemas[about].Properties[property].describe(p)
		}
	}
	for _, op := range operations(document) {
		for _, p := range op.Parameters {
			if p.Description == "" {
				w.parameter(op.OperationID, p.Name).describe(p.Schema)
				p.Description = p.Schema.Description
			}
		}
		for _, response := range op.Responses {
			for name, h := range response.Headers {
				if h.Ref == "" && h.Description == "" {
					w.parameter(op.OperationID, name).describe(h.Schema)
				}
			}
		}
	}
}

// describe adds the words for a property or a parameter to its schema.
func (w wording) describe(s *huma.Schema) {
	if w.Description != "" {
		s.Description = w.Description
	}
	if w.Example != nil {
		var value any
		_ = json.Unmarshal(w.Example, &value) // was read as JSON
		s.Examples = []any{value}
	}
}

// parameter returns the words for a parameter or header of an operation.
func (w words) parameter(operation, name string) wording {
	if _, ok := w.Parameters[operation+"."+name]; ok {
		name = operation + "." + name
	}
	w.seen["parameter "+name] = true
	return w.Parameters[name]
}

// unused returns the names with words that are in no document.
func (w words) unused() (names []string) {
	add := func(kind, name string) {
		if !w.seen[kind+" "+name] {
			names = append(names, kind+" "+name)
		}
	}
	for name := range w.Operations {
		add("operation", name)
	}
	for name, s := range w.Schemas {
		if s.Description != "" {
			add("schema", name)
		}
		for property := range s.Properties {
			add("property", name+"."+property)
		}
	}
	for name := range w.Parameters {
		add("parameter", name)
	}
	return slices.Sorted(slices.Values(names))
}

// aboutType returns the name under which the words describe the schema of a type.
func aboutType(t reflect.Type, name string) string {
	if t != nil && strings.HasPrefix(t.Name(), "Envelope[") {
		return "Envelope"
	}
	return name
}

// embeddedIn returns the name of the type that a struct embeds for a property, or "".
func embeddedIn(t reflect.Type, property string) string {
	if t == nil || t.Kind() != reflect.Struct {
		return ""
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == property && len(f.Index) > 1 {
			return schemaName(t.FieldByIndex(f.Index[:len(f.Index)-1]).Type, "")
		}
	}
	return ""
}
