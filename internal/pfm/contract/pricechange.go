package contract

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/money"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
)

// EventPriceIncreased is the type of the event about a contract's price.
const EventPriceIncreased = "contract.price_increased"

// PriceEventData is the data of EventPriceIncreased. The prices are read when it arrives.
type PriceEventData struct {
	SubscriptionID string   `json:"subscriptionId"`
	TransactionID  string   `json:"transactionId"`
	Since          pfm.Date `json:"since"`
}

const (
	// riseNoticeDays is for how many days after the payment that shows a price rise partners are
	// notified of it. The first sync of an account brings older ones, which are not news.
	riseNoticeDays = 60
	// MaxPriceEvents is how many events PriceEvents returns at most. They share a transaction with the records.
	MaxPriceEvents = 2
)

// PriceStep is a change of what a contract costs each time, as payments show it.
type PriceStep struct {
	// Old and New are negative.
	Old, New money.Amount
	// Since is the day of the first payment at the new price, and TransactionID its ID.
	// SeenOn is the day of the payment that shows that it is one.
	Since, SeenOn pfm.Date
	TransactionID string
}

// IsRise reports whether the contract costs more.
func (p PriceStep) IsRise() bool { return p.New.Cmp(p.Old) < 0 }

// PriceChange is a price step with its contract. Percent is rounded half to even.
type PriceChange struct {
	SubscriptionID      string                `json:"subscriptionId" format:"uuid"`
	Merchant            pfm.Reference         `json:"merchant"`
	RecurrenceFrequency transaction.Frequency `json:"recurrenceFrequency" enum:"Weekly,BiWeekly,Monthly,Quarterly,SemiAnnually,Annually"`
	CurrencyCode        string                `json:"currencyCode"`
	OldAmount           money.Amount          `json:"oldAmount"`
	NewAmount           money.Amount          `json:"newAmount"`
	Since               pfm.Date              `json:"since" format:"date"`
	TransactionID       string                `json:"transactionId" format:"uuid"`
	Percent             money.Amount          `json:"percent"`
	YearlyDifference    money.Amount          `json:"yearlyDifference"`
	SpecialRight        SpecialRight          `json:"specialRight"`

	Contract Subscription `json:"-"`
}

// SpecialRight is whether a price rise gives a right to end the contract early.
type SpecialRight struct {
	Answer  string   `json:"answer" enum:"Yes,No,Unknown"`
	Source  string   `json:"source"`
	LastDay pfm.Date `json:"lastDay,omitempty" format:"date"`
	Missing []string `json:"missing" enum:"product,reason,noticeDate,effectDate" nullable:"false"`
	Text    string   `json:"text"`

	Reason *PriceRiseReason `json:"reason,omitempty"`
}

// PriceRiseReason is what a cancellation by the right names.
type PriceRiseReason struct {
	Kind string   `json:"kind" enum:"PriceRise"`
	Date pfm.Date `json:"date" format:"date"`
}

// FindSpecialRights sets the special rights of price changes.
type FindSpecialRights func(ctx context.Context, changes []PriceChange, q PriceQuery) error

// PriceQuery says which price changes are asked for, and what is known about them.
type PriceQuery struct {
	// SubscriptionID limits the answer to one contract unless it is empty.
	SubscriptionID string
	// NoticeDate is the day on which the organization told the user of the rise; empty if it
	// is not known.
	NoticeDate pfm.Date
	// Language of the texts, and Country whose law applies to contracts without a product.
	// Either may be empty.
	Language, Country string
}

// change returns a price change of the contract with its figures.
func (c Subscription) change(p PriceStep) (PriceChange, error) {
	change := PriceChange{
		SubscriptionID: c.ID, Merchant: c.Merchant.Reference(), RecurrenceFrequency: c.Frequency, CurrencyCode: c.Currency,
		OldAmount: p.Old, NewAmount: p.New, Since: p.Since, TransactionID: p.TransactionID, Contract: c,
	}
	var err error
	if change.Percent, err = p.New.PercentAbove(p.Old); err != nil {
		return change, fmt.Errorf("price change: %w", err)
	}
	more, err := p.Old.Add(p.New.Neg())
	if err == nil {
		change.YearlyDifference, err = more.Times(c.TimesPerYear)
	}
	if err != nil {
		return change, fmt.Errorf("price change: %w", err)
	}
	return change, nil
}

// PriceEvents returns the events about price rises that the records show, and notes in the records
// that partners are notified of them, so that each event is sent once. If there are too many, the
// rest waits until its record is written next.
func PriceEvents(records map[GroupID]*Record, now time.Time) ([]pfm.Event, error) {
	var events []pfm.Event
	today := pfm.DateOf(now)
	for _, r := range records {
		contracts, err := r.Subscriptions()
		if err != nil {
			return nil, err
		}
		r.Told = slices.DeleteFunc(r.Told, func(t ToldRise) bool { return !slices.Contains(r.Group.Contracts, t.Contract) })
		for _, c := range running(contracts, today) {
			if len(c.PriceChanges) == 0 || len(events) == MaxPriceEvents {
				continue
			}
			latest := c.PriceChanges[len(c.PriceChanges)-1]
			isTold := slices.ContainsFunc(r.Told, func(t ToldRise) bool {
				return t.Contract == c.ID && t.Price.Equal(latest.New) || t.TransactionID == latest.TransactionID
			})
			if isTold || !latest.IsRise() || latest.SeenOn < today.AddDays(-riseNoticeDays) {
				continue
			}
			r.Told = append(r.Told, ToldRise{Contract: c.ID, Price: latest.New, TransactionID: latest.TransactionID})
			events = append(events, pfm.Event{Type: EventPriceIncreased, At: now, Data: PriceEventData{
				SubscriptionID: c.ID, TransactionID: latest.TransactionID, Since: latest.Since,
			}})
		}
	}
	return events, nil
}

// PriceChanges returns the price changes of contracts that have not ended, the latest first.
func (s *Subscriptions) PriceChanges(ctx context.Context, user owner.User, q PriceQuery) ([]PriceChange, error) {
	now := clock.Now(ctx, s.now)
	switch notice := q.NoticeDate; {
	case notice == "":
	case q.SubscriptionID == "":
		return nil, apierror.Invalid(apierror.Field{
			Parameter: "subscriptionId", Code: "required", Detail: "Send the contract that the notice is about.",
		})
	case !hasBegun(notice, now):
		return nil, apierror.Invalid(apierror.Field{
			Parameter: "noticeDate", Code: "out_of_range", Detail: "Must be a day from 1900-01-01 to today.",
		})
	}
	list, facts, err := readContracts(ctx, s.store, s.gate, user)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(running(list, pfm.DateOf(now)), func(c Subscription) bool {
		return len(c.PriceChanges) == 0 || q.SubscriptionID != "" && c.ID != q.SubscriptionID
	})
	if err := s.terms.addProducts(ctx, list, facts); err != nil {
		return nil, err
	}
	changes := []PriceChange{}
	for _, c := range list {
		for _, p := range c.PriceChanges {
			change, err := c.change(p)
			if err != nil {
				return nil, err
			}
			changes = append(changes, change)
		}
	}
	slices.SortFunc(changes, func(a, b PriceChange) int {
		return cmp.Or(cmp.Compare(b.Since, a.Since), strings.Compare(a.TransactionID, b.TransactionID))
	})
	if err := s.rights(ctx, changes, q); err != nil {
		return nil, fmt.Errorf("find special rights: %w", err)
	}
	return changes, nil
}
