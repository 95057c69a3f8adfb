// Package pfmapi is the HTTP side of the PFM area: its JSON operations, and the
// pages that send users to their bank and receive them from there.
package pfmapi

import (
	"context"

	"aviso/internal/api"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

// Services are the services that the operations call.
type Services struct {
	Providers     *pfm.Providers
	Connections   *connection.Connections
	Reading       *transaction.Reading
	Subscriptions *contract.Subscriptions
	// ForExport are the services that admit users who have not accepted the terms.
	ForExport *Services
	// Addressee reads how pages address a user.
	Addressee func(context.Context, owner.User) (Addressee, error)
	// Entity reads who reads accounts, for the consent page.
	Entity func(context.Context) (Entity, error)
	// Production leaves out the operations of the sandbox.
	Production bool
}

// Addressee is the language of a user and the name of the user's partner. Either may be
// empty.
type Addressee struct{ LanguageCode, PartnerName string }

// prefix starts the path of each of the area's JSON operations.
const prefix = "/openbanking/v1"

// Register adds the area's operations and pages.
func Register(r *api.Router, s Services) {
	registerProviders(r, s.Providers)
	registerClients(r, s.Connections)
	registerConnections(r, s.Connections)
	registerConnectionChanges(r, s.Connections)
	registerConsents(r, s.Connections)
	registerAccounts(r, s.Connections)
	registerTransactions(r, s.Reading)
	registerChanges(r, s.Reading)
	registerCategories(r)
	registerInsights(r, s.Reading)
	registerSubscriptions(r, s.Subscriptions)
	registerSavings(r, s.Subscriptions)
	registerPriceChanges(r, s.Subscriptions)
	pages := pages{s.Connections, s.Addressee, s.Entity}
	pages.register(r)
	pages.registerStep(r)
	if !s.Production {
		registerTestRows(r, s.Connections)
	}
	r.ServeExport("getBankingArchive", prefix+"/export", func(in *api.Router) {
		registerConnections(in, s.ForExport.Connections)
		registerConsents(in, s.ForExport.Connections)
		registerAccounts(in, s.ForExport.Connections)
		registerTransactions(in, s.ForExport.Reading)
		registerSubscriptions(in, s.ForExport.Subscriptions)
	},
		api.Exported{
			Path: prefix + "/connections", File: "connections.jsonl", ID: "connectionId",
			Each: []api.Exported{{Path: prefix + "/connections/{id}/consents", File: "consents.jsonl"}},
		},
		api.Exported{Path: prefix + "/accounts", File: "accounts.jsonl"},
		api.Exported{Path: prefix + "/transactions", File: "transactions.jsonl"},
		api.Exported{Path: prefix + "/insights/subscriptions", File: "contracts.jsonl"},
	)
}
