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
	// Connection is ErrNotFound when the user has none of this id.
	Connection(ctx context.Context, user owner.User, id string) (Connection, error)
	// ConnectionOwner tells whose connection it is, for the user's browser that
	// knows the id only. ErrNotFound when there is none.
	ConnectionOwner(ctx context.Context, id string) (owner.User, error)
	// SaveConnection writes c over the version it was read as, together with
	// the job, if any. ErrChanged when that version is no longer there.
	SaveConnection(ctx context.Context, c Connection, job *SyncJob) error
}

// AccountStore reads accounts and transactions.
type AccountStore interface {
	// AccountViews is a page of the user's accounts with their connections.
	AccountViews(ctx context.Context, user owner.User, limit int, position string) (page []AccountView, next string, err error)
	// Transactions is a page of the user's transactions, newest first.
	Transactions(ctx context.Context, user owner.User, limit int, position string) (page []Transaction, next string, err error)
}

// SyncStore is what a sync reads and writes. Every write is bound to the lease:
// ErrChanged when it is no longer held, or the connection is gone.
type SyncStore interface {
	// AcquireSync takes the connection's lease until `until`. ErrChanged when
	// another sync holds it, ErrNotFound when there is no such connection.
	AcquireSync(ctx context.Context, user owner.User, connectionID string, l Lease, now time.Time) (Connection, error)
	// ConnectionAccounts are the accounts of the connection.
	ConnectionAccounts(ctx context.Context, user owner.User, connectionID string) ([]Account, error)
	// AccountTransactions are the account's rows from a day on, read
	// consistently.
	AccountTransactions(ctx context.Context, user owner.User, accountID string, from Date) ([]Transaction, error)
	// SaveAccounts creates or replaces accounts of one connection.
	SaveAccounts(ctx context.Context, l Lease, accounts []Account) error
	// SaveRows writes the changes of one account, in order, in chunks.
	SaveRows(ctx context.Context, l Lease, user owner.User, connectionID string, changes []RowChange) error
	// FinishSync applies how the sync ended to the connection as it is then, and
	// gives the lease back.
	FinishSync(ctx context.Context, l Lease, user owner.User, connectionID string, apply func(*Connection)) error
}

// Lease is the right of one sync to write a connection's data.
type Lease struct {
	Token string
	Until time.Time
}

// SyncJob asks for a connection to be read from its bank.
type SyncJob struct {
	Partner      owner.PartnerID `json:"partner"`
	User         owner.UserID    `json:"user"`
	ConnectionID string          `json:"connectionId"`
	// PSUIPAddress is set while the user is present.
	PSUIPAddress string `json:"psuIpAddress,omitempty"`
}

// Owner is whose connection it is.
func (j SyncJob) Owner() owner.User { return owner.User{Partner: j.Partner, ID: j.User} }
