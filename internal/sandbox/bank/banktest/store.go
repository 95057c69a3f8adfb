// Package banktest lets tests run the sandbox banks without a database and call
// them as a third party provider does.
package banktest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/bank"
)

// Store is a bank.Store in memory. Its zero value is ready. Nothing in it
// expires.
type Store struct {
	mu             sync.Mutex
	consents       map[string]bank.Consent
	authorisations map[string]bank.Authorisation
	customers      map[string]bank.Customer
	approvals      map[string]bank.Approval
	calls          map[string]int
}

var _ bank.Store = (*Store)(nil)

// Consent reads a consent.
func (s *Store) Consent(_ context.Context, bankSlug, id string) (bank.Consent, error) {
	c, err := read(s, &s.consents, bankSlug+"/"+id)
	c.Authorisations, c.Grants, c.Ledger.Changes = slices.Clone(c.Authorisations), slices.Clone(c.Grants), slices.Clone(c.Ledger.Changes)
	return c, err
}

// Authorisation reads an authorisation.
func (s *Store) Authorisation(_ context.Context, bankSlug, id string) (bank.Authorisation, error) {
	return read(s, &s.authorisations, bankSlug+"/"+id)
}

// Customer reads a customer.
func (s *Store) Customer(_ context.Context, bankSlug, id string) (bank.Customer, error) {
	return read(s, &s.customers, bankSlug+"/"+id)
}

// Approval reads an approval.
func (s *Store) Approval(_ context.Context, id string) (bank.Approval, error) {
	return read(s, &s.approvals, id)
}

// Approvals lists approvals, newest first.
func (s *Store) Approvals(_ context.Context, before string, limit int) ([]bank.Approval, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := slices.SortedFunc(maps.Keys(s.approvals), func(a, b string) int { return strings.Compare(b, a) })
	var out []bank.Approval
	for _, id := range ids {
		if (before == "" || id < before) && len(out) < limit {
			out = append(out, s.approvals[id])
		}
	}
	return out, nil
}

func read[R any](s *Store, from *map[string]R, key string) (R, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	record, ok := (*from)[key]
	if !ok {
		return record, outcome.ErrNotFound
	}
	return record, nil
}

// Save writes all records or none.
func (s *Store) Save(_ context.Context, records ...bank.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.consents == nil {
		s.consents, s.authorisations = map[string]bank.Consent{}, map[string]bank.Authorisation{}
		s.customers, s.approvals = map[string]bank.Customer{}, map[string]bank.Approval{}
	}
	for _, r := range records {
		if stored, version := s.versions(r); stored != version {
			return outcome.ErrChanged
		}
	}
	for _, r := range records {
		switch r := r.(type) {
		case bank.Consent:
			r.Version++
			s.consents[r.Bank+"/"+r.ID] = r
		case bank.Authorisation:
			r.Version++
			s.authorisations[r.Bank+"/"+r.ID] = r
		case bank.Customer:
			r.Version++
			s.customers[r.Bank+"/"+r.ID] = r
		case bank.Approval:
			r.Version++
			s.approvals[r.ID] = r
		}
	}
	return nil
}

func (s *Store) versions(r bank.Record) (stored, read int) {
	switch r := r.(type) {
	case bank.Consent:
		return s.consents[r.Bank+"/"+r.ID].Version, r.Version
	case bank.Authorisation:
		return s.authorisations[r.Bank+"/"+r.ID].Version, r.Version
	case bank.Customer:
		return s.customers[r.Bank+"/"+r.ID].Version, r.Version
	case bank.Approval:
		return s.approvals[r.ID].Version, r.Version
	default:
		panic(fmt.Sprintf("banktest: no record: %T", r))
	}
}

// Count counts calls.
func (s *Store) Count(_ context.Context, c bank.Call) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls == nil {
		s.calls = map[string]int{}
	}
	key := fmt.Sprintf("%s/%s/%s/%s/%s", c.Bank, c.ConsentID, c.Account, c.Endpoint, c.Day)
	s.calls[key]++
	return s.calls[key], nil
}
