package contract

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// WatchOrder asks to watch the contract of a cancellation whose letter has been sent.
type WatchOrder struct {
	CancellationID string `json:"cancellationId"`
	// Stop: the cancellation came to nothing.
	Stop           bool   `json:"stop,omitempty"`
	OrganizationID string `json:"organizationId,omitempty"`
	// SubscriptionID is empty if the contract is to be found by the organization.
	SubscriptionID string   `json:"subscriptionId,omitempty"`
	SentOn         pfm.Date `json:"sentOn,omitempty"`
	// End is empty if nobody knows the end of the contract.
	End pfm.Date `json:"end,omitempty"`
	// Confirmed: the organization has confirmed End, which replaces what was assumed.
	Confirmed bool `json:"confirmed,omitempty"`
}

// OutcomeJob is a message to letter-dispatch: what a watch has found.
type OutcomeJob struct {
	Kind           string          `json:"kind"`
	Partner        owner.PartnerID `json:"partner"`
	User           owner.UserID    `json:"user"`
	CancellationID string          `json:"cancellationId"`
	Report         WatchReport     `json:"outcome"`
}

// outcomeKind is the kind of such messages.
const outcomeKind = "outcome"

// WatchReport is what a watch has found until now, so a report replaces those before.
type WatchReport struct {
	Number         int64        `json:"number"`
	SubscriptionID string       `json:"subscriptionId"`
	Outcome        WatchOutcome `json:"outcome"`
	Reason         WatchReason  `json:"reason"`
	// End is the last day of the contract, as far as it is known.
	End pfm.Date `json:"end"`
	// Debits are those after the end, oldest first.
	Debits []Debit `json:"debits,omitempty"`
}

// report returns the message about w. was still has the contract, which w may have forgotten.
func (w Watch) report(was Watch) *OutcomeJob {
	return &OutcomeJob{
		Kind: outcomeKind, Partner: w.Owner.Partner, User: w.Owner.ID, CancellationID: w.CancellationID,
		Report: WatchReport{
			Number: w.Reports, SubscriptionID: was.Contract.SubscriptionID, Outcome: w.Outcome, Reason: w.Reason,
			End: was.end(), Debits: w.AfterEnd,
		},
	}
}

// Watches look whether the debits of cancelled contracts stop.
type Watches struct {
	// OrganizationOf returns the organization in the cancellation catalogue with which
	// contracts with a merchant are cancelled, and empty if there is none.
	OrganizationOf func(merchantID string) string

	store Store
	now   func() time.Time
}

// NewWatches returns the service.
func NewWatches(store Store, now func() time.Time) *Watches {
	return &Watches{OrganizationOf: func(string) string { return "" }, store: store, now: now}
}

// Take does what an order asks for. It may be called repeatedly, and a late order changes
// nothing. Without a contract there is nothing to watch.
func (s *Watches) Take(ctx context.Context, user owner.User, o WatchOrder) error {
	w, err := s.store.Watch(ctx, user, o.CancellationID)
	known := err == nil
	switch {
	case err != nil && !errors.Is(err, outcome.ErrNotFound):
		return fmt.Errorf("read watch: %w", err)
	case o.Stop && !w.Stopped: // stored also if it never began, in case the other order is late
		w.CancellationID, w.Owner, w.Stopped, w.DueAt = o.CancellationID, user, true, time.Time{}
		return s.save(ctx, w, nil)
	case known && !w.Stopped && o.Confirmed && o.End != "" && w.End != o.End:
		w.End = o.End
		if err := s.save(ctx, w, nil); err != nil {
			return err
		}
	case !known && !o.Stop:
		var found bool
		if w, found, err = s.begin(ctx, user, o); err != nil || !found {
			return err
		}
		if err := s.save(ctx, w, nil); err != nil {
			return err
		}
	}
	return s.Check(ctx, user)
}

// begin returns the watch of an order, and whether there is a contract.
func (s *Watches) begin(ctx context.Context, user owner.User, o WatchOrder) (Watch, bool, error) {
	all, err := s.store.Subscriptions(ctx, user)
	if err != nil {
		return Watch{}, false, fmt.Errorf("read contracts: %w", err)
	}
	c, found := s.find(all, o)
	if !found {
		return Watch{}, false, nil
	}
	rows, err := s.store.TransactionsSince(ctx, user, c.Last)
	if err != nil {
		return Watch{}, false, fmt.Errorf("read transactions: %w", err)
	}
	latest := c.TransactionIDs[len(c.TransactionIDs)-1]
	i := slices.IndexFunc(rows, func(t transaction.Transaction) bool { return t.ID == latest })
	if i < 0 {
		return Watch{}, false, errors.New("the last payment of the contract is missing: a sync is writing it")
	}
	last := rows[i]
	return Watch{
		CancellationID: o.CancellationID, Owner: user, SentOn: o.SentOn, End: o.End,
		Last: debitOf(last),
		Contract: WatchedContract{
			SubscriptionID: c.ID, AccountID: last.AccountID, Merchant: c.Merchant,
			Subcategory: c.Category.SubcategoryID, Amount: c.Amount, YearlyCost: c.YearlyCost, Currency: c.Currency,
			Frequency: c.Frequency, TimesPerYear: c.TimesPerYear, MandateID: last.MandateID,
		},
	}, true, nil
}

// find returns the contract of an order. One that the partner did not name is found if it is
// the only one with the organization that ran when the letter was sent.
func (s *Watches) find(all []Subscription, o WatchOrder) (Subscription, bool) {
	matching := slices.DeleteFunc(slices.Clone(all), func(c Subscription) bool {
		if o.SubscriptionID != "" {
			return c.ID != o.SubscriptionID
		}
		return c.Overdue < o.SentOn || c.Merchant.ID == "" || s.OrganizationOf(c.Merchant.ID) != o.OrganizationID
	})
	if len(matching) != 1 {
		return Subscription{}, false
	}
	return matching[0], true
}

// Check looks after the user's watches.
func (s *Watches) Check(ctx context.Context, user owner.User) error {
	all, accounts, err := s.store.WatchedAccounts(ctx, user)
	if err != nil {
		return fmt.Errorf("read accounts: %w", err)
	}
	now := clock.Now(ctx, s.now)
	today := pfm.DateOf(now)
	open := slices.DeleteFunc(all, func(w Watch) bool { return w.DueAt.IsZero() && w.OpenUntil() < today })
	if len(open) == 0 {
		return nil
	}
	contracts, err := s.store.Subscriptions(ctx, user)
	if err != nil {
		return fmt.Errorf("read contracts: %w", err)
	}
	view := watchView{today: today}
	for _, w := range open {
		if from := w.lookFrom(today); from != "" && (view.from == "" || from < view.from) {
			view.from = from
		}
	}
	if view.from != "" {
		if view.rows, err = s.store.TransactionsSince(ctx, user, view.from); err != nil {
			return fmt.Errorf("read transactions: %w", err)
		}
	}
	for _, w := range open {
		next := w
		next.look(view.of(w, accounts, contracts))
		if err := s.keep(ctx, w, next, now); err != nil {
			return err
		}
	}
	return nil
}

// of returns the view for one watch.
func (v watchView) of(w Watch, accounts map[string]WatchedAccount, contracts []Subscription) watchView {
	v.ours, v.others = map[string]bool{}, map[string]bool{}
	for _, c := range contracts {
		ids := v.others
		switch {
		case c.ID == w.Contract.SubscriptionID:
			ids = v.ours
		case c.First > w.end(): // the same contract, paid from another account
			continue
		}
		for _, id := range c.TransactionIDs {
			ids[id] = true
		}
	}
	v.lost = WatchAccountDeleted
	if a, ok := accounts[w.Contract.AccountID]; ok {
		v.lost, v.readTo = a.lostFor(v.today), pfm.DateOf(a.LastSuccessAt)
	}
	return v
}

// WatchedAccount is what matters to watches about an account: whether its connection is Active, and
// when a sync last succeeded.
type WatchedAccount struct {
	IsActive      bool
	LastSuccessAt time.Time
}

// lostFor returns why nobody knows what happens on the account, and empty if somebody does.
func (a WatchedAccount) lostFor(today pfm.Date) WatchReason {
	switch {
	case !a.IsActive:
		return WatchConnectionLost
	case pfm.DateOf(a.LastSuccessAt).AddDays(outdatedDays) < today:
		return WatchDataOutdated
	default:
		return ""
	}
}

// keep stores what has changed, and reports what the cancellation has to show.
func (s *Watches) keep(ctx context.Context, was, next Watch, now time.Time) error {
	if next.Reason == WatchAccountDeleted {
		next.forget()
	}
	changed := next.Outcome != was.Outcome || next.Reason != was.Reason || !slices.Equal(next.AfterEnd, was.AfterEnd)
	switch {
	case next.Outcome == WatchEnded || next.OpenUntil() < pfm.DateOf(now):
		next.DueAt = time.Time{} // from now on only syncs look
	case next.DueAt.Before(now.Add(watchEvery / 2)):
		next.DueAt = now.Add(watchEvery)
	}
	if !changed && next.DueAt.Equal(was.DueAt) && next.CheckedOn == was.CheckedOn && next.Last == was.Last {
		return nil
	}
	if !changed {
		return s.save(ctx, next, nil)
	}
	next.Reports++
	return s.save(ctx, next, next.report(was))
}

// save saves a watch with its report. If the user has been erased, there is nothing to do.
func (s *Watches) save(ctx context.Context, w Watch, report *OutcomeJob) error {
	err := s.store.SaveWatch(ctx, w, report)
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return nil
	case errors.Is(err, outcome.ErrChanged):
		return &outcome.Later{After: time.Second, Err: errors.New("somebody else looks after the watch"), Normal: true}
	case err != nil:
		return fmt.Errorf("save watch: %w", err)
	}
	return nil
}

func debitOf(t transaction.Transaction) Debit {
	return Debit{TransactionID: t.ID, Date: t.RecordDate, Amount: t.Amount, Currency: t.Currency}
}
