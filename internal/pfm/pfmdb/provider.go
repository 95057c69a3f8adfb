package pfmdb

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strings"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
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
	// Version counts the writes.
	Version int64 `dynamodbav:"version"`
}

// countryRow counts the providers of a country.
type countryRow struct {
	Code      string `dynamodbav:"code"`
	Providers int    `dynamodbav:"providers"`
	// Version counts the writes of the country's providers; see providerList.
	Version int64 `dynamodbav:"version"`
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
		return providerPage(limit, s.findProviders(ctx, country, f, dynamo.KeyOf(start).SK))
	}
	return providerPage(limit, dynamo.Convert(s.table.Query(ctx, dynamo.Query{
		Partition: providerListKey(country, "", "").PK, Eventual: true, Limit: limit + 1, Start: start,
	}), toListed))
}

// providerPage returns the first providers, and the position of the next page.
func providerPage(
	limit int, listed iter.Seq2[listedProvider, error],
) (page []pfm.Provider, next string, err error) {
	var last dynamo.Key
	for p, err := range listed {
		if err != nil {
			return nil, "", err
		}
		if len(page) == limit { // one more means that there is another page
			next, err := dynamo.Position(dynamo.Item{"pk": dynamo.S(last.PK), "sk": dynamo.S(last.SK)})
			return page, next, err
		}
		page, last = append(page, p.Provider), p.key
	}
	return page, "", nil
}

func hasCodes(p pfm.Provider, f pfm.ProviderFilter) bool {
	return (f.BIC == "" || slices.Contains(p.Codes(pfm.CodeBIC), f.BIC)) &&
		(f.BankCode == "" || slices.Contains(p.Codes(pfm.CodeBank), f.BankCode))
}

// Countries reads the countries, ordered by code.
func (s *Store) Countries(ctx context.Context) ([]pfm.ProviderCountry, error) {
	rows := s.table.Query(ctx, dynamo.Query{Partition: countryKey("").PK, Eventual: true})
	list := []pfm.ProviderCountry{}
	for r, err := range dynamo.Each[countryRow](rows) {
		if err != nil {
			return nil, err
		}
		if r.Providers > 0 {
			list = append(list, pfm.ProviderCountry{Code: r.Code, ProviderCount: r.Providers})
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
	var x dynamo.Transaction
	row := toProviderRow(p)
	keys := indexKeys(p)
	row.Version = found.Version + 1
	x.Put(s.table, providerKey(p.ID), row, dynamo.IfVersion(found.Version))
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

// outageLife is how long the row of an outage stays if nobody asks the bank again.
const outageLife = 24 * time.Hour

type outageRow struct {
	ProbeAt int64 `dynamodbav:"probeAt"`
}

// Outage reads when a bank that is down may be asked again.
func (s *Store) Outage(ctx context.Context, providerID string) (time.Time, error) {
	r, err := orZero(dynamo.Get[outageRow](ctx, s.table, outageKey(providerID), dynamo.Eventual))
	return dynamo.FromMillis(r.ProbeAt), err
}

// SetOutage writes or deletes the row of an outage, if nobody else has changed it.
func (s *Store) SetOutage(ctx context.Context, providerID string, known, probeAt time.Time) error {
	key, unchanged := outageKey(providerID), dynamo.Expr("attribute_not_exists(pk)")
	if !known.IsZero() {
		unchanged = dynamo.Expr("probeAt = ?", dynamo.Millis(known))
	}
	var err error
	if probeAt.IsZero() {
		err = s.table.Delete(ctx, key, unchanged)
	} else {
		_, err = s.table.Update(ctx, key, dynamo.Expr("SET probeAt = ?, expiresAt = ?",
			dynamo.Millis(probeAt), dynamo.Expiry(probeAt.Add(outageLife))), unchanged)
	}
	if err != nil {
		return fmt.Errorf("set outage of %s: %w", providerID, dynamo.LostRace(err))
	}
	return nil
}

// providerList is the list of the providers of a country, or of all, as it was at a version.
// A search for any part of a name, or for a code, looks through it, because DynamoDB has no index
// for parts: 6,000 banks take 7 MB of memory and a millisecond.
type providerList struct {
	version   int64
	providers []listedProvider
}

type listedProvider struct {
	pfm.Provider
	key dynamo.Key
}

// findProviders iterates over the providers that match and come after a sort key.
func (s *Store) findProviders(
	ctx context.Context, country string, f pfm.ProviderFilter, after string,
) iter.Seq2[listedProvider, error] {
	return func(yield func(listedProvider, error) bool) {
		list, err := s.listOf(ctx, country)
		if err != nil {
			yield(listedProvider{}, err)
			return
		}
		for _, p := range list.providers {
			folded := p.key.SK[:strings.LastIndexByte(p.key.SK, '#')] // folding again takes 15 times as long
			isFound := p.key.SK > after && isPartOfName(f.NamePart, folded) && hasCodes(p.Provider, f)
			if isFound && !yield(p, nil) {
				return
			}
		}
	}
}

// listOf returns the list of a country, and reads it again if a provider has been written
// since.
func (s *Store) listOf(ctx context.Context, country string) (providerList, error) {
	version, err := s.providersVersion(ctx, country)
	if err != nil {
		return providerList{}, err
	}
	s.listsLock.Lock()
	defer s.listsLock.Unlock()
	if known, ok := s.lists[country]; ok && known.version >= version {
		return known, nil
	}
	// Both reads are consistent, so that the list is never older than its version.
	list := providerList{version: version}
	if list.providers, err = s.readList(ctx, country); err == nil {
		s.lists[country] = list
	}
	return list, err
}

// IsClaimed reports whether one of the addresses belongs to another provider; see
// pfm.BankEndpoint.IsClaimed.
func (s *Store) IsClaimed(ctx context.Context, bank pfm.BankEndpoint, addresses []*url.URL) (bool, error) {
	list, err := s.listOf(ctx, allCountries)
	var all []pfm.BankEndpoint
	for _, p := range list.providers {
		if p.Endpoint.Supplier() == pfm.SupplierXS2A { // the thousands of an aggregator are one server
			all = append(all, p.Endpoint)
		}
	}
	return slices.ContainsFunc(addresses, func(to *url.URL) bool { return bank.IsClaimed(to, all) }), err
}

// readList reads the list of a country, or of all.
func (s *Store) readList(ctx context.Context, country string) ([]listedProvider, error) {
	rows := s.table.Query(ctx, dynamo.Query{Partition: providerListKey(country, "", "").PK})
	return dynamo.Collect(rows, toListed)
}

// toListed decodes a providerRow of a list.
func toListed(row dynamo.Item) (listedProvider, error) {
	r, err := dynamo.Decode[providerRow](row)
	if err != nil {
		return listedProvider{}, err
	}
	p, err := r.provider()
	return listedProvider{p, r.Key}, err
}

// providersVersion returns how often providers of the country have been written.
func (s *Store) providersVersion(ctx context.Context, country string) (version int64, err error) {
	q := dynamo.Query{Partition: countryKey("").PK}
	if country != allCountries {
		q.Sort = dynamo.Exactly(country)
	}
	for row, err := range dynamo.Each[countryRow](s.table.Query(ctx, q)) {
		if err != nil {
			return 0, err
		}
		version += row.Version
	}
	return version, nil
}

// isPartOfName reports whether a folded name has the folded part, however the umlauts of
// both are spelled: "toechter" is a part of "bank der tochter", as Töchter is folded.
func isPartOfName(part, name string) bool {
	return strings.Contains(name, part) || strings.Contains(textfold.Short(name), textfold.Short(part))
}
