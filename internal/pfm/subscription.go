package pfm

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"aviso/internal/authz"
	"aviso/internal/clock"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/textfold"
)

// Subscription is a contract with a merchant, found in the payments for it.
type Subscription struct {
	// ID stays as long as payments follow each other.
	ID string
	// Merchant has a name but no ID if only the counterparty is known.
	Merchant Merchant
	// Category is the category of the last payment.
	Category Category
	// Amount is the amount of one payment, negative.
	Amount    money.Amount
	Currency  string
	Frequency Frequency
	// TimesPerYear is the number of payments in a year.
	TimesPerYear int
	// First and Last are the days of the first and the last payment.
	First, Last Date
	// NextExpected is when the next payment is due. If no payment has arrived by
	// Overdue, the contract counts as ended.
	NextExpected, Overdue Date
	// YearlyCost is positive.
	YearlyCost money.Amount
	// TransactionIDs are the latest payments, oldest first.
	TransactionIDs []string
	// Cancellable is the catalogue entry for cancelling the contract; nil if there is
	// none.
	Cancellable *Cancellable
}

// Cancellable identifies a product in the cancellation catalogue.
type Cancellable struct{ OrganizationID, ProductID string }

// FindCancellables returns the catalogue entries for cancelling contracts with these
// merchants, by merchant ID. It leaves out merchants without an entry.
type FindCancellables func(ctx context.Context, merchantIDs []string) (map[string]Cancellable, error)

// Subscriptions finds users' contracts.
type Subscriptions struct {
	store        Store
	cancellables FindCancellables
	gate         authz.Gate
	now          func() time.Time
}

// NewSubscriptions returns the service for users that g admits.
func NewSubscriptions(store Store, cancellables FindCancellables, g authz.Gate, now func() time.Time) *Subscriptions {
	return &Subscriptions{store: store, cancellables: cancellables, gate: g, now: now}
}

// List returns the user's contracts that have not ended, the most expensive first.
func (s *Subscriptions) List(ctx context.Context, user owner.User) ([]Subscription, error) {
	list, err := authz.Read(ctx, s.gate, user, func(ctx context.Context) ([]Subscription, error) {
		return s.store.Subscriptions(ctx, user)
	})
	if err != nil {
		return nil, err
	}
	today := DateOf(clock.Now(ctx, s.now))
	list = slices.DeleteFunc(list, func(c Subscription) bool { return today > c.Overdue })
	slices.SortFunc(list, func(a, b Subscription) int {
		return cmp.Or(
			b.YearlyCost.Cmp(a.YearlyCost),
			strings.Compare(textfold.Name(a.Merchant.Name), textfold.Name(b.Merchant.Name)),
			slices.Compare(a.TransactionIDs, b.TransactionIDs),
		)
	})
	return list, s.addCancellables(ctx, list)
}

// addCancellables sets Cancellable.
func (s *Subscriptions) addCancellables(ctx context.Context, list []Subscription) error {
	var merchants []string
	for _, c := range list {
		if c.Merchant.ID != "" && !slices.Contains(merchants, c.Merchant.ID) {
			merchants = append(merchants, c.Merchant.ID)
		}
	}
	if len(merchants) == 0 {
		return nil
	}
	found, err := s.cancellables(ctx, merchants)
	if err != nil {
		return fmt.Errorf("find cancellable products: %w", err)
	}
	for i, c := range list {
		if cancellable, ok := found[c.Merchant.ID]; ok {
			list[i].Cancellable = &cancellable
		}
	}
	return nil
}
