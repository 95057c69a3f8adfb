package pfmdb

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

// providerRow is a provider. It is stored under its own key and again under each
// key that lists it, so that a page is one query on one partition.
type providerRow struct {
	dynamo.Key

	pfm.Provider
	pfm.BankEndpoint

	SCA   *pfm.SCA   `dynamodbav:"sca,omitempty"`
	ASPSP *pfm.ASPSP `dynamodbav:"aspsp,omitempty"`
	// Profile is JSON. Most providers have none.
	Profile string `dynamodbav:"profile,omitempty"`
	// Version counts the writes. Rows written before versions were introduced have none.
	Version int64 `dynamodbav:"version,omitempty"`
}

// countryRow counts the providers of a country.
type countryRow struct {
	Code      string `dynamodbav:"code"`
	Providers int    `dynamodbav:"providers"`
	// Version counts the writes of the country's providers; see providerList.
	Version int64 `dynamodbav:"version,omitempty"`
}

// maxName bounds folded names, in bytes. A sort key has at most 1,024.
const maxName = 512

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
	list, err := s.readList(ctx, allCountries)
	all := make([]pfm.Provider, len(list))
	for i, p := range list {
		all[i] = p.Provider
	}
	return all, err
}

// Providers reads a page of the list, or looks through the whole list for a part of a name and for
// codes. The position is the key of the last provider on the page.
func (s *Store) Providers(
	ctx context.Context, f pfm.ProviderFilter, limit int, position string,
) ([]pfm.Provider, string, error) {
	start, err := dynamo.StartKey(position)
	if err != nil {
		return nil, "", err
	}
	country := cmp.Or(f.CountryCode, allCountries)
	if f.NamePart != "" || f.BIC != "" || f.BankCode != "" {
		return s.findProviders(ctx, country, f, limit, dynamo.KeyOf(start).SK)
	}
	page, last := make([]pfm.Provider, 0, limit), dynamo.Key{}
	for row, err := range dynamo.Each[providerRow](s.table.Query(ctx, dynamo.Query{
		Partition: providerListKey(country, "", "").PK, Eventual: true, Limit: limit + 1, Start: start,
	})) {
		if err != nil {
			return nil, "", err
		}
		if len(page) == limit { // an extra row means that there is another page
			next, err := providerPosition(last)
			return page, next, err
		}
		p, err := row.provider()
		if err != nil {
			return nil, "", err
		}
		page, last = append(page, p), row.Key
	}
	return page, "", nil
}

func providerPosition(last dynamo.Key) (string, error) {
	return dynamo.Position(dynamo.Item{"pk": dynamo.S(last.PK), "sk": dynamo.S(last.SK)})
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
	if folded := textfold.Name(p.Name); len(folded) > maxName {
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
	row.Version = found.Version + 1
	x.Put(s.table, providerKey(p.ID), row, unchanged)
	for _, key := range keys {
		x.Put(s.table, key, row)
	}
	counts := map[string]int{p.CountryCode: 1}
	if !isNew {
		counts[old.CountryCode]--
		for _, key := range indexKeys(old) {
			if !slices.Contains(keys, key) {
				x.Delete(s.table, key)
			}
		}
	}
	for country, by := range counts {
		x.Update(s.table, countryKey(country),
			dynamo.Expr("SET code = ? ADD providers ?, version ?", country, by, 1))
	}
	return x.Commit(ctx)
}

// indexKeys returns the keys that list a provider.
func indexKeys(p pfm.Provider) []dynamo.Key {
	name := textfold.Name(p.Name)
	return []dynamo.Key{providerListKey(p.CountryCode, name, p.ID), providerListKey(allCountries, name, p.ID)}
}

func toProviderRow(p pfm.Provider) providerRow {
	r := providerRow{Provider: p, BankEndpoint: p.Endpoint}
	if p.Endpoint.SCA != (pfm.SCA{}) {
		r.SCA = &p.Endpoint.SCA
	}
	if p.Endpoint.Supplier() == pfm.SupplierAggregator {
		r.ASPSP = &p.Endpoint.ASPSP
	}
	if profile, err := json.Marshal(p.Profile); err == nil && string(profile) != "{}" { // texts always succeed
		r.Profile = string(profile)
	}
	return r
}

func (r providerRow) provider() (pfm.Provider, error) {
	p := r.Provider
	p.Endpoint = r.BankEndpoint
	if r.SCA != nil {
		p.Endpoint.SCA = *r.SCA
	}
	if r.ASPSP != nil {
		p.Endpoint.ASPSP = *r.ASPSP
	}
	if r.Profile != "" {
		if err := json.Unmarshal([]byte(r.Profile), &p.Profile); err != nil {
			return pfm.Provider{}, fmt.Errorf("profile of provider %s: %w", p.ID, err)
		}
	}
	return p, nil
}
