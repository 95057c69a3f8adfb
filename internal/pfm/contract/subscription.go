package contract

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/money"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/transaction"
	"aviso/internal/textfold"
)

// Subscription is a contract with a merchant, found in the payments for it.
type Subscription struct {
	// ID stays as long as payments follow each other.
	ID string
	// Merchant has a name but no ID if only the counterparty is known.
	Merchant pfm.Merchant
	// Category is the category of the last payment.
	Category pfm.Category
	// Amount is what is paid each time, negative: the current price or, if amounts change all
	// the time, the median of about the last year.
	Amount    money.Amount
	Currency  string
	Frequency transaction.Frequency
	// TimesPerYear is the number of payments in a year. For every four weeks it is 13, not 12.
	TimesPerYear int
	// First and Last are the days of the first and the last payment.
	First, Last pfm.Date
	// NextExpected is when the next payment is due. If no payment has arrived by
	// Overdue, the contract counts as ended.
	NextExpected, Overdue pfm.Date
	// YearlyCost is positive.
	YearlyCost money.Amount
	// TransactionIDs are the latest payments, oldest first.
	TransactionIDs []string
	// Cancellable is the catalogue entry for cancelling the contract; nil if there is
	// none.
	Cancellable *Cancellable
	// Start is the first day of the contract. StartSource is StartFirstPayment or StartUser.
	Start       pfm.Date
	StartSource string
	// Deadline is nil if the product or its terms are not known.
	Deadline *pfm.ContractDeadline
	// PriceChanges are those that the latest payments show, oldest first.
	PriceChanges []PriceStep
}

// Cancellable identifies a product in the cancellation catalogue.
type Cancellable struct {
	OrganizationID string `json:"organizationId"`
	ProductID      string `json:"productId"`
}

// Subscriptions finds users' contracts, how their prices changed, and what those save that have ended.
type Subscriptions struct {
	store  Store
	terms  terms
	rights FindSpecialRights
	gate   owner.Gate
	now    func() time.Time
}

// NewSubscriptions returns the service for users that g admits.
func NewSubscriptions(
	store Store, cancellables FindCancellables, deadlines FindDeadlines, rights FindSpecialRights, g owner.Gate,
	now func() time.Time,
) *Subscriptions {
	return &Subscriptions{store: store, terms: terms{cancellables, deadlines}, rights: rights, gate: g, now: now}
}

// List returns the user's contracts that have not ended, the most expensive first.
func (s *Subscriptions) List(ctx context.Context, user owner.User) ([]Subscription, error) {
	list, facts, err := readContracts(ctx, s.store, s.gate, user)
	if err != nil {
		return nil, err
	}
	list = running(list, pfm.DateOf(clock.Now(ctx, s.now)))
	slices.SortFunc(list, func(a, b Subscription) int {
		return cmp.Or(
			b.YearlyCost.Cmp(a.YearlyCost),
			strings.Compare(textfold.Name(a.Merchant.Name), textfold.Name(b.Merchant.Name)),
			slices.Compare(a.TransactionIDs, b.TransactionIDs),
		)
	})
	return list, s.terms.complete(ctx, list, facts)
}

// readContracts reads the user's contracts with what the user has said about them.
func readContracts(
	ctx context.Context, store Store, g owner.Gate, user owner.User,
) (list []Subscription, facts map[string]Facts, err error) {
	list, err = owner.Read(ctx, g, user, func(ctx context.Context) (list []Subscription, err error) {
		var notes Notes
		var reading errgroup.Group
		reading.Go(func() (err error) { notes, err = store.ContractNotes(ctx, user); return err })
		reading.Go(func() (err error) { list, err = store.Subscriptions(ctx, user); return err })
		err = reading.Wait()
		facts = notes.Facts
		return list, err
	})
	return list, facts, err
}

// running returns the contracts that have not ended.
func running(list []Subscription, today pfm.Date) []Subscription {
	return slices.DeleteFunc(list, func(c Subscription) bool { return today > c.Overdue })
}

// Change is what a user says about a contract. Members that are nil stay as they
// are; empty ones are taken back.
type Change struct {
	Start *pfm.Date
	// OrganizationID may be empty if the product is one of the organization that the
	// contract's merchant is.
	OrganizationID string
	ProductID      *string
}

// firstStart is the earliest day on which a contract can have begun.
const firstStart pfm.Date = "1900-01-01"

// hasBegun reports whether a day lies between firstStart and today. In Europe, the day
// begins up to three hours before UTC's.
func hasBegun(day pfm.Date, now time.Time) bool {
	return day >= firstStart && day <= pfm.DateOf(now.Add(3*time.Hour))
}

// noteTries is how often notes are written when the write loses a race.
const noteTries = 5

// Update stores what the user says about a contract, and returns it with its deadline. The
// contract may have ended.
func (s *Subscriptions) Update(
	ctx context.Context, user owner.User, id string, change Change,
) (Subscription, error) {
	list, err := owner.Read(ctx, s.gate, user, func(ctx context.Context) ([]Subscription, error) {
		return s.store.Subscriptions(ctx, user)
	})
	if err != nil {
		return Subscription{}, err
	}
	at := slices.IndexFunc(list, func(c Subscription) bool { return c.ID == id })
	if at < 0 {
		return Subscription{}, apierror.New(apierror.NotFound, "The user has no contract with this ID.")
	}
	c := list[at]
	now := clock.Now(ctx, s.now)
	if start := change.Start; start != nil && *start != "" && !hasBegun(*start, now) {
		return c, apierror.Invalid(apierror.Field{
			Pointer: "/contractStart", Code: "out_of_range", Detail: "Must be a day from 1900-01-01 to today.",
		})
	}
	product, err := s.product(ctx, c, change)
	if err != nil {
		return c, err
	}
	err = outcome.ErrChanged
	var notes Notes
	for try := 0; try < noteTries && errors.Is(err, outcome.ErrChanged); try++ {
		if notes, err = s.store.ContractNotes(ctx, user); err != nil {
			return c, fmt.Errorf("read notes on contracts: %w", err)
		}
		notes.say(id, change, product)
		notes.CheckAt = now
		err = s.store.SaveContractNotes(ctx, notes)
	}
	if err != nil {
		return c, fmt.Errorf("save notes on contracts: %w", err)
	}
	list = []Subscription{c}
	err = s.terms.complete(ctx, list, notes.Facts)
	return list[0], err
}

// product returns the product that the user names, if any.
func (s *Subscriptions) product(ctx context.Context, c Subscription, change Change) (*Cancellable, error) {
	if change.ProductID == nil || *change.ProductID == "" {
		return nil, nil //nolint:nilnil // nothing is named
	}
	c.Start = c.First
	list := []Subscription{c}
	product := Cancellable{OrganizationID: change.OrganizationID, ProductID: *change.ProductID}
	if product.OrganizationID == "" {
		if err := s.terms.cancellables(ctx, list); err != nil {
			return nil, fmt.Errorf("find cancellable products: %w", err)
		}
		if list[0].Cancellable == nil {
			return nil, apierror.Invalid(apierror.Field{
				Pointer: "/organizationId", Code: "required", Detail: "Send the product's organization; the merchant is none.",
			})
		}
		product.OrganizationID = list[0].Cancellable.OrganizationID
	}
	list[0].Cancellable = &product
	if err := s.terms.deadlines(ctx, list); err != nil {
		return nil, fmt.Errorf("find product: %w", err)
	}
	if list[0].Deadline == nil {
		return nil, apierror.Invalid(apierror.Field{
			Pointer: "/productId", Code: "unknown", Detail: "The organization has no product with this ID.",
		})
	}
	return &product, nil
}

// say applies a change.
func (n *Notes) say(id string, change Change, product *Cancellable) {
	said := n.Facts[id]
	if change.Start != nil {
		said.Start = *change.Start
	}
	if change.ProductID != nil {
		said.Product = product
	}
	if n.Facts == nil {
		n.Facts = map[string]Facts{}
	}
	n.Facts[id] = said
	if said == (Facts{}) {
		delete(n.Facts, id)
	}
}
