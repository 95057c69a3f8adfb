package app

import (
	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/identity/identityapi"
	"aviso/internal/notification/notificationapi"
	"aviso/internal/pfm/pfmapi"
)

// Document returns the OpenAPI description of all partner-facing operations.
// docs/openapi.yaml is generated from it.
func Document() *huma.OpenAPI {
	r := api.New(api.Options{})
	identityapi.Register(r, identityapi.Services{})
	pfmapi.Register(r, pfmapi.Services{})
	cancellationapi.Register(r, cancellationapi.Services{})
	cancellationapi.RegisterSearch(r, nil)
	cancellationapi.RegisterCallbacks(r, nil)
	notificationapi.Register(r, notificationapi.Services{})
	return r.Document()
}
