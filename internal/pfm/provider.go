package pfm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"aviso/internal/api/apierror"
	"aviso/internal/outcome"
	"aviso/internal/textfold"
)

// ErrRowChanged reports that one of several rows changed in the meantime.
// outcome.ErrChanged, in contrast, reports that the lease for all of them is lost.
var ErrRowChanged = errors.New("pfm: row changed meanwhile")

// Store stores providers. Its methods return outcome.ErrNotFound if there is no such row.
type Store interface {
	// Provider returns one provider.
	Provider(ctx context.Context, id string) (Provider, error)
	// Providers returns a page of providers ordered by name, and the position of the
	// next page, which is empty at the end.
	Providers(
		ctx context.Context, f ProviderFilter, limit int, position string,
	) (page []Provider, next string, err error)
	// Countries returns the countries with at least one provider, ordered by code.
	Countries(ctx context.Context) ([]ProviderCountry, error)
	// AllProviders returns all providers, read consistently.
	AllProviders(ctx context.Context) ([]Provider, error)
	// PutProvider creates or replaces a provider and all its index rows. It returns
	// outcome.ErrChanged if somebody else wrote the provider at the same time.
	PutProvider(ctx context.Context, p Provider) error
}

// MaxConsentDays is the maximum lifetime of a consent, whatever a bank offers (RTS on
// strong customer authentication, article 10a).
const MaxConsentDays = 180

// ProviderStatus says whether a provider accepts connections.
type ProviderStatus string

// The statuses of a provider.
const (
	ProviderActive   ProviderStatus = "Active"
	ProviderInactive ProviderStatus = "Inactive"
	ProviderDisabled ProviderStatus = "Disabled"
)

// Provider is a bank.
type Provider struct {
	ID string `dynamodbav:"id"`
	// CountryCode is ISO 3166-1 alpha-2 in upper case.
	CountryCode           string         `dynamodbav:"countryCode"`
	Name                  string         `dynamodbav:"name"`
	LogoURL               string         `dynamodbav:"logoUrl"`
	Status                ProviderStatus `dynamodbav:"status"`
	SupportedAccountTypes []AccountType  `dynamodbav:"supportedAccountTypes"`
	// Timezone is an IANA name.
	Timezone string `dynamodbav:"timezone"`
	// RefreshTimeoutMinutes is the minimum time between two refreshes.
	RefreshTimeoutMinutes int `dynamodbav:"refreshTimeoutMinutes"`
	// MaxConsentDays is the longest consent that the bank grants.
	MaxConsentDays int  `dynamodbav:"maxConsentDays"`
	Regulated      bool `dynamodbav:"regulated"`
	// MaxFetchInterval is how many days of history the bank provides.
	MaxFetchInterval int `dynamodbav:"maxFetchInterval"`
	// AutomaticFetch is nil if unknown.
	AutomaticFetch *bool `dynamodbav:"automaticFetch,omitempty"`
	// Meta is additional text about the provider, by name; may be empty.
	Meta     map[string]string `dynamodbav:"meta,omitempty"`
	Endpoint BankEndpoint      `dynamodbav:"-"`
	// Profile says how the bank's answers differ from those of others.
	Profile Profile `dynamodbav:"-"`
}

// ConsentDays returns the lifetime of the consents that we request from the provider.
func (p Provider) ConsentDays() int { return min(p.MaxConsentDays, MaxConsentDays) }

// Wants returns those of the headers about a user that the bank wants.
func (p Provider) Wants(headers map[string]string) map[string]string {
	names := slices.Concat(p.Profile.Headers, p.Endpoint.ASPSP.PSUHeaders)
	wanted := maps.Clone(headers)
	maps.DeleteFunc(wanted, func(name, value string) bool {
		isName := func(other string) bool { return strings.EqualFold(other, name) }
		return value == "" || !slices.ContainsFunc(names, isName)
	})
	return wanted
}

// ProviderCountry is a country with at least one provider.
type ProviderCountry struct {
	Code          string `json:"countryCode"`
	ProviderCount int    `json:"providerCount"`
}

// ProviderFilter filters a list of providers; empty fields match everything.
type ProviderFilter struct {
	CountryCode string
	// NamePart matches any part of the name, folded by textfold.Name. All spellings of an
	// umlaut are equal; see textfold.Short.
	NamePart string
	// BIC and BankCode are codes that the provider has, folded by CodeKind.Fold.
	BIC, BankCode string
}

// CodeKind is a kind of code by which banks are known, named as in Provider.Meta. A
// provider may have several, separated by commas.
type CodeKind string

// The kinds of code. A bank code is that of a national register, such as a Bankleitzahl.
const (
	CodeBIC  CodeKind = "bic"
	CodeBank CodeKind = "bankCode"
)

// Fold returns a code in the form in which codes are compared: in upper case, and without
// the XXX with which a BIC may name the head office.
func (k CodeKind) Fold(code string) string {
	code = strings.ToUpper(strings.TrimSpace(code))
	if k == CodeBIC && len(code) == 11 {
		return strings.TrimSuffix(code, "XXX")
	}
	return code
}

// Codes returns the provider's codes of a kind, folded.
func (p Provider) Codes(kind CodeKind) []string {
	var codes []string
	for code := range strings.SplitSeq(p.Meta[string(kind)], ",") {
		if code = kind.Fold(code); code != "" {
			codes = append(codes, code)
		}
	}
	return codes
}

// Providers lists and finds banks.
type Providers struct{ Store Store }

// List returns one page of the matching providers, and the position of the next page.
func (s *Providers) List(
	ctx context.Context, f ProviderFilter, limit int, position string,
) (page []Provider, next string, err error) {
	f.CountryCode = strings.ToUpper(f.CountryCode)
	f.NamePart = textfold.Name(f.NamePart)
	f.BIC, f.BankCode = CodeBIC.Fold(f.BIC), CodeBank.Fold(f.BankCode)
	return s.Store.Providers(ctx, f, limit, position)
}

// Get returns one provider.
func (s *Providers) Get(ctx context.Context, id string) (Provider, error) {
	p, err := s.Store.Provider(ctx, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return Provider{}, apierror.New(apierror.NotFound, "There is no provider with this ID.")
	}
	return p, err
}

// ErrImportRunning is returned when another import writes providers at the same time.
var ErrImportRunning = errors.New("pfm: another import of providers is running; import again to write the rest")

// ProviderImport lists the IDs of the providers that an import has changed, or would
// change.
type ProviderImport struct {
	New, Changed []string
	// Retired are now Inactive, because they are no longer in the list.
	Retired   []string
	Unchanged int
}

// ImportProviders writes each provider that is new or differs from the stored one; with dryRun
// it writes nothing. A stored provider that is not in the list stays as it is; with
// retire, it becomes Inactive if it is Active. A list of banks that we call ourselves
// retires no bank of an aggregator, and the other way round. No provider is ever deleted,
// because connections refer to it. If an import is interrupted, the next one writes the rest.
// It returns ErrImportRunning if another import interferes.
func ImportProviders(
	ctx context.Context, store Store, list []Provider, dryRun, retire bool, progress func(done, total int),
) (ProviderImport, error) {
	stored, err := store.AllProviders(ctx)
	if err != nil {
		return ProviderImport{}, fmt.Errorf("read providers: %w", err)
	}
	known := make(map[string]Provider, len(stored))
	for _, p := range stored {
		known[p.ID] = p
	}
	if err := checkServers(list, stored); err != nil {
		return ProviderImport{}, err
	}
	var result ProviderImport
	var writes []Provider
	sources := map[string]bool{}
	byID := func(a, b Provider) int { return cmp.Compare(a.ID, b.ID) }
	for _, p := range slices.SortedFunc(slices.Values(list), byID) {
		sources[p.Endpoint.aggregator()] = true
		old, exists := known[p.ID]
		delete(known, p.ID)
		switch {
		case exists && sameProvider(old, p):
			result.Unchanged++
			continue
		case exists:
			result.Changed = append(result.Changed, p.ID)
		default:
			result.New = append(result.New, p.ID)
		}
		writes = append(writes, p)
	}
	for _, p := range stored {
		_, missing := known[p.ID]
		if missing && retire && p.Status == ProviderActive && sources[p.Endpoint.aggregator()] {
			p.Status = ProviderInactive
			result.Retired, writes = append(result.Retired, p.ID), append(writes, p)
		}
	}
	if dryRun {
		return result, nil
	}
	for done, p := range writes {
		if done%progressInterval == 0 {
			progress(done, len(writes))
		}
		err := store.PutProvider(ctx, p)
		if errors.Is(err, outcome.ErrChanged) {
			return result, ErrImportRunning
		}
		if err != nil {
			return result, fmt.Errorf("write provider %s: %w", p.ID, err)
		}
	}
	progress(len(writes), len(writes))
	return result, nil
}

// checkServers returns an error if a provider of the list names an authorization server that is
// another provider's.
func checkServers(list, stored []Provider) error {
	endpoints := map[string]BankEndpoint{}
	for _, p := range slices.Concat(stored, list) {
		endpoints[p.ID] = p.Endpoint
	}
	all := slices.Collect(maps.Values(endpoints))
	for _, p := range list {
		for _, s := range p.Endpoint.AuthorizationServers {
			if to, err := url.Parse(s); err != nil || p.Endpoint.IsClaimed(to, all) {
				return apierror.New(apierror.Conflict,
					"Provider "+p.ID+" names an authorization server that is another provider's: "+s)
			}
		}
	}
	return nil
}

// progressInterval is how many providers are written between two progress reports.
const progressInterval = 50

// sameProvider reports whether two providers are equal. A nil Meta equals an empty one.
func sameProvider(a, b Provider) bool {
	if len(a.Meta) == 0 && len(b.Meta) == 0 {
		a.Meta, b.Meta = nil, nil
	}
	return reflect.DeepEqual(a, b)
}
