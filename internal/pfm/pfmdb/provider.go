package pfmdb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

// providerRow is a provider. It is stored under its own key and again under each
// key that lists or finds it, so that a page is one query on one partition.
type providerRow struct {
	dynamo.Key

	ID                    string            `dynamodbav:"id"`
	CountryCode           string            `dynamodbav:"countryCode"`
	Name                  string            `dynamodbav:"name"`
	LogoURL               string            `dynamodbav:"logoUrl"`
	Status                string            `dynamodbav:"status"`
	SupportedAccountTypes []string          `dynamodbav:"supportedAccountTypes"`
	Timezone              string            `dynamodbav:"timezone"`
	RefreshTimeoutMinutes int               `dynamodbav:"refreshTimeoutMinutes"`
	MaxConsentDays        int               `dynamodbav:"maxConsentDays"`
	Regulated             bool              `dynamodbav:"regulated"`
	MaxFetchInterval      int               `dynamodbav:"maxFetchInterval"`
	AutomaticFetch        *bool             `dynamodbav:"automaticFetch,omitempty"`
	Meta                  map[string]string `dynamodbav:"meta,omitempty"`
	BaseURL               string            `dynamodbav:"baseUrl"`
	TransportSecret       string            `dynamodbav:"transportSecret,omitempty"`
	SealSecret            string            `dynamodbav:"sealSecret,omitempty"`
	SCA                   *scaRow           `dynamodbav:"sca,omitempty"`
	// Profile is JSON. Most providers have none.
	Profile string    `dynamodbav:"profile,omitempty"`
	ASPSP   *aspspRow `dynamodbav:"aspsp,omitempty"`
	// Word is the suffix of the name under which this row finds the provider; see
	// searchWords. Only word rows have it.
	Word string `dynamodbav:"word,omitempty"`
	// Codes is how many rows by code there are. Rows written before there were any have none.
	Codes int `dynamodbav:"codes,omitempty"`
	// Version counts the writes. Rows written before versions were introduced have none.
	Version int64 `dynamodbav:"version,omitempty"`
}

// countryRow counts the providers of a country.
type countryRow struct {
	Code      string `dynamodbav:"code"`
	Providers int    `dynamodbav:"providers"`
}

type scaRow struct {
	ClientID    string `dynamodbav:"clientId,omitempty"`
	MetadataURL string `dynamodbav:"metadataUrl,omitempty"`
	TokenFirst  bool   `dynamodbav:"tokenFirst,omitempty"`
	AsksPSUID   bool   `dynamodbav:"asksPsuId,omitempty"`
	AsksIBANs   bool   `dynamodbav:"asksIbans,omitempty"`
}

type aspspRow struct {
	Name       string   `dynamodbav:"name"`
	Country    string   `dynamodbav:"country"`
	Secret     string   `dynamodbav:"secret"`
	PSUHeaders []string `dynamodbav:"psuHeaders,omitempty"`
}

const (
	// maxName bounds folded names, in bytes. A sort key has at most 1,024.
	maxName = 512
	// maxIndexRows makes a change of all index rows, old and new, fit into one transaction
	// of 100 with the provider and the counts of two countries. maxWords leaves a few for
	// codes.
	maxIndexRows = 48
	// maxWords includes short forms, which have what room the words leave.
	maxWords = 20
)

// Provider reads one provider.
func (s *Store) Provider(ctx context.Context, id string) (pfm.Provider, error) {
	r, err := dynamo.Get[providerRow](ctx, s.table, providerKey(id), dynamo.Eventual)
	if err != nil {
		return pfm.Provider{}, err
	}
	return r.provider()
}

// AllProviders reads every provider consistently, ordered by name.
func (s *Store) AllProviders(ctx context.Context) ([]pfm.Provider, error) {
	var all []pfm.Provider
	for r, err := range dynamo.Each[providerRow](s.table.Query(ctx, dynamo.Query{
		Partition: providerListKey("*", "", "").PK,
	})) {
		if err != nil {
			return nil, err
		}
		p, err := r.provider()
		if err != nil {
			return nil, err
		}
		p.Outdated = r.Codes != countCodes(indexKeys(p))
		all = append(all, p)
	}
	return all, nil
}

// Providers reads a page of the list, or of the rows by code or by word if the filter has
// a code or a name. A provider with several matching words is listed once, under the one
// that comes first in the index. The position is the key of the last provider on the
// page.
func (s *Store) Providers(
	ctx context.Context, f pfm.ProviderFilter, limit int, position string,
) ([]pfm.Provider, string, error) {
	country := f.CountryCode
	if country == "" {
		country = "*"
	}
	if len(f.NamePrefix) > maxName {
		return nil, "", nil // no name is that long, and no key can be
	}
	q := dynamo.Query{Partition: providerListKey(country, "", "").PK, Eventual: true, Limit: limit + 1}
	search, byWord := newNameSearch(f.NamePrefix), false
	switch {
	case f.BIC != "" || f.BankCode != "":
		kind, code := pfm.CodeBank, f.BankCode
		if code == "" {
			kind, code = pfm.CodeBIC, f.BIC
		}
		q.Partition = providerCodeKey(kind, code, "", "", "").PK
		if f.CountryCode != "" {
			q.Sort = dynamo.Prefix(f.CountryCode + "#")
		}
	case f.NamePrefix != "":
		byWord = true
		q.Partition, q.Sort = providerWordKey(country, "", "").PK, dynamo.Between(search.from, search.to)
		q.Limit *= 2 // some rows are other words of a provider that is already listed
		if search.short != f.NamePrefix {
			q.Limit = 0 // many rows are words between the two spellings: read them in one call
		}
	}
	var err error
	if q.Start, err = dynamo.StartKey(position); err != nil {
		return nil, "", err
	}
	page, lastKey := make([]pfm.Provider, 0, limit), ""
	for row, err := range dynamo.Each[providerRow](s.table.Query(ctx, q)) {
		if err != nil {
			return nil, "", err
		}
		p, err := row.provider()
		if err != nil {
			return nil, "", err
		}
		if f.NamePrefix != "" {
			if found := search.listedUnder(p.Name); found == "" || byWord && row.Word != found {
				continue
			}
		}
		if !hasCodes(p, f) {
			continue
		}
		if len(page) == limit { // an extra row means that there is another page
			next, err := dynamo.Position(dynamo.Item{"pk": dynamo.S(q.Partition), "sk": dynamo.S(lastKey)})
			return page, next, err
		}
		page, lastKey = append(page, p), row.SK
	}
	return page, "", nil
}

func hasCodes(p pfm.Provider, f pfm.ProviderFilter) bool {
	return (f.BIC == "" || slices.Contains(p.Codes(pfm.CodeBIC), f.BIC)) &&
		(f.BankCode == "" || slices.Contains(p.Codes(pfm.CodeBank), f.BankCode))
}

// Countries reads the countries, ordered by code.
func (s *Store) Countries(ctx context.Context) ([]pfm.Country, error) {
	rows := s.table.Query(ctx, dynamo.Query{Partition: countryKey("").PK, Eventual: true})
	var list []pfm.Country
	for r, err := range dynamo.Each[countryRow](rows) {
		if err != nil {
			return nil, err
		}
		if r.Providers > 0 {
			list = append(list, pfm.Country{Code: r.Code, ProviderCount: r.Providers})
		}
	}
	return list, nil
}

// PutProvider replaces the provider with all its index rows, and updates the counts
// per country, in one transaction. It returns outcome.ErrChanged if the provider was
// written in the meantime, because the rows to delete depend on the version it read.
func (s *Store) PutProvider(ctx context.Context, p pfm.Provider) error {
	if folded := textfold.Name(p.Name); len(folded) > maxName || len(wordSuffixes(folded)) > maxWords {
		return fmt.Errorf("put provider %s: the name is too long", p.ID)
	}
	found, err := dynamo.Get[providerRow](ctx, s.table, providerKey(p.ID))
	isNew := errors.Is(err, outcome.ErrNotFound)
	if err != nil && !isNew {
		return err
	}
	old, err := found.provider()
	if err != nil {
		return err
	}
	unchanged := dynamo.Expr("attribute_not_exists(version)") // also if there is no row
	if found.Version > 0 {
		unchanged = dynamo.IfVersion(found.Version)
	}

	var x dynamo.Transaction
	row := toProviderRow(p)
	keys := indexKeys(p)
	row.Codes, row.Version = countCodes(keys), found.Version+1
	x.Put(s.table, providerKey(p.ID), row, unchanged)
	for key, word := range keys {
		row.Word = word
		x.Put(s.table, key, row)
	}
	if isNew || old.CountryCode != p.CountryCode {
		s.countProviders(&x, p.CountryCode, 1)
	}
	if !isNew {
		for key := range indexKeys(old) {
			if _, written := keys[key]; !written {
				x.Delete(s.table, key)
			}
		}
		if old.CountryCode != p.CountryCode {
			s.countProviders(&x, old.CountryCode, -1)
		}
	}
	return x.Commit(ctx)
}

func (s *Store) countProviders(x *dynamo.Transaction, country string, by int) {
	x.Update(s.table, countryKey(country), dynamo.Expr("SET code = ? ADD providers ?", country, by))
}

// indexKeys returns the keys that list or find a provider, each with its Word.
func indexKeys(p pfm.Provider) map[dynamo.Key]string {
	keys := map[dynamo.Key]string{}
	for _, country := range []string{p.CountryCode, "*"} {
		keys[providerListKey(country, textfold.Name(p.Name), p.ID)] = ""
		for _, word := range searchWords(p.Name) {
			keys[providerWordKey(country, word, p.ID)] = word
		}
	}
	for _, kind := range []pfm.CodeKind{pfm.CodeBIC, pfm.CodeBank} {
		for _, code := range p.Codes(kind) {
			if len(keys) < maxIndexRows {
				keys[providerCodeKey(kind, code, p.CountryCode, textfold.Name(p.Name), p.ID)] = ""
			}
		}
	}
	return keys
}

func countCodes(keys map[dynamo.Key]string) int {
	n := 0
	for key := range keys {
		if strings.HasPrefix(key.PK, codesPrefix) {
			n++
		}
	}
	return n
}

// searchWords returns what finds a name: the suffixes of its folded form that begin with
// a word, then their short forms. Rows written before there were short forms have none.
func searchWords(name string) []string {
	folded := textfold.Name(name)
	words := wordSuffixes(folded)
	for _, short := range wordSuffixes(textfold.Short(folded)) {
		if len(words) < maxWords && !slices.Contains(words, short) {
			words = append(words, short)
		}
	}
	return words
}

// wordSuffixes returns the suffixes of the name that begin with a word.
func wordSuffixes(folded string) []string {
	var suffixes []string
	for suffix := folded; suffix != ""; {
		suffixes = append(suffixes, suffix)
		_, suffix, _ = strings.Cut(suffix, " ")
	}
	return suffixes
}

// nameSearch finds names with a word that begins like a filter, however its umlauts are
// spelled: all are in the range of keys from one bound to the other.
type nameSearch struct{ short, from, to string }

// newNameSearch returns the search for a folded filter. The filter "toechter" has to find
// "tochter", the folded form of Töchter, too. So its range begins with "toc" or "toe", the
// shortest beginnings in which the spellings differ, and ends with the other.
func newNameSearch(filter string) nameSearch {
	const last = "\U0010FFFF" // no key of a word that begins with a filter comes after both
	short := textfold.Short(filter)
	if short == filter {
		return nameSearch{short, filter, filter + last}
	}
	same := 0
	for same < len(short) && short[same] == filter[same] {
		same++
	}
	long, other := filter[:same+1], short[:min(same+1, len(short))]
	return nameSearch{short, min(long, other), max(long+last, other+last)}
}

// listedUnder returns the search word of a name under which it is listed. If several match,
// it is the first one in the index, but a short form only if no other is in the range.
func (s nameSearch) listedUnder(name string) string {
	folded := textfold.Name(name)
	for _, form := range []string{folded, textfold.Short(folded)} {
		first := ""
		for _, word := range wordSuffixes(form) {
			isFirst := first == "" || word < first
			if isFirst && strings.HasPrefix(textfold.Short(word), s.short) && s.from <= word && word <= s.to {
				first = word
			}
		}
		if first != "" {
			return first
		}
	}
	return ""
}

func toProviderRow(p pfm.Provider) providerRow {
	r := providerRow{
		ID: p.ID, CountryCode: p.CountryCode, Name: p.Name, LogoURL: p.LogoURL, Status: string(p.Status),
		Timezone: p.Timezone, RefreshTimeoutMinutes: p.RefreshTimeoutMinutes, MaxConsentDays: p.MaxConsentDays,
		Regulated: p.Regulated, MaxFetchInterval: p.MaxFetchInterval, AutomaticFetch: p.AutomaticFetch, Meta: p.Meta,
		BaseURL: p.Endpoint.BaseURL, TransportSecret: p.Endpoint.TransportSecret, SealSecret: p.Endpoint.SealSecret,
	}
	if p.Endpoint.SCA != (pfm.SCA{}) {
		r.SCA = new(scaRow(p.Endpoint.SCA))
	}
	if p.Endpoint.Supplier() == pfm.SupplierAggregator {
		r.ASPSP = new(aspspRow(p.Endpoint.ASPSP))
	}
	for _, t := range p.SupportedAccountTypes {
		r.SupportedAccountTypes = append(r.SupportedAccountTypes, string(t))
	}
	if profile, err := json.Marshal(p.Profile); err == nil && string(profile) != "{}" { // texts always succeed
		r.Profile = string(profile)
	}
	return r
}

func (r providerRow) provider() (pfm.Provider, error) {
	p := pfm.Provider{
		ID: r.ID, CountryCode: r.CountryCode, Name: r.Name, LogoURL: r.LogoURL, Status: pfm.ProviderStatus(r.Status),
		Timezone: r.Timezone, RefreshTimeoutMinutes: r.RefreshTimeoutMinutes, MaxConsentDays: r.MaxConsentDays,
		Regulated: r.Regulated, MaxFetchInterval: r.MaxFetchInterval, AutomaticFetch: r.AutomaticFetch, Meta: r.Meta,
		Endpoint: pfm.BankEndpoint{BaseURL: r.BaseURL, TransportSecret: r.TransportSecret, SealSecret: r.SealSecret},
	}
	if r.SCA != nil {
		p.Endpoint.SCA = pfm.SCA(*r.SCA)
	}
	if r.ASPSP != nil {
		p.Endpoint.ASPSP = pfm.ASPSP(*r.ASPSP)
	}
	for _, t := range r.SupportedAccountTypes {
		p.SupportedAccountTypes = append(p.SupportedAccountTypes, pfm.AccountType(t))
	}
	if r.Profile != "" {
		if err := json.Unmarshal([]byte(r.Profile), &p.Profile); err != nil {
			return pfm.Provider{}, fmt.Errorf("profile of provider %s: %w", p.ID, err)
		}
	}
	return p, nil
}
