package api

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// finishSchemas adds to a document's schemas what Huma does not read from the types, and
// takes out what only the server uses.
func finishSchemas(document *huma.OpenAPI) {
	schemas := document.Components.Schemas
	for name, s := range schemas.Map() {
		// The doc tag of a blank field describes the type.
		if t := schemas.TypeFromRef(schemaPrefix + name); t != nil && t.Kind() == reflect.Struct {
			if blank, ok := t.FieldByName("_"); ok {
				s.Description = blank.Tag.Get("doc")
			}
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

// operations returns the operations of a document.
func operations(document *huma.OpenAPI) (all []*huma.Operation) {
	for _, path := range document.Paths {
		for _, op := range []*huma.Operation{path.Get, path.Post, path.Put, path.Patch, path.Delete} {
			if op != nil {
				all = append(all, op)
			}
		}
	}
	return all
}

// textOf returns a schema's description. Without one of its own, it is that of the schema
// to which it refers, or of the only thing that it holds, as the data of a response do.
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

// tidy changes what Huma says about a schema.
func tidy(s *huma.Schema) {
	s.PatternDescription = "" // for the message of a 422; no standard keyword
	if s.Format == "int64" {
		s.Format = "int32" // Go's int; these are counts, days and IDs of categories
	}
	if s.Format == "uuid" {
		s.MinLength, s.MaxLength = nil, nil // the format says it; the server takes other forms without them
	}
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
		tidy(values)
	}
}
