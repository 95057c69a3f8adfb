package pfm

import (
	"context"
	"errors"
	"strings"

	"aviso/internal/apierror"
	"aviso/internal/outcome"
	"aviso/internal/textfold"
)

// ErrRowChanged reports that one of several rows was changed meanwhile, while
// outcome.ErrChanged reports that the lease for all of them is lost.
var ErrRowChanged = errors.New("pfm: row changed meanwhile")

// MaxConsentDays is the longest life of a consent, whatever a bank offers (RTS
// on strong customer authentication, article 10a).
const MaxConsentDays = 180

// ProviderStatus tells whether connections to a provider can be made.
type ProviderStatus string

// The states of a provider.
const (
	ProviderActive   ProviderStatus = "Active"
	ProviderInactive ProviderStatus = "Inactive"
	ProviderDisabled ProviderStatus = "Disabled"
)

// Provider is a bank.
type Provider struct {
	ID string
	// CountryCode is ISO 3166-1 alpha-2 in upper case.
	CountryCode           string
	Name                  string
	LogoURL               string
	Status                ProviderStatus
	SupportedAccountTypes []AccountType
	// Timezone is an IANA name.
	Timezone string
	// RefreshTimeoutMinutes is the least gap between two refreshes.
	RefreshTimeoutMinutes int
	// MaxConsentDays is the longest consent the bank grants.
	MaxConsentDays int
	Regulated      bool
	// MaxFetchInterval is how many days of history the bank gives.
	MaxFetchInterval int
	// AutomaticFetch is nil where it is not known.
	AutomaticFetch *bool
	// Meta is further text about the provider, by name; may be empty.
	Meta     map[string]string
	Endpoint BankEndpoint
}

// ConsentDays is the life of a consent asked from the provider.
func (p Provider) ConsentDays() int { return min(p.MaxConsentDays, MaxConsentDays) }

// Country is a country with at least one provider.
type Country struct {
	Code          string
	ProviderCount int
}

// ProviderFilter narrows a list of providers; empty fields do not.
type ProviderFilter struct {
	CountryCode string
	// NamePrefix matches the beginning of any word of the name. It is compared as
	// package textfold folds it.
	NamePrefix string
}

// Providers lists and finds banks.
type Providers struct{ store Store }

// NewProviders reads from store.
func NewProviders(store Store) *Providers { return &Providers{store: store} }

// List is one page of the providers that match.
func (s *Providers) List(ctx context.Context, f ProviderFilter, limit int, position string) ([]Provider, string, error) {
	f.CountryCode = strings.ToUpper(f.CountryCode)
	f.NamePrefix = textfold.Name(f.NamePrefix)
	return s.store.Providers(ctx, f, limit, position)
}

// Get is one provider.
func (s *Providers) Get(ctx context.Context, id string) (Provider, error) {
	p, err := s.store.Provider(ctx, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return Provider{}, apierror.New(apierror.NotFound, "There is no provider of this id.")
	}
	return p, err
}

// Countries are those with at least one provider, by code.
func (s *Providers) Countries(ctx context.Context) ([]Country, error) { return s.store.Countries(ctx) }
