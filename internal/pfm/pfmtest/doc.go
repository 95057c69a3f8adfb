// Package pfmtest is what tests of the PFM area share: a bank that does as it is
// told and remembers what it was asked, a clock that stands still, and things to
// fill a store with.
package pfmtest

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"aviso/internal/clocktest"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// NewClock stands at noon UTC of 2 March 2026.
func NewClock() *Clock { return clocktest.New() }

// Clock is a time that only a test moves.
type Clock = clocktest.Clock

// IDs gives UUIDs that count up.
func IDs() func() string {
	var n atomic.Int64
	return func() string { return ID(int(n.Add(1))) }
}

// ID is the UUID of a number.
func ID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// User is a user of a partner.
func User() owner.User {
	return owner.User{Partner: "sandbox", ID: "1b4e28ba-2fa1-4d1e-883f-0016d3cca427"}
}

// Provider is a bank to which connections can be made.
func Provider() pfm.Provider {
	return pfm.Provider{
		ID: "0b0f7a3c-3d0d-5f0e-9d5c-6f1b7c1f1a11", CountryCode: "DE", Name: "Nordlicht Bank", LogoURL: "https://aviso.example/logos/nordlicht.svg",
		Status: pfm.ProviderActive, SupportedAccountTypes: []pfm.AccountType{pfm.AccountCurrent, pfm.AccountSaving}, Timezone: "Europe/Berlin",
		RefreshTimeoutMinutes: 60, MaxConsentDays: 180, Regulated: true, MaxFetchInterval: 730,
		Endpoint: pfm.BankEndpoint{BaseURL: "https://bank.example"},
	}
}

// Gate lets every call pass, or refuses all with Refusal.
type Gate struct{ Refusal error }

// Admit refuses with Refusal.
func (g Gate) Admit(context.Context, owner.User) error { return g.Refusal }

// ReturnURLs are the addresses that count as registered, for every partner.
type ReturnURLs []string

// Allowed implements pfm.MayReturn.
func (r ReturnURLs) Allowed(_ context.Context, _ owner.PartnerID, target string) (bool, error) {
	if slices.Contains(r, target) {
		return true, nil
	}
	return false, nil
}

// Enrich is a pfm.Enrich that places nothing.
func Enrich(pfm.Transaction, string) (pfm.Category, pfm.Merchant, pfm.CategorySource, string) {
	return pfm.Uncategorised(), pfm.Merchant{}, pfm.SourceNone, ""
}

// Cancellables is what can be cancelled, by merchant id.
type Cancellables map[string]pfm.Cancellable

// Find implements pfm.FindCancellables.
func (c Cancellables) Find(_ context.Context, merchantIDs []string) (map[string]pfm.Cancellable, error) {
	found := map[string]pfm.Cancellable{}
	for _, id := range merchantIDs {
		if what, ok := c[id]; ok {
			found[id] = what
		}
	}
	return found, nil
}

// ChangesToken is a pfm.ChangesToken that anybody can read.
func ChangesToken(user owner.User, since pfm.ChangePosition) string {
	return fmt.Sprintf("%s %d %d", user.ID, since.Read, since.CaughtUp)
}
