package api

import (
	"cmp"
	"maps"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

var problemType = reflect.TypeFor[Problem]()

// servingConfig configures how requests are read and responses are written. Huma's
// own pages and schema links are off: the document is a file, not a route.
func servingConfig() huma.Config {
	c := huma.DefaultConfig("Aviso", "1.0.0")
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.CreateHooks = nil
	return c
}

// Text is what a document says besides what follows from the operations and their types.
type Text struct {
	// Document has the header, and the components that no operation describes.
	Document huma.OpenAPI
	// Parameters are the headers that the steps before a handler read, by their names.
	Parameters map[string]*huma.Param
	// Operations describe those of Raw, by their IDs.
	Operations map[string]*huma.Operation
	// Schemas are those that no Go type has.
	Schemas map[string]*huma.Schema
}

// Document returns the OpenAPI description of the registered operations that partners call, or of
// the internal ones.
func (r *Router) Document(text Text, internal bool) *huma.OpenAPI {
	config := servingConfig()
	config.OpenAPI = &text.Document
	config.Components = cmp.Or(config.Components, &huma.Components{})
	schemas := huma.NewMapRegistry(schemaPrefix, schemaName)
	config.Components.Schemas = schemas
	maps.Copy(schemas.Map(), text.Schemas)
	schemas.Schema(problemType, true, "Problem") // what Raw operations refer to
	document := humago.New(http.NewServeMux(), config)
	for _, o := range r.operations {
		if o.Internal == internal {
			o.describe(document, text)
		}
	}
	finishSchemas(document.OpenAPI())
	openAnswers(document.OpenAPI())
	return document.OpenAPI()
}
