package contract

import (
	"context"
	"iter"
	"time"

	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// Store stores what is known of contracts beside their payments. Its methods return
// outcome.ErrNotFound if there is no such row, and outcome.ErrChanged if a write loses a race.
type Store interface {
	// DueShards is how many shards users are spread over for housekeeping.
	DueShards() int
	// Subscriptions returns all of the user's subscriptions, including those that have
	// ended.
	Subscriptions(ctx context.Context, user owner.User) ([]Subscription, error)

	// ContractNotes returns the notes on the user's contracts. They are empty, with version
	// 0, if there are none.
	ContractNotes(ctx context.Context, user owner.User) (Notes, error)
	// SaveContractNotes replaces the version of the notes that was read, and writes the
	// events with it. It returns outcome.ErrNotFound if the user has been erased.
	SaveContractNotes(ctx context.Context, n Notes, events ...pfm.Event) error
	// DueContracts iterates over the notes in a shard whose CheckAt has come, the longest
	// overdue first. An error concerns one user's notes that cannot be read, or it comes last.
	DueContracts(ctx context.Context, shard int, until time.Time) iter.Seq2[Notes, error]

	// Watch returns the watch of a cancellation.
	Watch(ctx context.Context, user owner.User, cancellationID string) (Watch, error)
	// Watches returns all of the user's watches.
	Watches(ctx context.Context, user owner.User) ([]Watch, error)
	// SaveWatch replaces the version that w was read as, and writes the report, unless it is
	// nil, with it. It returns outcome.ErrNotFound if the user has been erased.
	SaveWatch(ctx context.Context, w Watch, report *OutcomeJob) error
	// WatchedAccounts returns all of the user's watches, and the user's accounts by ID, read
	// consistently.
	WatchedAccounts(ctx context.Context, user owner.User) ([]Watch, map[string]WatchedAccount, error)
	// TransactionsSince returns the rows of all of the user's accounts since a day.
	TransactionsSince(ctx context.Context, user owner.User, from pfm.Date) ([]transaction.Transaction, error)
}
