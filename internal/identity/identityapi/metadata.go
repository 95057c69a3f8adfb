package identityapi

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-jose/go-jose/v4"

	"aviso/internal/api"
	"aviso/internal/identity"
)

// serverMetadata is RFC 8414 §2.
type serverMetadata struct {
	Issuer                 string   `json:"issuer"`
	TokenEndpoint          string   `json:"token_endpoint"`
	JWKSURI                string   `json:"jwks_uri"`
	ScopesSupported        []string `json:"scopes_supported"`
	ResponseTypesSupported []string `json:"response_types_supported"`
	GrantTypesSupported    []string `json:"grant_types_supported"`
	TokenAuthMethods       []string `json:"token_endpoint_auth_methods_supported"`
	ServiceDocumentation   string   `json:"service_documentation"`
}

// public lets clients and proxies keep the two documents for a while.
const public = "public, max-age=300"

func registerMetadata(r *api.Router, keys func(context.Context) ([]jose.JSONWebKey, error)) {
	r.Raw(api.Operation{
		ID: "getAuthorizationServerMetadata", Method: http.MethodGet, Path: "/.well-known/oauth-authorization-server", Tag: "Authentication",
		Summary: "Read the authorization server's metadata", Description: "RFC 8414.",
	}, jsonDocument(map[string]any{"issuer": "http://localhost:3000", "token_endpoint": "http://localhost:3000/oauth2/token", "jwks_uri": "http://localhost:3000/.well-known/jwks.json"},
		"issuer", "token_endpoint", "jwks_uri"),
		func(w http.ResponseWriter, req *http.Request) {
			base := api.BaseURL(req.Context())
			w.Header().Set("Cache-Control", public)
			write(w, http.StatusOK, serverMetadata{
				Issuer: base, TokenEndpoint: base + "/oauth2/token", JWKSURI: base + "/.well-known/jwks.json",
				ScopesSupported:        identity.Scopes(),
				ResponseTypesSupported: []string{}, // required by the RFC; there is no authorization endpoint
				GrantTypesSupported:    []string{"client_credentials"},
				TokenAuthMethods:       []string{"client_secret_basic", "client_secret_post"},
				ServiceDocumentation:   "https://aviso.example/docs",
			})
		})

	r.Raw(api.Operation{
		ID: "getKeySet", Method: http.MethodGet, Path: "/.well-known/jwks.json", Tag: "Authentication",
		Summary: "Read the keys that sign access tokens", Description: "A JSON Web Key Set (RFC 7517). Two keys may be valid at once.",
	}, jsonDocument(map[string]any{"keys": []any{}}, "keys"),
		func(w http.ResponseWriter, req *http.Request) {
			list, err := keys(req.Context())
			if err != nil {
				api.WriteProblem(w, req, err)
				return
			}
			w.Header().Set("Cache-Control", public)
			write(w, http.StatusOK, jose.JSONWebKeySet{Keys: list})
		})
}

func jsonDocument(example map[string]any, required ...string) huma.Operation {
	properties := map[string]*huma.Schema{}
	for _, name := range required {
		properties[name] = &huma.Schema{Type: huma.TypeString, Format: "uri"}
	}
	if _, ok := properties["keys"]; ok {
		properties["keys"] = &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeObject}}
	}
	return huma.Operation{Responses: map[string]*huma.Response{
		"200": {Description: "OK", Content: map[string]*huma.MediaType{"application/json": {
			Schema:  &huma.Schema{Type: huma.TypeObject, Required: required, Properties: properties},
			Example: example,
		}}},
		"500": api.ProblemResponse("Internal error."),
		"503": api.ProblemResponse("Temporarily unavailable."),
	}}
}
