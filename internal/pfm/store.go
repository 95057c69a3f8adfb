package pfm

import (
	"context"
	"time"

	"aviso/internal/owner"
)

// Store keeps all of the area. What is not there is outcome.ErrNotFound; a lost
// race is outcome.ErrChanged.
type Store interface {
	// Provider returns one provider.
	Provider(ctx context.Context, id string) (Provider, error)
	// Providers returns a page by name, from position on, and the position of the
	// following page, empty at the end.
	Providers(ctx context.Context, f ProviderFilter, limit int, position string) (page []Provider, next string, err error)
	Countries(ctx context.Context) ([]Country, error)
	// AllProviders returns all there are, as the last write left them.
	AllProviders(ctx context.Context) ([]Provider, error)
	// PutProvider creates or replaces a provider with all its index rows.
	// outcome.ErrChanged when somebody else did so at the same time.
	PutProvider(ctx context.Context, p Provider) error

	CreateConnection(ctx context.Context, c Connection) error
	Connection(ctx context.Context, user owner.User, id string) (Connection, error)
	// ConnectionOwner returns whose connection it is, for the user's browser that
	// knows the id only.
	ConnectionOwner(ctx context.Context, id string) (owner.User, error)
	// Connections returns a page of the user's connections.
	Connections(
		ctx context.Context, user owner.User, limit int, position string,
	) (page []Connection, next string, err error)
	// AllConnections returns all of the user's connections, those being deleted
	// included, read consistently.
	AllConnections(ctx context.Context, user owner.User) ([]Connection, error)
	// DueConnections returns up to limit connections whose time has come.
	DueConnections(ctx context.Context, kind DueKind, until time.Time, limit int) ([]Connection, error)
	// SaveConnection writes c over the version it was read as, together with
	// its events and the jobs. With ConnectionDeleting, the sync that is running
	// loses its lease.
	SaveConnection(ctx context.Context, c Connection, jobs ...SyncJob) error

	// DeletingConnection returns outcome.ErrNotFound when the connection is not
	// being deleted.
	DeletingConnection(ctx context.Context, user owner.User, id string) (Connection, error)
	// DeleteData deletes the connection's accounts and transactions, in chunks.
	// Beginning again after a failure ends what was begun.
	DeleteData(ctx context.Context, user owner.User, connectionID string) error
	// DeleteConnection deletes the connection itself.
	DeleteConnection(ctx context.Context, c Connection) error
	// CountData counts the user's accounts and transactions.
	CountData(ctx context.Context, user owner.User) (accounts, transactions int, err error)
	// DeleteRest deletes what is left of the user when no connection is.
	DeleteRest(ctx context.Context, user owner.User) error

	// AccountViews returns a page of the user's accounts with their connections.
	AccountViews(
		ctx context.Context, user owner.User, limit int, position string,
	) (page []AccountView, next string, err error)
	// Transactions returns a page of the user's transactions that match, newest
	// first. Where few match, a page may be short although another follows. Only
	// what partners see of them is read.
	Transactions(
		ctx context.Context, user owner.User, f TransactionFilter, limit int, position string,
	) (page []Transaction, next string, err error)
	// Changes returns up to limit changes after a position, in order.
	Changes(ctx context.Context, user owner.User, since ChangePosition, limit int) (ChangePage, error)
	Transaction(ctx context.Context, user owner.User, id string) (Transaction, error)
	// OverrideCategory gives a transaction the category that the user has
	// chosen. ErrRowChanged when others keep writing the user's transactions.
	OverrideCategory(ctx context.Context, user owner.User, id string, c Category, now time.Time) (Transaction, error)
	// Aggregates returns those of the user at a level, of months within [from,
	// to], empty for no bound. LevelAllTime knows no months.
	Aggregates(ctx context.Context, user owner.User, level Level, fromMonth, toMonth string) ([]Aggregate, error)
	// Subscriptions returns all of the user's, also those that have ended.
	Subscriptions(ctx context.Context, user owner.User) ([]Subscription, error)

	// AcquireSync takes the connection's lease until l.Until. outcome.ErrChanged
	// when another sync holds it. Every write of a sync is bound to the lease:
	// outcome.ErrChanged when it is no longer held, or the connection is gone.
	AcquireSync(ctx context.Context, user owner.User, connectionID string, l Lease, now time.Time) (Connection, error)
	// ConnectionAccounts returns the accounts of the connection.
	ConnectionAccounts(ctx context.Context, user owner.User, connectionID string) ([]Account, error)
	// AccountTransactions returns the account's rows from a day on, read
	// consistently.
	AccountTransactions(ctx context.Context, user owner.User, accountID string, from Date) ([]Transaction, error)
	// TransactionsSince returns the rows of all accounts of the user from a day on.
	TransactionsSince(ctx context.Context, user owner.User, from Date) ([]Transaction, error)
	// SaveAccounts creates or replaces accounts of one connection.
	SaveAccounts(ctx context.Context, l Lease, accounts []Account) error
	// SaveRows writes the changes of one account, in order, in chunks, with sums
	// and recurrence; the rows of the changes are given their labels.
	// ErrRowChanged when a row is no longer as it was read; some chunks may have
	// been written.
	SaveRows(ctx context.Context, l Lease, user owner.User, connectionID string, changes []RowChange) error
	// SaveLabels writes what the rows of an account say of the recurrence of
	// others, as far as it has not been written yet; also what an earlier sync
	// left over. Labels of rows that change meanwhile may stay for the next sync.
	SaveLabels(ctx context.Context, l Lease, user owner.User, connectionID, accountID string) error
	// SyncChanges returns what this sync, and those before it that partners have
	// not been told of, have changed of the connection's transactions.
	SyncChanges(ctx context.Context, user owner.User, connectionID string) (SyncChanges, error)
	// FinishSync applies how the sync ended to the connection as it is then,
	// writes it with its events, and gives the lease back. What the sync has
	// changed stays to be told when it did not end well.
	FinishSync(ctx context.Context, l Lease, user owner.User, connectionID string, apply func(*Connection)) error
}
