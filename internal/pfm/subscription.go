package pfm

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"aviso/internal/fold"
	"aviso/internal/money"
	"aviso/internal/owner"
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
}

// Subscriptions are the user's contracts that have not ended, the dearest first.
func (s *Insights) Subscriptions(ctx context.Context, user owner.User) ([]Subscription, error) {
	list, err := admitted(ctx, s.gate, user, func(ctx context.Context) ([]Subscription, error) {
		return s.store.Subscriptions(ctx, user)
	})
	if err != nil {
		return nil, err
	}
	today := DateOf(s.now())
	list = slices.DeleteFunc(list, func(c Subscription) bool { return today > c.Overdue })
	slices.SortFunc(list, func(a, b Subscription) int {
		return cmp.Or(b.YearlyCost.Cmp(a.YearlyCost), strings.Compare(fold.Name(a.Merchant.Name), fold.Name(b.Merchant.Name)),
			slices.Compare(a.TransactionIDs, b.TransactionIDs))
	})
	return list, nil
}
