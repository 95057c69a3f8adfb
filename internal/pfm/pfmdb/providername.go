package pfmdb

import (
	"context"
	"strings"

	"aviso/internal/dynamo"
	"aviso/internal/pfm"
	"aviso/internal/textfold"
)

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

// findProviders returns a page of the providers that match and come after a sort key.
func (s *Store) findProviders(
	ctx context.Context, country string, f pfm.ProviderFilter, limit int, after string,
) (page []pfm.Provider, next string, err error) {
	list, err := s.listOf(ctx, country)
	if err != nil {
		return nil, "", err
	}
	var last dynamo.Key
	for _, p := range list.providers {
		folded := p.key.SK[:strings.LastIndexByte(p.key.SK, '#')] // folding again takes 15 times as long
		if p.key.SK <= after || !isPartOfName(f.NamePart, folded) || !hasCodes(p.Provider, f) {
			continue
		}
		if len(page) == limit {
			next, err := providerPosition(last)
			return page, next, err
		}
		page, last = append(page, p.Provider), p.key
	}
	return page, "", nil
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

// readList reads the list of a country, or of all.
func (s *Store) readList(ctx context.Context, country string) (list []listedProvider, err error) {
	for row, err := range dynamo.Each[providerRow](s.table.Query(ctx, dynamo.Query{
		Partition: providerListKey(country, "", "").PK,
	})) {
		if err != nil {
			return nil, err
		}
		p, err := row.provider()
		if err != nil {
			return nil, err
		}
		list = append(list, listedProvider{p, row.Key})
	}
	return list, nil
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
