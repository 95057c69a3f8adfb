package identityapi

import (
	"context"
	"net/http"

	"github.com/go-jose/go-jose/v4"

	"aviso/internal/api"
	"aviso/internal/identity"
)

// Metadata is the metadata of an authorization server (RFC 8414 §2).
type Metadata struct {
	Issuer                 string   `json:"issuer"`
	TokenEndpoint          string   `json:"token_endpoint"`
	JWKSURI                string   `json:"jwks_uri"`
	ScopesSupported        []string `json:"scopes_supported"`
	ResponseTypesSupported []string `json:"response_types_supported"`
	GrantTypesSupported    []string `json:"grant_types_supported"`
	TokenAuthMethods       []string `json:"token_endpoint_auth_methods_supported"`
	ServiceDocumentation   string   `json:"service_documentation"`
}

// cachePublic lets clients and proxies cache the two documents.
const cachePublic = "public, max-age=300"

// MetadataAt returns the metadata of the service at a public address.
func MetadataAt(base string) Metadata {
	return Metadata{
		Issuer: base, TokenEndpoint: base + "/oauth2/token", JWKSURI: base + "/.well-known/jwks.json",
		ScopesSupported:        identity.Scopes(),
		ResponseTypesSupported: []string{}, // required by the RFC; there is no authorization endpoint
		GrantTypesSupported:    []string{"client_credentials"},
		TokenAuthMethods:       []string{"client_secret_basic", "client_secret_post"},
		ServiceDocumentation:   "https://aviso.example/docs",
	}
}

func registerMetadata(r *api.Router, keys func(context.Context) ([]jose.JSONWebKey, error)) {
	r.Raw(api.Operation{
		ID: "getAuthorizationServerMetadata", Method: http.MethodGet, Path: "/.well-known/oauth-authorization-server",
	}, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Cache-Control", cachePublic)
		write(w, http.StatusOK, MetadataAt(api.BaseURL(req.Context())))
	})

	r.Raw(api.Operation{
		ID: "getKeySet", Method: http.MethodGet, Path: "/.well-known/jwks.json",
	}, func(w http.ResponseWriter, req *http.Request) {
		list, err := keys(req.Context())
		if err != nil {
			api.WriteProblem(w, req, err)
			return
		}
		w.Header().Set("Cache-Control", cachePublic)
		write(w, http.StatusOK, jose.JSONWebKeySet{Keys: list})
	})
}
