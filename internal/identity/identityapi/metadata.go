package identityapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-jose/go-jose/v4"

	"aviso/internal/api"
	"aviso/internal/identity"
)

// authorizationServerMetadata is the metadata of RFC 8414 §2.
type authorizationServerMetadata struct {
	_ struct{} `doc:"Metadata of the authorization server (RFC 8414), for OAuth libraries."`

	Issuer                 string   `json:"issuer" format:"uri" doc:"The issuer of access tokens, which is their iss."`
	TokenEndpoint          string   `json:"token_endpoint" format:"uri" doc:"Where to get access tokens."`
	JWKSURI                string   `json:"jwks_uri" format:"uri" doc:"The keys that sign access tokens."`
	ScopesSupported        []string `json:"scopes_supported" nullable:"false" doc:"All scopes. Your client may have fewer."`
	ResponseTypesSupported []string `json:"response_types_supported" nullable:"false" doc:"Empty: there is no authorization endpoint."`
	GrantTypesSupported    []string `json:"grant_types_supported" nullable:"false" doc:"Only client_credentials."`
	TokenAuthMethods       []string `json:"token_endpoint_auth_methods_supported" nullable:"false" doc:"How a client can authenticate."`
	ServiceDocumentation   string   `json:"service_documentation" format:"uri" doc:"The documentation."`
}

// cachePublic lets clients and proxies cache the two documents.
const cachePublic = "public, max-age=300"

func registerMetadata(r *api.Router, keys func(context.Context) ([]jose.JSONWebKey, error)) {
	metadata := func(base string) authorizationServerMetadata {
		return authorizationServerMetadata{
			Issuer: base, TokenEndpoint: base + "/oauth2/token", JWKSURI: base + "/.well-known/jwks.json",
			ScopesSupported:        identity.Scopes(),
			ResponseTypesSupported: []string{}, // required by the RFC; there is no authorization endpoint
			GrantTypesSupported:    []string{"client_credentials"},
			TokenAuthMethods:       []string{"client_secret_basic", "client_secret_post"},
			ServiceDocumentation:   "https://aviso.example/docs",
		}
	}
	r.Raw(api.Operation{
		ID: "getAuthorizationServerMetadata", Method: http.MethodGet,
		Path: "/.well-known/oauth-authorization-server", Tag: "Authentication",
		Summary:     "Get the authorization server's metadata",
		Description: "For OAuth libraries (RFC 8414): where the token endpoint and the keys are.",
	}, jsonDocument(metadataSchema, metadata("http://localhost:3000")), func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Cache-Control", cachePublic)
		write(w, http.StatusOK, metadata(api.BaseURL(req.Context())))
	})

	example := map[string]any{"keys": []any{map[string]any{
		"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": "y2-mXfYc0aJw1d0k",
	}}}
	r.Raw(api.Operation{
		ID: "getKeySet", Method: http.MethodGet, Path: "/.well-known/jwks.json", Tag: "Authentication",
		Summary:     "Get the keys that sign access tokens",
		Description: "A JSON Web Key Set (RFC 7517). Two keys may be valid at the same time.",
	}, jsonDocument(keySetSchema, example), func(w http.ResponseWriter, req *http.Request) {
		list, err := keys(req.Context())
		if err != nil {
			api.WriteProblem(w, req, err)
			return
		}
		w.Header().Set("Cache-Control", cachePublic)
		write(w, http.StatusOK, jose.JSONWebKeySet{Keys: list})
	})
}

func metadataSchema(schemas huma.Registry) *huma.Schema {
	return schemas.Schema(reflect.TypeFor[authorizationServerMetadata](), true, "")
}

func keySetSchema(schemas huma.Registry) *huma.Schema {
	key := &huma.Schema{Type: huma.TypeObject, Description: "A public key (RFC 7517).", AdditionalProperties: true}
	return api.Named(schemas, "KeySet", &huma.Schema{
		Type: huma.TypeObject, Description: "A JSON Web Key Set (RFC 7517).", Required: []string{"keys"},
		Properties: map[string]*huma.Schema{"keys": {
			Type: huma.TypeArray, Items: key, Description: "The public keys. Find a token's key by its kid.",
		}},
	})
}

func jsonDocument(schema func(huma.Registry) *huma.Schema, example any) api.Description {
	return func(schemas huma.Registry) huma.Operation {
		content := map[string]*huma.MediaType{"application/json": {Schema: schema(schemas), Example: example}}
		return huma.Operation{Responses: map[string]*huma.Response{
			"200": {Description: "OK", Content: content},
			"500": api.ProblemResponse("Internal error."),
			"503": api.ProblemResponse("Temporarily unavailable."),
		}}
	}
}
