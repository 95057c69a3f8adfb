package pfm

import (
	"context"
	"time"

	"aviso/internal/owner"
)

// ConnectionStore keeps connections.
type ConnectionStore interface {
	// CreateConnection writes a new connection.
	CreateConnection(ctx context.Context, c Connection) error
	// Connection is outcome.ErrNotFound when the user has none of this id.
	Connection(ctx context.Context, user owner.User, id string) (Connection, error)
	// ConnectionOwner tells whose connection it is, for the user's browser that
	// knows the id only. outcome.ErrNotFound when there is none.
	ConnectionOwner(ctx context.Context, id string) (owner.User, error)
	// Connections is a page of the user's connections.
	Connections(ctx context.Context, user owner.User, limit int, position string) (page []Connection, next string, err error)
	// SaveConnection writes c over the version it was read as, together with
	// its events and the jobs. outcome.ErrChanged when that version is no longer there. With
	// ConnectionDeleting, the sync that is running loses its lease.
	SaveConnection(ctx context.Context, c Connection, jobs ...SyncJob) error
}

// AccountStore reads accounts and transactions.
type AccountStore interface {
	// AccountViews is a page of the user's accounts with their connections.
	AccountViews(ctx context.Context, user owner.User, limit int, position string) (page []AccountView, next string, err error)
	// Transactions is a page of the user's transactions that match, newest
	// first. Where few match, a page may be short although another follows. Only
	// what partners see of them is read.
	Transactions(ctx context.Context, user owner.User, f TransactionFilter, limit int, position string) (page []Transaction, next string, err error)
	// Changes are up to limit changes after a position, in order.
	Changes(ctx context.Context, user owner.User, since ChangePosition, limit int) (ChangePage, error)
	// Transaction is outcome.ErrNotFound when the user has none of this id.
	Transaction(ctx context.Context, user owner.User, id string) (Transaction, error)
	// OverrideCategory gives a transaction the category that the user has
	// chosen. outcome.ErrNotFound when the user has none of this id, ErrRowChanged when
	// others keep writing the user's transactions.
	OverrideCategory(ctx context.Context, user owner.User, id string, c Category, now time.Time) (Transaction, error)
}

// TransactionFilter narrows a list of transactions; zero fields do not.
type TransactionFilter struct {
	AccountID string
	// From and To are days, both included.
	From, To Date
	State    RecordState
	// Category is an L1 or an L2 id.
	Category   int
	MerchantID string
}

// SyncStore is what a sync reads and writes. Every write is bound to the lease:
// outcome.ErrChanged when it is no longer held, or the connection is gone.
type SyncStore interface {
	// AcquireSync takes the connection's lease until `until`. outcome.ErrChanged when
	// another sync holds it, outcome.ErrNotFound when there is no such connection.
	AcquireSync(ctx context.Context, user owner.User, connectionID string, l Lease, now time.Time) (Connection, error)
	// ConnectionAccounts are the accounts of the connection.
	ConnectionAccounts(ctx context.Context, user owner.User, connectionID string) ([]Account, error)
	// AccountTransactions are the account's rows from a day on, read
	// consistently.
	AccountTransactions(ctx context.Context, user owner.User, accountID string, from Date) ([]Transaction, error)
	// TransactionsSince are the rows of all accounts of the user from a day on.
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
	// SyncChanges is what this sync, and those before it that partners have not
	// been told of, have changed of the connection's transactions.
	SyncChanges(ctx context.Context, user owner.User, connectionID string) (SyncChanges, error)
	// FinishSync applies how the sync ended to the connection as it is then,
	// writes it with its events, and gives the lease back. What the sync has
	// changed stays to be told when it did not end well.
	FinishSync(ctx context.Context, l Lease, user owner.User, connectionID string, apply func(*Connection)) error
}

// Lease is the right of one sync to write a connection's data.
type Lease struct {
	Token string
	Until time.Time
}
