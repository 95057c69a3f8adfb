package pfm

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"aviso/internal/authz"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/textfold"
)

// Subscription is a contract with a merchant, as the payments under it show.
type Subscription struct {
	// Merchant has a name but no id where only the counterparty is known.
	Merchant Merchant
	// Category is that of the last payment.
	Category Category
	// Amount is what is paid each time, negative.
	Amount    money.Amount
	Currency  string
	Frequency Frequency
	// First and Last are the days of the first and the last payment.
	First, Last Date
	// NextExpected is when the next payment is due, Overdue the day after which
	// the contract has ended if none has come.
	NextExpected, Overdue Date
	// YearlyCost is positive.
	YearlyCost money.Amount
	// TransactionIDs are the latest payments, oldest first.
	TransactionIDs []string
	// Cancellable is what the contract can be cancelled with; nil where it can't.
	Cancellable *Cancellable
}

// Cancellable leads to a product of the cancellation catalogue.
type Cancellable struct{ OrganizationID, ProductID string }

// FindCancellables returns, by merchant id, what contracts with these merchants
// can be cancelled with. Merchants without are left out.
type FindCancellables func(ctx context.Context, merchantIDs []string) (map[string]Cancellable, error)

// Subscriptions finds users' contracts.
type Subscriptions struct {
	store        Store
	cancellables FindCancellables
	gate         authz.Gate
	now          func() time.Time
}

// NewSubscriptions reads from store what g lets pass.
func NewSubscriptions(store Store, cancellables FindCancellables, g authz.Gate, now func() time.Time) *Subscriptions {
	return &Subscriptions{store: store, cancellables: cancellables, gate: g, now: now}
}

// List gives the user's contracts that have not ended, the dearest first.
func (s *Subscriptions) List(ctx context.Context, user owner.User) ([]Subscription, error) {
	list, err := authz.Read(ctx, s.gate, user, func(ctx context.Context) ([]Subscription, error) {
		return s.store.Subscriptions(ctx, user)
	})
	if err != nil {
		return nil, err
	}
	today := DateOf(s.now())
	list = slices.DeleteFunc(list, func(c Subscription) bool { return today > c.Overdue })
	slices.SortFunc(list, func(a, b Subscription) int {
		return cmp.Or(b.YearlyCost.Cmp(a.YearlyCost), strings.Compare(textfold.Name(a.Merchant.Name), textfold.Name(b.Merchant.Name)),
			slices.Compare(a.TransactionIDs, b.TransactionIDs))
	})
	return list, s.addCancellables(ctx, list)
}

// addCancellables says what can be cancelled.
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
		return fmt.Errorf("find what can be cancelled: %w", err)
	}
	for i, c := range list {
		if what, ok := found[c.Merchant.ID]; ok {
			list[i].Cancellable = &what
		}
	}
	return nil
}
