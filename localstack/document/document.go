// Package document describes the API in OpenAPI, from the operations in the code.
package document

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"go.yaml.in/yaml/v3"

	"aviso/internal/api"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/identity/identityapi"
	"aviso/internal/money"
	"aviso/internal/notification/notificationapi"
	"aviso/internal/pfm/pfmapi"
)

// The texts of the documents, and the introduction for partners, which explains the common parts of all operations.
var (
	//go:embed partners.yaml
	partnersText []byte
	//go:embed introduction.md
	introduction string
	//go:embed internal.yaml
	internalText []byte
)

// text is the part of a document that does not follow from the operations and their types.
type text struct {
	// Document has the header, and the components that no operation describes.
	Document huma.OpenAPI
	// Parameters are the headers that the steps before a handler read, by name.
	Parameters map[string]*huma.Param
	// Operations describe the operations of Raw, by ID.
	Operations map[string]*huma.Operation
	// Schemas are the schemas without a Go type.
	Schemas map[string]*huma.Schema
}

// Partners returns the OpenAPI description of the operations and callbacks for partners. docs/openapi.yaml is
// generated from it.
func Partners() *huma.OpenAPI {
	t := read[text](partnersText)
	t.Document.Info.Description = introduction
	metadata := t.Operations["getAuthorizationServerMetadata"].Responses["200"].Content["application/json"]
	metadata.Example = identityapi.MetadataAt("http://localhost:3000")
	words := readWords(wordFiles)
	document := t.describe(false, words)
	if unused := words.unused(); len(unused) > 0 {
		panic(fmt.Sprintf("the words are about what no operation has: %v", unused))
	}
	document.Webhooks = webhooks(document.Components)
	return document
}

// Internal returns the OpenAPI description of the operations for carriers and users' browsers.
// docs/openapi-internal.yaml is generated from it.
func Internal() *huma.OpenAPI { return read[text](internalText).describe(true, readWords(wordFiles)) }

// read parses one of this package's files.
func read[T any](file []byte) (t T) {
	if err := yaml.Unmarshal(file, &t); err != nil {
		panic("read the text of a document: " + err.Error()) // a mistake in the file
	}
	return t
}

func routes() *api.Router {
	r := api.New(api.Options{})
	identityapi.Register(r, identityapi.Services{})
	pfmapi.Register(r, pfmapi.Services{})
	cancellationapi.Register(r, cancellationapi.Services{})
	cancellationapi.RegisterSearch(r, nil)
	cancellationapi.RegisterCallbacks(r, cancellationapi.Callbacks{})
	cancellationapi.RegisterMail(r, nil)
	cancellationapi.RegisterReplies(r, nil)
	notificationapi.Register(r, notificationapi.Services{})
	return r
}

// describe returns the description of the internal operations, or of those for partners.
func (t text) describe(internal bool, words words) *huma.OpenAPI {
	config := huma.DefaultConfig("", "")
	config.OpenAPIPath, config.DocsPath, config.SchemasPath, config.CreateHooks = "", "", "", nil
	config.OpenAPI = &t.Document
	config.Components = cmp.Or(config.Components, &huma.Components{})
	schemas := huma.NewMapRegistry(schemaPrefix, schemaName)
	schemas.RegisterTypeAlias(reflect.TypeFor[money.Amount](), reflect.TypeFor[amount]())
	schemas.RegisterTypeAlias(reflect.TypeFor[json.Number](), reflect.TypeFor[amount]())
	config.Components.Schemas = schemas
	maps.Copy(schemas.Map(), t.Schemas)
	addProblemSchema(schemas)
	document := humago.New(http.NewServeMux(), config)
	for _, o := range routes().Operations() {
		switch {
		case o.Internal != internal:
		case o.Describe == nil:
			t.addRaw(document.OpenAPI(), o.Operation)
		default:
			said := words.operation(o.ID)
			o.Describe(document, t.begin(o.Operation, said))
			finish(o.Operation, said, document.OpenAPI())
		}
	}
	words.describe(document.OpenAPI())
	finishSchemas(document.OpenAPI())
	openAnswers(document.OpenAPI())
	return document.OpenAPI()
}
