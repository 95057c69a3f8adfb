package document

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// use is a part of a document that may also be a component. set puts a reference in its place.
type use[T any] struct {
	name string
	part *T
	set  func(reference *T)
}

// Share moves the problems, and the responses with problems, that operations have in common to the document's
// components, and returns the document. Parameters stay: generators make a type of each that is a component.
func Share(document *huma.OpenAPI) *huma.OpenAPI {
	var examples []use[huma.Example]
	var responses []use[huma.Response]
	for _, op := range operations(document) {
		for status, r := range op.Responses {
			problem := r.Content[problemMedia]
			if problem == nil || problem.Examples == nil {
				continue
			}
			for code, e := range problem.Examples {
				set := func(to *huma.Example) { problem.Examples[code] = to }
				examples = append(examples, use[huma.Example]{code, e, set})
			}
			if op.Deprecated { // its responses have more headers
				continue
			}
			name := pascalCase(strings.Join(slices.Sorted(maps.Keys(problem.Examples)), "_or_"))
			set := func(to *huma.Response) { op.Responses[status] = to }
			responses = append(responses, use[huma.Response]{name, r, set})
		}
	}
	c := document.Components
	c.Examples = map[string]*huma.Example{}
	move(examples, c.Examples, func(name string) *huma.Example {
		return &huma.Example{Ref: "#/components/examples/" + name}
	})
	move(responses, c.Responses, func(name string) *huma.Response {
		return &huma.Response{Ref: "#/components/responses/" + name}
	})
	return document
}

// move makes components of the parts that are used more than twice. Parts with the same name must be equal.
func move[T any](uses []use[T], components map[string]*T, refer func(name string) *T) {
	count := map[string]int{}
	for _, u := range uses {
		count[u.name]++
	}
	for _, u := range uses {
		same := components[u.name]
		switch {
		case count[u.name] < 3:
		case same != nil && !reflect.DeepEqual(same, u.part):
			panic("different parts of a document are called " + u.name)
		default:
			components[u.name] = u.part
			u.set(refer(u.name))
		}
	}
}
