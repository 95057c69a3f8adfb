package api

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

var problemType = reflect.TypeFor[Problem]()

// servingConfig configures how requests are read and responses are written. Huma's
// own pages and schema links are off: the document is a file, not a route.
func servingConfig() huma.Config {
	c := huma.DefaultConfig("Aviso", "1.0.0")
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.CreateHooks = nil
	c.Formats = formats()
	return c
}

// documentConfig also has the header of docs/openapi.yaml.
func documentConfig() huma.Config {
	c := servingConfig()
	c.Components.Schemas = huma.NewMapRegistry(schemaPrefix, schemaName)
	c.Info.Description = "Open banking (PFM), contract cancellation and webhook notification for partners."
	c.Info.Contact = &huma.Contact{Name: "Aviso partner support", URL: "https://aviso.example/support"}
	c.Info.License = &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"}
	c.Servers = []*huma.Server{{URL: "http://localhost:3000", Description: "The local stack (make run)"}}
	c.Tags = []*huma.Tag{
		{Name: "Authentication", Description: "Access tokens with OAuth 2.0 client credentials."},
		{Name: "Users", Description: "Partner Users: the people a partner acts for."},
		{Name: "Terms", Description: "Terms and conditions, and whether a user has accepted them."},
		{Name: "Providers", Description: "Banks."},
		{Name: "Clients", Description: "Deprecated; no flow needs it."},
		{Name: "Connections", Description: "Users' connections to their banks."},
		{Name: "Accounts", Description: "Accounts of connected banks."},
		{Name: "Transactions", Description: "Transactions of connected accounts."},
		{Name: "Insights", Description: "Transaction totals by category and by merchant."},
		{Name: "Catalogue", Description: "Organizations, and the contracts that can be cancelled with them."},
		{Name: "Search", Description: "Find organizations and products by the words in their names."},
		{Name: "Cancellations", Description: "Users' requests to end a contract, and the letters that cancel it."},
		{Name: "Webhooks", Description: "Event subscriptions, their secrets, and delivery attempts."},
		{Name: "Sandbox", Description: "Test data of your own. Not in production."},
		{Name: "Carriers", Description: "Callbacks for letter carriers. Not for partners."},
		{Name: "User pages", Description: "Pages that the user's browser opens on the way to the bank and back."},
	}
	c.Security = []map[string][]string{{"oauth2": {}}}
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"oauth2": {
			Type:        "oauth2",
			Description: "Client credentials (RFC 6749 §4.4). Send the token as `Authorization: Bearer <token>`.",
			Flows: &huma.OAuthFlows{ClientCredentials: &huma.OAuthFlow{
				TokenURL: "http://localhost:3000/oauth2/token",
				Scopes: map[string]string{
					string(Identity):     "Users and their acceptance of terms",
					string(PFM):          "Banks, connections, accounts, transactions, insights",
					string(Cancellation): "Catalogue and cancellations",
					string(Webhook):      "Subscriptions to notifications",
				},
			}},
		},
		"client": {
			Type: "http", Scheme: "basic", Description: "client_id and client_secret, for the token endpoint only.",
		},
	}
	return c
}

// successHeaders returns the headers of a successful response.
func successHeaders(op Operation) map[string]*huma.Param {
	text := func(description, example string) *huma.Param {
		return &huma.Param{Description: description, Schema: &huma.Schema{Type: huma.TypeString}, Example: example}
	}
	h := map[string]*huma.Param{
		headerRequestID: text("The request ID: yours, or a generated one.", "4b6cf0a1-6f7b-4f51-a8c5-3b7c5d0f2e11"),
	}
	if op.Scope != Public {
		h["RateLimit-Policy"] = text("Quota and window in seconds.", `"partner";q=3000;w=60`)
		h["RateLimit"] = text(
			"Remaining requests, and the seconds until the full quota is available again.", `"partner";r=2999;t=1`)
	}
	if op.Creates {
		h[headerReplayed] = text("`true` if this repeats the first response.", "true")
	}
	return h
}

// ProblemResponse describes an error of a Raw operation.
func ProblemResponse(description string) *huma.Response {
	return &huma.Response{Description: description, Content: map[string]*huma.MediaType{
		"application/problem+json": {Schema: &huma.Schema{Ref: schemaPrefix + "Problem"}},
	}}
}
