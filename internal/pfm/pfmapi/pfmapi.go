// Package pfmapi is the HTTP side of the PFM area: its JSON operations, and the
// pages on the user's way to the bank and back.
package pfmapi

import (
	"context"

	"aviso/internal/api"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// Services is what the operations call.
type Services struct {
	Providers     ProviderService
	Connections   ConnectionService
	Clients       ClientService
	Reading       ReadingService
	Insights      InsightService
	Subscriptions SubscriptionService
}

// ProviderService lists and finds banks.
type ProviderService interface {
	List(ctx context.Context, f pfm.ProviderFilter, limit int, position string) ([]pfm.Provider, string, error)
	Get(ctx context.Context, id string) (pfm.Provider, error)
	Countries(ctx context.Context) ([]pfm.Country, error)
}

// ConnectionService manages connections and leads users to their banks and back.
// Open and Finish fail with the pfm.ErrLink… and pfm.ErrBank… errors.
type ConnectionService interface {
	Create(ctx context.Context, user owner.User, providerID, returnURL string) (pfm.Connection, error)
	Get(ctx context.Context, user owner.User, id string) (pfm.Connection, error)
	List(ctx context.Context, user owner.User, limit int, position string) (pfm.ConnectionPage, error)
	Refresh(ctx context.Context, user owner.User, id, psuIP string) (pfm.Connection, error)
	Reconnect(ctx context.Context, user owner.User, id, returnURL string) (pfm.Connection, error)
	Delete(ctx context.Context, user owner.User, id string) error
	Open(ctx context.Context, connectionID string, v pfm.Visitor, baseURL string) (pfm.Visit, error)
	Finish(ctx context.Context, state string, refused bool, v pfm.Visitor) (pfm.Visit, error)
}

// ClientService gives users their client ids.
type ClientService interface {
	ID(ctx context.Context, user owner.User) (string, error)
}

// ReadingService gives what has been read from banks.
type ReadingService interface {
	Accounts(ctx context.Context, user owner.User, limit int, position string) (pfm.AccountPage, error)
	Transactions(ctx context.Context, user owner.User, f pfm.TransactionFilter, limit int, position string) (pfm.TransactionPage, error)
	Changes(ctx context.Context, user owner.User, since pfm.ChangePosition, limit int) (pfm.ChangePage, error)
	Transaction(ctx context.Context, user owner.User, id string) (pfm.Transaction, error)
	Categorise(ctx context.Context, user owner.User, id string, category int) (pfm.Transaction, error)
}

// The prefix of the area's operations.
const prefix = "/openbanking/v1"

// Register adds the area's operations and pages.
func Register(r *api.Router, s Services) {
	registerProviders(r, s.Providers)
	registerClients(r, s.Clients)
	registerConnections(r, s.Connections)
	registerConnectionChanges(r, s.Connections)
	registerAccounts(r, s.Reading)
	registerTransactions(r, s.Reading)
	registerChanges(r, s.Reading)
	registerCategories(r)
	registerInsights(r, s.Insights)
	registerSubscriptions(r, s.Subscriptions)
	registerPages(r, s.Connections)
}
