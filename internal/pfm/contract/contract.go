// Package contract finds recurring payments, how often they recur, and which of them are paid under a
// contract. It has the contracts' deadlines, price rises, and whether their debits stop after a
// cancellation.
package contract

import (
	"context"
	"fmt"
	"time"

	"aviso/internal/owner"
	"aviso/internal/pfm"
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
