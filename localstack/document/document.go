// Package document describes the API in OpenAPI, from the operations in the code.
package document

import (
	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/identity/identityapi"
	"aviso/internal/notification/notificationapi"
	"aviso/internal/pfm/pfmapi"
)

// Partners returns the OpenAPI description of what partners call and receive.
// docs/openapi.yaml is generated from it.
func Partners() *huma.OpenAPI {
	document := routes().Document()
	document.Webhooks = webhooks(document.Components)
	return document
}

// Internal returns that of what carriers and users' browsers call.
// docs/openapi-internal.yaml is generated from it.
func Internal() *huma.OpenAPI { return routes().InternalDocument() }

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
