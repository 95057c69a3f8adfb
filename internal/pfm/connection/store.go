package connection

import (
	"context"
	"iter"
	"time"

	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
)

// Store stores the area's data. Its methods return outcome.ErrNotFound if there is no
// such row, and outcome.ErrChanged if a write loses a race.
type Store interface {
	pfm.Store
	transaction.Store
	contract.Store

	// Outage returns when a bank that is down may be asked again, or the zero time if it is
	// not known to be down.
	Outage(ctx context.Context, providerID string) (probeAt time.Time, err error)
	// SetOutage replaces what Outage returned; the zero time says that the bank is not down.
	SetOutage(ctx context.Context, providerID string, known, probeAt time.Time) error

	// CreateConnection returns outcome.ErrNotFound if the user does not exist.
	CreateConnection(ctx context.Context, c Connection) error
	Connection(ctx context.Context, user owner.User, id string) (Connection, error)
	// ConnectionOwner returns the connection's owner. It serves the user's browser,
	// which knows the ID only.
	ConnectionOwner(ctx context.Context, id string) (owner.User, error)
	// Connections returns a page of the user's connections.
	Connections(
		ctx context.Context, user owner.User, limit int, position string,
	) (page []Connection, next string, err error)
	// DueConnections iterates over the connections in a shard on which work of this kind
	// is due, the longest overdue first. An error concerns one connection that cannot be
	// read, or it comes last.
	DueConnections(ctx context.Context, kind DueKind, shard int, until time.Time) iter.Seq2[Connection, error]
	// SaveConnection replaces the version that c was read as, and writes c's events and
	// the jobs with it. If c is ConnectionDeleting, a running sync loses its lease. If c
	// is not, and the user has been erased, it returns outcome.ErrNotFound.
	SaveConnection(ctx context.Context, c Connection, jobs ...SyncJob) error

	// AnyConnection is like Connection, but also returns a connection that is being deleted.
	AnyConnection(ctx context.Context, user owner.User, id string) (Connection, error)
	// DeleteData deletes the connection's accounts and transactions, in chunks. Call it
	// again after a failure to delete the rest.
	DeleteData(ctx context.Context, user owner.User, connectionID string) error
	// DeleteConnection deletes the connection itself.
	DeleteConnection(ctx context.Context, c Connection) error
	// CountTransactions counts the user's transactions.
	CountTransactions(ctx context.Context, user owner.User) (int, error)
	// DeleteRest deletes what is left of the user after all connections are deleted.
	DeleteRest(ctx context.Context, user owner.User) error

	// AccountViews returns a page of the user's accounts with their connections.
	AccountViews(
		ctx context.Context, user owner.User, limit int, position string,
	) (page []AccountView, next string, err error)
	// PartyTransactions returns all of the user's rows with a party.
	PartyTransactions(ctx context.Context, user owner.User, party string) ([]transaction.Transaction, error)
	// SaveChoices writes changed categories, in chunks, with the aggregates and groups. It
	// returns ErrRowChanged if a row has changed since it was read, or if made has: then the
	// user has chosen again.
	SaveChoices(ctx context.Context, user owner.User, made int64, changes []transaction.RowChange) error
	// WakeWatch is like SaveWatch, and writes a job instead of a report.
	WakeWatch(ctx context.Context, w contract.Watch, job SyncJob) error

	// AcquireSync acquires the connection's lease until l.Until, and reads what a sync begins
	// with. It returns outcome.ErrChanged if another sync holds the lease, and outcome.ErrNotFound
	// if the user or the connection is gone. Every write of a sync requires the lease: it returns
	// outcome.ErrChanged if the lease is lost or the connection gone.
	AcquireSync(ctx context.Context, user owner.User, connectionID string, l Lease, now time.Time) (Acquired, error)
	// SaveSecret replaces the secret of c's session. It returns outcome.ErrChanged if the
	// connection has another consent by now.
	SaveSecret(ctx context.Context, l Lease, c Connection, secret string) error
	// Holdings returns the user's connections with their accounts, read consistently. Those that are
	// being deleted are among them.
	Holdings(ctx context.Context, user owner.User) (Holdings, error)
	// TakeAccounts writes t, and releases the lease of the connection that gives accounts
	// up. It returns ErrRowChanged if connections got accounts since the Holdings were
	// read, or if the other connection has changed.
	TakeAccounts(ctx context.Context, l Lease, t Takeover) error
	// AccountTransactions returns the account's rows since a day, read consistently.
	AccountTransactions(ctx context.Context, user owner.User, accountID string, from pfm.Date) ([]transaction.Transaction, error)
	// SaveAccounts creates or replaces accounts of one connection.
	SaveAccounts(ctx context.Context, l Lease, accounts []pfm.Account) error
	// SaveRows writes the changes of one account, in order and in chunks, together with
	// aggregates and recurrence, and labels the rows that it writes. It returns
	// ErrRowChanged if a row has changed since it was read, or if the user has made another
	// choice for a merchant since l.ChoicesMade; some chunks may have been written by then.
	SaveRows(ctx context.Context, l Lease, user owner.User, connectionID string, changes []transaction.RowChange) error
	// SaveLabels writes the outstanding recurrence labels of an account's other rows,
	// including those that an earlier sync left over. Labels of rows that change
	// concurrently may wait for the next sync. It also completes the recurrence of rows whose
	// SaveRows was interrupted, or returns ErrRowChanged.
	SaveLabels(ctx context.Context, l Lease, user owner.User, connectionID, accountID string) error
	// SyncChanges returns the changes to the connection's transactions by this sync,
	// and by earlier syncs of which partners have not been notified.
	SyncChanges(ctx context.Context, user owner.User, connectionID string) (SyncChanges, error)
	// FinishSync applies the sync's result to the connection, which is c unless it has
	// changed since c was read. It writes it with its events and the jobs that apply returns,
	// keeps l.Seen, and releases the lease. If the sync failed, its changes are reported after
	// a later sync.
	FinishSync(ctx context.Context, l Lease, c Connection, apply func(*Connection) []SyncJob) error
}
