package pfmtest

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"aviso/internal/pfm"
)

// The operations of a bank, as Bank.Before is told of them.
const (
	RequestConsent   = "request consent"
	ReadConsent      = "read consent"
	EndConsent       = "end consent"
	ReadAccounts     = "read accounts"
	ReadTransactions = "read transactions"
)

// Ask is one call for transactions.
type Ask struct {
	Session    pfm.Session
	ResourceID string
	From       pfm.Date
}

// Bank is a pfm.Supplier in memory. Its fields are set before it is used.
type Bank struct {
	// Before is called before each operation; its error is the bank's answer.
	Before func(operation string) error
	// Listed are the accounts, Rows the transactions by resource id.
	Listed []pfm.BankAccount
	Rows   map[string][]pfm.BankTransaction
	// TellsAll makes the bank tell every row, whatever day it is asked for.
	TellsAll bool

	mu        sync.Mutex
	consents  map[string]pfm.Consent
	requested []pfm.ConsentRequest
	ended     []string
	asked     []Ask
}

var _ pfm.Supplier = (*Bank)(nil)

// Failure is an error of the bank's side.
func Failure(kind pfm.SupplierErrorKind) *pfm.SupplierError {
	return &pfm.SupplierError{Kind: kind, Operation: "test"}
}

func (b *Bank) before(operation string) error {
	if b.Before == nil {
		return nil
	}
	return b.Before(operation)
}

// RequestConsent makes a consent that waits for the user. They are numbered
// consent-1, consent-2 and so on.
func (b *Bank) RequestConsent(_ context.Context, _ pfm.BankEndpoint, req pfm.ConsentRequest) (pfm.RequestedConsent, error) {
	if err := b.before(RequestConsent); err != nil {
		return pfm.RequestedConsent{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.requested = append(b.requested, req)
	id := fmt.Sprintf("consent-%d", len(b.requested))
	b.set(id, pfm.Consent{State: pfm.ConsentReceived, ValidUntil: req.ValidUntil})
	return pfm.RequestedConsent{ID: id, RedirectURL: "https://bank.example/authorise/" + id}, nil
}

// Consent reads what SetConsent said.
func (b *Bank) Consent(_ context.Context, _ pfm.BankEndpoint, id string) (pfm.Consent, error) {
	if err := b.before(ReadConsent); err != nil {
		return pfm.Consent{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	c, ok := b.consents[id]
	if !ok {
		return pfm.Consent{}, Failure(pfm.SupplierConsentUnknown)
	}
	return c, nil
}

// EndConsent remembers which one was ended.
func (b *Bank) EndConsent(_ context.Context, _ pfm.BankEndpoint, id string) error {
	if err := b.before(EndConsent); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = append(b.ended, id)
	return nil
}

// Accounts gives Listed.
func (b *Bank) Accounts(context.Context, pfm.BankEndpoint, pfm.Session) ([]pfm.BankAccount, error) {
	if err := b.before(ReadAccounts); err != nil {
		return nil, err
	}
	return b.Listed, nil
}

// Transactions gives the rows of the account from the day on; pending ones are
// given whatever their day.
func (b *Bank) Transactions(_ context.Context, _ pfm.BankEndpoint, s pfm.Session, resourceID string, from pfm.Date) iter.Seq2[pfm.BankTransaction, error] {
	b.mu.Lock()
	b.asked = append(b.asked, Ask{Session: s, ResourceID: resourceID, From: from})
	b.mu.Unlock()
	return func(yield func(pfm.BankTransaction, error) bool) {
		if err := b.before(ReadTransactions); err != nil {
			yield(pfm.BankTransaction{}, err)
			return
		}
		for _, row := range b.Rows[resourceID] {
			if row.Booked && row.BookingDate < from && !b.TellsAll {
				continue
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// SetConsent says what the consent is at the bank.
func (b *Bank) SetConsent(id string, c pfm.Consent) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.set(id, c)
}

func (b *Bank) set(id string, c pfm.Consent) {
	if b.consents == nil {
		b.consents = map[string]pfm.Consent{}
	}
	b.consents[id] = c
}

// Requested are the consents asked for.
func (b *Bank) Requested() []pfm.ConsentRequest {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.requested)
}

// Ended are the ids of the consents that were ended.
func (b *Bank) Ended() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.ended)
}

// Asked are the calls for transactions.
func (b *Bank) Asked() []Ask {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.asked)
}
