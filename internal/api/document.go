package api

import (
	_ "embed" // of the introduction
	"maps"
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
	return c
}

// documentConfig also has the header of docs/openapi.yaml.
func documentConfig() huma.Config {
	c := servingConfig()
	c.Components.Schemas = huma.NewMapRegistry(schemaPrefix, schemaName)
	c.Info.Description = introduction
	c.Info.Contact = &huma.Contact{
		Name: "Aviso partner support", URL: "https://aviso.example/support", Email: "support@aviso.example",
	}
	c.Info.License = &huma.License{Name: "Apache License 2.0", Identifier: "Apache-2.0"}
	c.Servers = servers()
	c.Tags = tags()
	c.Security = []map[string][]string{{"oauth2": {}}}
	c.Components.Headers = headerComponents()
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"oauth2": {
			Type: "oauth2",
			Description: "Client credentials (RFC 6749 §4.4). Send the token as `Authorization: Bearer <token>`. " +
				"It is a JWT (RFC 9068), signed and verified as RFC8725 recommends.",
			Flows: &huma.OAuthFlows{ClientCredentials: &huma.OAuthFlow{
				TokenURL: "/oauth2/token", // of the server that is used
				Scopes: map[string]string{
					string(Identity):     "Users and their acceptance of terms",
					string(PFM):          "Banks, connections, accounts, transactions, insights",
					string(Cancellation): "Catalogue and cancellations",
					string(Webhook):      "Subscriptions to events",
				},
			}},
		},
		"client": {
			Type: "http", Scheme: "basic", Description: "client_id and client_secret, for the token endpoint only.",
		},
	}
	return c
}

// introduction explains what all operations have in common.
//
//go:embed introduction.md
var introduction string

// servers are the environments, the one for a first try before the real one.
func servers() []*huma.Server {
	servers := []*huma.Server{
		{URL: "http://localhost:3000", Description: "local: the stack on your machine (`make run`)"},
		{URL: "https://api.test.example.com", Description: "test: sandbox banks and simulated letters"},
		{URL: "https://api.acceptance.example.com", Description: "acceptance: as production, with sandbox banks"},
		{URL: "https://api.example.com", Description: "production: real banks and letters"},
	}
	for i, s := range servers {
		s.Extensions = map[string]any{"x-internal": i == 0} // tools then leave out what only developers have
	}
	return servers
}

// tags are in the order in which a partner needs them.
func tags() []*huma.Tag {
	return []*huma.Tag{
		{Name: "Authentication", Description: "Access tokens with OAuth 2.0 client credentials."},
		{Name: "Users", Description: "Partner Users: the people a partner acts for."},
		{Name: "Terms", Description: "Terms and conditions, and whether a user has accepted them."},
		{Name: "Providers", Description: "Banks that users can connect."},
		{Name: "Connections", Description: "Users' connections to their banks: authorise, refresh, renew, delete."},
		{Name: "Accounts", Description: "Accounts of connected banks, with their balances."},
		{Name: "Transactions", Description: "Transactions of connected accounts, their categories, and what has changed."},
		{Name: "Insights", Description: "Totals by category and by merchant, and the contracts found in transactions."},
		{Name: "Catalogue", Description: "Organizations, and the contracts that can be cancelled with them."},
		{Name: "Search", Description: "Find organizations and products by the words in their names."},
		{Name: "Cancellations", Description: "Users' requests to end a contract, and the letters that cancel it."},
		{Name: "Webhooks", Description: "Event subscriptions, their secrets, and delivery attempts."},
		{Name: "Events", Description: "The callbacks that you receive, one for each event type."},
		{Name: "Sandbox", Description: "Test data of your own. Not in production."},
		{Name: "Document", Description: "This document, in the environment that you call."},
		{Name: "Clients", Description: "Deprecated; no flow needs it."},
	}
}

// internalConfig also has the header of docs/openapi-internal.yaml.
func internalConfig() huma.Config {
	c := documentConfig()
	c.Info.Title += ": internal"
	c.Info.Description = "What carriers and users' browsers call. Partners need none of it, and nothing here is " +
		"promised to anybody: it changes with the code. No operation takes an access token."
	c.Tags = []*huma.Tag{
		{Name: "Carriers", Description: "Callbacks for letter carriers."},
		{Name: "User pages", Description: "Pages that the user's browser opens on the way to the bank and back."},
	}
	c.Security, c.Components.SecuritySchemes = nil, nil
	maps.DeleteFunc(c.Components.Headers, func(name string, _ *huma.Header) bool {
		return name != headerRequestID && name != headerRetryAfter // what these operations answer with
	})
	return c
}

// ProblemResponse describes an error of a Raw operation.
func ProblemResponse(description string) *huma.Response {
	return &huma.Response{Description: description, Content: map[string]*huma.MediaType{
		"application/problem+json": {Schema: &huma.Schema{Ref: schemaPrefix + "Problem"}},
	}}
}

// throttled describes what API Gateway answers if too many requests come from everybody
// together. The service counts only those of partners, by their tokens.
func throttled(schemas huma.Registry) *huma.Response {
	schema := Named(schemas, "Throttled", &huma.Schema{
		Type: huma.TypeObject, Description: "The gateway has more requests than it takes.", Required: []string{"message"},
		Properties: map[string]*huma.Schema{"message": {Type: huma.TypeString, Description: "For the developer."}},
	})
	return &huma.Response{
		Description: "Too many requests. Wait a second, and double the wait each time.",
		Content: map[string]*huma.MediaType{
			"application/json": {Schema: schema, Example: map[string]any{"message": "Too Many Requests"}},
		},
	}
}
