// Package pfmtest has helpers for tests of the PFM area: a fake bank that records its
// calls, a clock that stands still, and test data.
package pfmtest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/clocktest"
)

// NewClock returns a clock that shows 2 March 2026, noon UTC.
func NewClock() *Clock { return clocktest.New() }

// Clock is a clock that only the test advances.
type Clock = clocktest.Clock

// IDs returns a function that returns consecutive UUIDs.
func IDs() func() string {
	var n atomic.Int64
	return func() string { return ID(int(n.Add(1))) }
}

// ID returns a UUID that ends in n.
func ID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// User returns a user of a partner.
func User() owner.User {
	return owner.User{Partner: "sandbox", ID: "1b4e28ba-2fa1-4d1e-883f-0016d3cca427"}
}

// Provider returns a bank that accepts connections.
func Provider() pfm.Provider {
	return pfm.Provider{
		ID: "0b0f7a3c-3d0d-5f0e-9d5c-6f1b7c1f1a11", CountryCode: "DE",
		Name: "Nordlicht Bank", LogoURL: "https://aviso.example/logos/nordlicht.svg", Status: pfm.ProviderActive,
		SupportedAccountTypes: []pfm.AccountType{pfm.AccountCurrent, pfm.AccountSaving}, Timezone: "Europe/Berlin",
		RefreshTimeoutMinutes: 60, MaxConsentDays: 180, Regulated: true, MaxFetchInterval: 730,
		Endpoint: pfm.BankEndpoint{BaseURL: "https://bank.example"},
	}
}

// Gate is an owner.Gate that admits everybody, or nobody if Refusal is set.
type Gate struct{ Refusal error }

// Admit returns Refusal.
func (g Gate) Admit(context.Context, owner.User) error { return g.Refusal }

// ReturnURLs are the URLs that count as registered for every partner.
type ReturnURLs []string

// Choose implements connection.ReturnURL.
func (r ReturnURLs) Choose(_ context.Context, _ owner.PartnerID, wanted string) (owner.Destination, error) {
	if wanted == "" || slices.Contains(r, wanted) {
		return owner.Destination{To: cmp.Or(wanted, r[0])}, nil
	}
	return owner.Destination{Registered: r}, nil
}

// Enrich is a transaction.Enrich that finds nothing but the name.
func Enrich(t transaction.Transaction, _ string) transaction.Transaction {
	t.Category, t.Source, t.PartyName = pfm.Uncategorised(), pfm.SourceNone, t.Counterparty
	return t
}

// Cancellables is a catalogue of what can be cancelled, by merchant ID.
type Cancellables map[string]contract.Cancellable

// Find implements contract.FindCancellables.
func (c Cancellables) Find(_ context.Context, contracts []contract.Subscription) error {
	for i := range contracts {
		if cancellable, ok := c[contracts[i].Merchant.ID]; ok {
			contracts[i].Cancellable = &cancellable
		}
	}
	return nil
}

// Deadlines are those of products, by product ID, whenever the contract began.
type Deadlines map[string]pfm.ContractDeadline

// Find implements contract.FindDeadlines.
func (d Deadlines) Find(_ context.Context, contracts []contract.Subscription) error {
	for i := range contracts {
		if product := contracts[i].Cancellable; product != nil {
			if deadline, ok := d[product.ProductID]; ok {
				contracts[i].Deadline = &deadline
			}
		}
	}
	return nil
}

// Jobs returns the jobs on connections, which read these banks. The store is a *pfmdb.Store.
func Jobs(
	store interface {
		connection.SyncStore
		connection.JobStore
		contract.Store
	}, bank pfm.SupplierOf, enrich transaction.Enrich, now func() time.Time,
) *connection.Jobs {
	return connection.NewJobs(store, connection.NewSyncer(
		store, contract.NewWatches(store, now), bank, enrich, ChangesToken, now, uuid.NewString,
	))
}

// ChangesToken is a connection.ChangesToken that returns readable text.
func ChangesToken(user owner.User, since transaction.ChangePosition) string {
	return fmt.Sprintf("%s %d %d", user.ID, since.Read, since.CaughtUp)
}
