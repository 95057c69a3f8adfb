package pfmdb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

// providerRow is a provider. It is stored under its own key and again under each
// key that lists or finds it, so that a page is one query on one partition.
type providerRow struct {
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
	// Word is the suffix of the folded name under which this row finds the provider.
	// Only word rows have it.
	Word string `dynamodbav:"word,omitempty"`
	// Version counts the writes. Rows written before versions were introduced have none.
	Version int64 `dynamodbav:"version,omitempty"`
}

const (
	// maxName bounds folded names, in bytes. A sort key has at most 1,024.
	maxName = 512
	// maxWords makes a change of all index rows, old and new, fit into one transaction.
	maxWords = 20
)

// Provider reads one provider.
func (s *Store) Provider(ctx context.Context, id string) (pfm.Provider, error) {
	row, err := s.table.Row(ctx, providerKey(id), dynamo.Eventual)
	if err != nil {
		return pfm.Provider{}, err
	}
	return toProvider(row)
}

// AllProviders reads every provider consistently, ordered by name.
func (s *Store) AllProviders(ctx context.Context) ([]pfm.Provider, error) {
	return dynamo.Collect(s.table.Query(ctx, dynamo.Query{Partition: providerListKey("*", "", "").PK}), toProvider)
}

// Providers reads a page of the list, or of the word index if the filter has a
// name. A provider with several matching words is listed once, under the one that
// comes first in the index. The position is the key of the last provider on the
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
	if f.NamePrefix != "" {
		q.Partition, q.Sort = providerWordKey(country, "", "").PK, dynamo.Prefix(f.NamePrefix)
		q.Limit *= 2 // some rows are other words of a provider that is already listed
	}
	var err error
	if q.Start, err = dynamo.StartKey(position); err != nil {
		return nil, "", err
	}
	page, lastKey := make([]pfm.Provider, 0, limit), ""
	for row, err := range s.table.Query(ctx, q) {
		if err != nil {
			return nil, "", err
		}
		word := row.Text("word")
		p, err := toProvider(row)
		if err != nil {
			return nil, "", err
		}
		if f.NamePrefix != "" && word != firstMatch(p.Name, f.NamePrefix) {
			continue
		}
		if len(page) == limit { // an extra row means that there is another page
			next, err := dynamo.Position(dynamo.Item{"pk": dynamo.S(q.Partition), "sk": dynamo.S(lastKey)})
			return page, next, err
		}
		page, lastKey = append(page, p), row.Text("sk")
	}
	return page, "", nil
}

// Countries reads the countries, ordered by code.
func (s *Store) Countries(ctx context.Context) ([]pfm.Country, error) {
	rows := s.table.Query(ctx, dynamo.Query{Partition: countryKey("").PK, Eventual: true})
	list, err := dynamo.Collect(rows, func(r *dynamo.Row) (pfm.Country, error) {
		return pfm.Country{Code: r.Text("code"), ProviderCount: int(r.Int("providers"))}, r.Err()
	})
	return slices.DeleteFunc(list, func(c pfm.Country) bool { return c.ProviderCount <= 0 }), err
}

// PutProvider replaces the provider with all its index rows, and updates the counts
// per country, in one transaction. It returns outcome.ErrChanged if the provider was
// written in the meantime, because the rows to delete depend on the version it read.
func (s *Store) PutProvider(ctx context.Context, p pfm.Provider) error {
	if folded := textfold.Name(p.Name); len(folded) > maxName || len(wordSuffixes(folded)) > maxWords {
		return fmt.Errorf("put provider %s: the name is too long", p.ID)
	}
	found, err := s.table.Row(ctx, providerKey(p.ID))
	isNew := errors.Is(err, outcome.ErrNotFound)
	if isNew {
		found = dynamo.NewRow(nil)
	} else if err != nil {
		return err
	}
	version := found.Int("version")
	old, err := toProvider(found)
	if err != nil {
		return err
	}
	unchanged := dynamo.Expr("attribute_not_exists(version)") // also if there is no row
	if version > 0 {
		unchanged = dynamo.IfVersion(version)
	}

	var x dynamo.Transaction
	row := toProviderRow(p)
	row.Version = version + 1
	x.Put(s.table, providerKey(p.ID), row, unchanged)
	keys := indexKeys(p)
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
	folded := textfold.Name(p.Name)
	for _, country := range []string{p.CountryCode, "*"} {
		keys[providerListKey(country, folded, p.ID)] = ""
		for _, suffix := range wordSuffixes(folded) {
			keys[providerWordKey(country, suffix, p.ID)] = suffix
		}
	}
	return keys
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

// firstMatch returns the word suffix of the name that begins with prefix. If there
// are several, it returns the one that comes first in the index.
func firstMatch(name, prefix string) string {
	first := ""
	for _, suffix := range wordSuffixes(textfold.Name(name)) {
		if strings.HasPrefix(suffix, prefix) && (first == "" || suffix < first) {
			first = suffix
		}
	}
	return first
}

func toProviderRow(p pfm.Provider) providerRow {
	r := providerRow{
		ID: p.ID, CountryCode: p.CountryCode, Name: p.Name, LogoURL: p.LogoURL, Status: string(p.Status),
		Timezone: p.Timezone, RefreshTimeoutMinutes: p.RefreshTimeoutMinutes, MaxConsentDays: p.MaxConsentDays,
		Regulated: p.Regulated, MaxFetchInterval: p.MaxFetchInterval, AutomaticFetch: p.AutomaticFetch, Meta: p.Meta,
		BaseURL: p.Endpoint.BaseURL, TransportSecret: p.Endpoint.TransportSecret, SealSecret: p.Endpoint.SealSecret,
	}
	for _, t := range p.SupportedAccountTypes {
		r.SupportedAccountTypes = append(r.SupportedAccountTypes, string(t))
	}
	return r
}

// toProvider decodes a providerRow.
func toProvider(r *dynamo.Row) (pfm.Provider, error) {
	p := pfm.Provider{
		ID: r.Text("id"), CountryCode: r.Text("countryCode"), Name: r.Text("name"), LogoURL: r.Text("logoUrl"),
		Status: pfm.ProviderStatus(r.Text("status")), Timezone: r.Text("timezone"),
		RefreshTimeoutMinutes: int(r.Int("refreshTimeoutMinutes")), MaxConsentDays: int(r.Int("maxConsentDays")),
		Regulated: r.Bool("regulated"), MaxFetchInterval: int(r.Int("maxFetchInterval")), Meta: r.TextsByName("meta"),
		Endpoint: pfm.BankEndpoint{
			BaseURL: r.Text("baseUrl"), TransportSecret: r.Text("transportSecret"), SealSecret: r.Text("sealSecret"),
		},
	}
	if r.Has("automaticFetch") {
		p.AutomaticFetch = new(r.Bool("automaticFetch"))
	}
	for _, t := range r.Texts("supportedAccountTypes") {
		p.SupportedAccountTypes = append(p.SupportedAccountTypes, pfm.AccountType(t))
	}
	return p, r.Err()
}
