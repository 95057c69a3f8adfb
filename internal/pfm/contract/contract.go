// Package contract finds recurring payments, how often they recur, and which of them are paid under a
// contract. It has the contracts' deadlines, price rises, and whether their debits stop after a
// cancellation.
package contract

import (
	"context"
	"fmt"
	"iter"
	"time"

	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// Facts are what the user has said about a contract. Empty fields are unknown.
type Facts struct {
	Start pfm.Date `json:"start,omitempty"`
	// Product replaces the catalogue's first product of the merchant.
	Product *Cancellable `json:"product,omitempty"`
}

// FindCancellables sets Cancellable of the contracts whose merchants are in the catalogue.
type FindCancellables func(ctx context.Context, contracts []Subscription) error

// FindDeadlines sets Deadline of the contracts whose Cancellable is in the catalogue, without an
// EarliestEnd if its terms say too little.
type FindDeadlines func(ctx context.Context, contracts []Subscription) error

// Notes are what is kept about a user's contracts besides the payments.
type Notes struct {
	Owner owner.User `json:"-"`
	// Facts are what the user has said, by contract ID.
	Facts map[string]Facts `json:"facts,omitempty"`
	// Notified are the latest notices of deadlines, by contract ID.
	Notified map[string]DeadlineNotice `json:"notified,omitempty"`
	// CheckAt is when the deadlines are to be computed next; zero if the user has no
	// contracts.
	CheckAt time.Time `json:"-"`
	// Version is 0 if nothing is stored yet.
	Version int64 `json:"-"`
}

// DeadlineNotice says which notice of a deadline partners have got.
type DeadlineNotice struct {
	SendBy pfm.Date `json:"sendBy"`
	// Days is how long before SendBy the notice was due.
	Days int `json:"days"`
}

// terms completes contracts with what the catalogue says about them.
type terms struct {
	cancellables FindCancellables
	deadlines    FindDeadlines
}

// complete sets Cancellable, Start and Deadline of the contracts.
func (t terms) complete(ctx context.Context, list []Subscription, facts map[string]Facts) error {
	if err := t.addProducts(ctx, list, facts); err != nil {
		return err
	}
	if err := t.deadlines(ctx, list); err != nil {
		return fmt.Errorf("compute deadlines: %w", err)
	}
	for i := range list {
		if d := list[i].Deadline; d != nil && d.EarliestEnd == "" {
			list[i].Deadline = nil
		}
	}
	return nil
}

// addProducts sets Cancellable and Start.
func (t terms) addProducts(ctx context.Context, list []Subscription, facts map[string]Facts) error {
	if err := t.cancellables(ctx, list); err != nil {
		return fmt.Errorf("find cancellable products: %w", err)
	}
	for i := range list {
		c := &list[i]
		c.Start, c.StartSource = c.First, StartFirstPayment
		said := facts[c.ID]
		if said.Start != "" {
			c.Start, c.StartSource = said.Start, StartUser
		}
		if said.Product != nil {
			c.Cancellable = said.Product
		}
	}
	return nil
}

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
