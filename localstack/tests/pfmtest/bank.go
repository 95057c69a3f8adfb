package pfmtest

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"aviso/internal/pfm"
)

// The operations of a bank, as passed to Bank.Before.
const (
	RequestConsent   = "request consent"
	ReadConsent      = "read consent"
	EndConsent       = "end consent"
	ReadAccounts     = "read accounts"
	ReadTransactions = "read transactions"
)

// TransactionsCall is one call of Bank.Transactions.
type TransactionsCall struct {
	Session    pfm.Session
	ResourceID string
	From       pfm.Date
}

// Bank is an in-memory pfm.Supplier. Set its fields before you use it.
type Bank struct {
	// Before is called before each operation. If it returns an error, the operation
	// returns that error.
	Before func(operation string) error
	// RefuseRows returns the error with which an account's rows are refused, if any.
	RefuseRows func(resourceID string) error
	// Listed are the accounts, Rows the transactions by resource ID.
	Listed []pfm.BankAccount
	Rows   map[string][]pfm.BankTransaction
	// Next is the first step of each consent, if it is not the bank's page, and Secret is
	// that of its session.
	Next   *pfm.Step
	Secret string
	// Continue and Renew replace what ContinueConsent and RenewSession do. Optional.
	Continue func(req pfm.ConsentRequest, s pfm.Session, a pfm.UserAnswer) (pfm.ConsentProgress, error)
	Renew    func(s pfm.Session) (pfm.Session, error)
	// IgnoresFrom makes the bank return all rows, whatever day is requested.
	IgnoresFrom bool

	// Requested are the consent requests so far, Ended the IDs of the consents that were ended,
	// and Calls the calls of Transactions.
	Requested []pfm.ConsentRequest
	Ended     []string
	Calls     []TransactionsCall

	mu       sync.Mutex
	consents sync.Map // by ID
}

var _ pfm.Supplier = (*Bank)(nil)

// On sets Before for one operation.
func (b *Bank) On(operation string, do func() error) {
	b.Before = func(now string) error {
		if now != operation {
			return nil
		}
		return do()
	}
}

// Of implements pfm.SupplierOf.
func (b *Bank) Of(pfm.BankEndpoint) pfm.Supplier { return b }

// Failure returns an error on the bank's side.
func Failure(kind pfm.SupplierErrorKind) *pfm.SupplierError {
	return &pfm.SupplierError{Kind: kind, Operation: "test"}
}

func (b *Bank) before(operation string) error {
	if b.Before == nil {
		return nil
	}
	return b.Before(operation)
}

// RequestConsent creates a consent that waits for the user. The IDs are consent-1,
// consent-2 and so on.
func (b *Bank) RequestConsent(
	_ context.Context, _ pfm.BankEndpoint, req pfm.ConsentRequest,
) (pfm.ConsentProgress, error) {
	if err := b.before(RequestConsent); err != nil {
		return pfm.ConsentProgress{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.Requested = append(b.Requested, req)
	id := fmt.Sprintf("consent-%d", len(b.Requested))
	b.SetConsent(id, pfm.Consent{State: pfm.ConsentReceived, ValidUntil: req.ValidUntil})
	next := pfm.Step{Kind: pfm.StepRedirect, URL: "https://bank.example/authorise/" + id}
	if b.Next != nil {
		next = *b.Next
	}
	session := pfm.Session{ConnectionID: req.ConnectionID, ConsentID: id, Secret: b.Secret}
	return pfm.ConsentProgress{Session: session, Next: next}, nil
}

// ContinueConsent calls Continue or, if that is nil, returns what SetConsent has set.
func (b *Bank) ContinueConsent(
	ctx context.Context, bank pfm.BankEndpoint, req pfm.ConsentRequest, s pfm.Session, a pfm.UserAnswer,
) (pfm.ConsentProgress, error) {
	if b.Continue != nil {
		return b.Continue(req, s, a)
	}
	consent, err := b.Consent(ctx, bank, s)
	return pfm.ConsentProgress{Session: s, Consent: consent}, err
}

// RenewSession calls Renew or, if that is nil, returns the session.
func (b *Bank) RenewSession(_ context.Context, _ pfm.BankEndpoint, s pfm.Session) (pfm.Session, error) {
	if b.Renew != nil {
		return b.Renew(s)
	}
	return s, nil
}

// Consent returns what SetConsent has set.
func (b *Bank) Consent(_ context.Context, _ pfm.BankEndpoint, s pfm.Session) (pfm.Consent, error) {
	if err := b.before(ReadConsent); err != nil {
		return pfm.Consent{}, err
	}
	c, ok := b.consents.Load(s.ConsentID)
	if !ok {
		return pfm.Consent{}, Failure(pfm.SupplierConsentUnknown)
	}
	return c.(pfm.Consent), nil
}

// EndConsent records that the consent was ended.
func (b *Bank) EndConsent(_ context.Context, _ pfm.BankEndpoint, s pfm.Session) error {
	if err := b.before(EndConsent); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.Ended = append(b.Ended, s.ConsentID)
	return nil
}

// Accounts returns Listed.
func (b *Bank) Accounts(context.Context, pfm.BankEndpoint, pfm.Session) ([]pfm.BankAccount, error) {
	if err := b.before(ReadAccounts); err != nil {
		return nil, err
	}
	return b.Listed, nil
}

// Transactions yields the account's booked rows since a day, and all of its pending
// rows.
func (b *Bank) Transactions(
	_ context.Context, _ pfm.BankEndpoint, s pfm.Session, resourceID string, from pfm.Date,
) iter.Seq2[pfm.BankTransaction, error] {
	b.mu.Lock()
	b.Calls = append(b.Calls, TransactionsCall{Session: s, ResourceID: resourceID, From: from})
	b.mu.Unlock()
	return func(yield func(pfm.BankTransaction, error) bool) {
		if err := b.before(ReadTransactions); err != nil {
			yield(pfm.BankTransaction{}, err)
			return
		}
		if b.RefuseRows != nil {
			if err := b.RefuseRows(resourceID); err != nil {
				yield(pfm.BankTransaction{}, err)
				return
			}
		}
		for _, row := range b.Rows[resourceID] {
			if row.Booked && row.BookingDate < from && !b.IgnoresFrom {
				continue
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// SetConsent sets the consent at the bank.
func (b *Bank) SetConsent(id string, c pfm.Consent) { b.consents.Store(id, c) }
