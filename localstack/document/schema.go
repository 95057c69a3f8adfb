package document

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// schemaPrefix is the address of the named schemas in the document.
const schemaPrefix = "#/components/schemas/"

// schemaName returns the schema name of a Go type. Partners' generators make classes of these names: Account for
// wireAccount, AccountList for the data of listAccounts, AccountListResponse for its body, and CreateUserRequest for
// the body of createUserInput.
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

// listed returns the element type of a response's data, or nil unless t has exactly one list of objects. t may have
// other members too.
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

// named adds a schema without a Go type to the document, and returns a reference to it.
func named(schemas huma.Registry, name string, s *huma.Schema) *huma.Schema {
	schemas.Map()[name] = s
	return &huma.Schema{Ref: schemaPrefix + name}
}

// amount represents the types of exact amounts.
type amount struct{}

// Schema implements huma.SchemaProvider.
func (amount) Schema(schemas huma.Registry) *huma.Schema {
	return named(schemas, "Amount", &huma.Schema{Type: huma.TypeNumber})
}

// finishSchemas adds what Huma does not read from the types, and removes what only the server uses.
func finishSchemas(document *huma.OpenAPI) {
	schemas := document.Components.Schemas
	for name, s := range schemas.Map() {
		if t := schemas.TypeFromRef(schemaPrefix + name); t != nil && t.Kind() == reflect.Struct {
			nullPointers(t, s)
		}
	}
	for _, s := range schemas.Map() {
		s.Description = textOf(schemas, s)
		for _, property := range s.Properties {
			property.Description = textOf(schemas, property)
		}
		visit(nil, s, tidy)
	}
	for _, op := range operations(document) {
		for _, p := range op.Parameters {
			visit(nil, p.Schema, tidy)
		}
	}
}

// nullPointers documents that required members with a pointer to an object may be null.
func nullPointers(t reflect.Type, s *huma.Schema) {
	for _, f := range reflect.VisibleFields(t) {
		member := s.Properties[f.Tag.Get("json")] // without omitempty
		if member != nil && member.Ref != "" && f.Type.Kind() == reflect.Pointer {
			orNull(member)
		}
	}
}

// orNull documents that a member may be null. It is for schemas whose type generators cannot read.
func orNull(member *huma.Schema) {
	choice := *member
	choice.Description = ""
	*member = huma.Schema{Description: member.Description, OneOf: []*huma.Schema{&choice, {Type: "null"}}}
}

// textOf returns a schema's description. A schema without one has the description of its target, or of its only
// property, like the data of a response.
func textOf(schemas huma.Registry, s *huma.Schema) string {
	switch {
	case s.Description != "":
		return s.Description
	case s.Ref != "":
		return textOf(schemas, schemas.SchemaFromRef(s.Ref))
	}
	if len(s.Properties) == 1 {
		for _, property := range s.Properties {
			return textOf(schemas, property)
		}
	}
	return ""
}

// tidy corrects Huma's description of a schema.
func tidy(s *huma.Schema) {
	s.PatternDescription = "" // only for the message of a 422; not a standard keyword
	if s.Format == "int64" {
		s.Format = "int32" // Go's int; these are counts, days and IDs of categories
	}
	if s.Format == "uuid" {
		s.MinLength, s.MaxLength = nil, nil // the format implies it; the server also accepts other forms
	}
	// Without a format, generators for Java, Kotlin and C# use their exact decimal types; with a format, they do not.
	// oapi-codegen reads x-go-type, because its default has only seven digits.
	if s.Type == huma.TypeNumber {
		s.Examples, s.Extensions = []any{json.Number("-23.90")}, map[string]any{"x-go-type": "json.Number"}
	}
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
		tidy(values)
	}
}

// openAnswers documents that responses may get new members and new enum values. Request schemas stay closed, because
// the service rejects unknown members and values.
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
			visit(nil, s, openSchema)
		}
	}
}

// visit calls see for a schema and for the schemas inside it. It follows references if schemas is not nil.
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

// openSchema allows members and values that a later version of the service may add. Many generators turn an enum into
// a class that fails on a new value. An open enum is therefore a string with known values: x-extensible-enum lists
// them for programs, and the description for people.
func openSchema(s *huma.Schema) {
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
