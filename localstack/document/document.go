// Package document describes the API in OpenAPI, from the operations in the code.
package document

import (
	_ "embed"

	"github.com/danielgtaylor/huma/v2"
	"go.yaml.in/yaml/v3"

	"aviso/internal/api"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/identity/identityapi"
	"aviso/internal/notification/notificationapi"
	"aviso/internal/pfm/pfmapi"
)

// The texts of the documents, and the introduction of the partners', which explains what all
// operations have in common.
var (
	//go:embed partners.yaml
	partnersText []byte
	//go:embed introduction.md
	introduction string
	//go:embed internal.yaml
	internalText []byte
)

// Partners returns the OpenAPI description of what partners call and receive.
// docs/openapi.yaml is generated from it.
func Partners() *huma.OpenAPI {
	text := read[api.Text](partnersText)
	text.Document.Info.Description = introduction
	metadata := text.Operations["getAuthorizationServerMetadata"].Responses["200"].Content["application/json"]
	metadata.Example = identityapi.MetadataAt("http://localhost:3000")
	document := routes().Document(text, false)
	document.Webhooks = webhooks(document.Components)
	return document
}

// Internal returns that of what carriers and users' browsers call.
// docs/openapi-internal.yaml is generated from it.
func Internal() *huma.OpenAPI { return routes().Document(read[api.Text](internalText), true) }

// read reads one of the files of this package.
func read[T any](text []byte) (t T) {
	if err := yaml.Unmarshal(text, &t); err != nil {
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
	notificationapi.Register(r, notificationapi.Services{})
	return r
}
