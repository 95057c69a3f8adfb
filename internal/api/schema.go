package api

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// schemaPrefix is the address of the named schemas in the document.
const schemaPrefix = "#/components/schemas/"

// schemaName names the schema of a Go type for partners, whose generators make classes of
// it: Account of wireAccount, AccountList of the data of listAccounts, AccountListResponse
// of its body, and CreateUserRequest of the body of createUserInput.
func schemaName(t reflect.Type, hint string) string {
	if t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Envelope[") {
		data, _ := t.FieldByName("Data")
		return strings.TrimSuffix(schemaName(data.Type, ""), "Data") + "Response"
	}
	if element := listed(t); element != nil {
		return schemaName(element, "") + "List"
	}
	name := huma.DefaultSchemaNamer(t, hint)
	if operation, isBody := strings.CutSuffix(name, "InputBody"); isBody {
		return operation + "Request"
	}
	return strings.TrimPrefix(name, "Wire")
}

// listed returns the type of the elements of a response's data. It returns nil unless t
// has one list of objects, perhaps with other members.
func listed(t reflect.Type) reflect.Type {
	if t.Kind() != reflect.Struct || !strings.HasSuffix(t.Name(), "Data") {
		return nil
	}
	var found []reflect.Type
	for member := range t.Fields() {
		if list := member.Type; list.Kind() == reflect.Slice && list.Elem().Kind() == reflect.Struct {
			found = append(found, list.Elem())
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// Named adds a schema that no Go type has to the document, and returns a reference to it.
func Named(schemas huma.Registry, name string, s *huma.Schema) *huma.Schema {
	schemas.Map()[name] = s
	return &huma.Schema{Ref: schemaPrefix + name}
}

// openAnswers says in the document that responses may get more members and more values of
// enums. Schemas of requests stay closed, because the service refuses what it does not know.
func openAnswers(document *huma.OpenAPI) {
	schemas := document.Components.Schemas
	closed := map[*huma.Schema]bool{}
	for _, o := range operations(document) {
		if o.RequestBody == nil {
			continue
		}
		for _, media := range o.RequestBody.Content {
			visit(schemas, media.Schema, func(s *huma.Schema) { closed[s] = true })
		}
	}
	for _, s := range schemas.Map() {
		if !closed[s] {
			visit(nil, s, OpenSchema)
		}
	}
}

// visit calls see for a schema and the schemas in it. It follows references if schemas is
// not nil.
func visit(schemas huma.Registry, s *huma.Schema, see func(*huma.Schema)) {
	switch {
	case s == nil:
		return
	case s.Ref != "":
		if schemas != nil {
			visit(schemas, schemas.SchemaFromRef(s.Ref), see)
		}
		return
	}
	see(s)
	visit(schemas, s.Items, see)
	for _, choice := range slices.Concat(s.OneOf, s.AnyOf, s.AllOf) {
		visit(schemas, choice, see)
	}
	for _, member := range s.Properties {
		visit(schemas, member, see)
	}
}

// OpenSchema allows what a later version of the service may add. Many generators make
// classes of an enum that fail on a new value, so an open one is a text with a list of
// known values, which x-extensible-enum has for programs and the description for people.
func OpenSchema(s *huma.Schema) {
	if s.AdditionalProperties == false {
		s.AdditionalProperties = nil
	}
	if len(s.Enum) == 0 {
		return
	}
	var values []string
	for _, value := range s.Enum {
		if value != "" { // the description says when it is empty
			values = append(values, fmt.Sprintf("`%v`", value))
		}
	}
	s.Description = strings.TrimSpace(s.Description + " Known values: " + strings.Join(values, ", ") +
		". More may be added: do not fail on an unknown one.")
	s.Extensions, s.Enum = map[string]any{"x-extensible-enum": s.Enum}, nil
}
