// Package mailroomtest lets tests send letters to the sandbox's carriers and time
// pass.
package mailroomtest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"aviso/internal/outcome"
	"aviso/internal/sandbox/mailroom"
)

// Store keeps records in memory. The zero value is empty.
type Store struct {
	mu      sync.Mutex
	records map[string]mailroom.Record
	// Fails, where set, is asked before every call.
	Fails func() error
}

var _ mailroom.Store = (*Store)(nil)

func key(r mailroom.Record) string {
	switch r := r.(type) {
	case mailroom.Letter:
		return "letter/" + r.ID
	case mailroom.Document:
		return "document/" + r.LetterID
	case mailroom.Upload:
		return "upload/" + r.ID
	case mailroom.Answer:
		return "answer/" + r.ID
	case mailroom.Setting:
		return "setting/" + string(r.Carrier)
	default:
		panic(fmt.Sprintf("no record: %T", r))
	}
}

func read[R mailroom.Record](s *Store, wanted R) (R, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fails != nil {
		if err := s.Fails(); err != nil {
			return *new(R), err
		}
	}
	found, ok := s.records[key(wanted)].(R)
	if !ok {
		return found, outcome.ErrNotFound
	}
	return found, nil
}

// Letter reads a letter.
func (s *Store) Letter(_ context.Context, id string) (mailroom.Letter, error) {
	l, err := read(s, mailroom.Letter{ID: id})
	l.History, l.Notices = slices.Clone(l.History), slices.Clone(l.Notices)
	return l, err
}

// Document reads a document.
func (s *Store) Document(_ context.Context, letterID string) (mailroom.Document, error) {
	return read(s, mailroom.Document{LetterID: letterID})
}

// Upload reads an upload.
func (s *Store) Upload(_ context.Context, id string) (mailroom.Upload, error) {
	return read(s, mailroom.Upload{ID: id})
}

// Answer reads an answer.
func (s *Store) Answer(_ context.Context, id string) (mailroom.Answer, error) {
	return read(s, mailroom.Answer{ID: id})
}

// Setting reads a setting.
func (s *Store) Setting(_ context.Context, c mailroom.Carrier) (mailroom.Setting, error) {
	return read(s, mailroom.Setting{Carrier: c})
}

// Letters lists letters, newest first.
func (s *Store) Letters(_ context.Context, carrier mailroom.Carrier, before string, limit int) ([]mailroom.Letter, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []mailroom.Letter
	for _, k := range slices.SortedFunc(maps.Keys(s.records), func(a, b string) int { return strings.Compare(b, a) }) {
		l, ok := s.records[k].(mailroom.Letter)
		if ok && (carrier == "" || l.Carrier == carrier) && (before == "" || l.ID < before) && len(out) < limit {
			out = append(out, l)
		}
	}
	return out, nil
}

// Save writes all records or none.
func (s *Store) Save(_ context.Context, records ...mailroom.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Fails != nil {
		if err := s.Fails(); err != nil {
			return err
		}
	}
	if s.records == nil {
		s.records = map[string]mailroom.Record{}
	}
	for _, r := range records {
		was, there := s.records[key(r)]
		switch r := r.(type) {
		case mailroom.Letter:
			if stored, _ := was.(mailroom.Letter); stored.Version != r.Version {
				return outcome.ErrChanged
			}
		case mailroom.Answer:
			if there {
				return outcome.ErrChanged
			}
		}
	}
	for _, r := range records {
		if l, ok := r.(mailroom.Letter); ok {
			l.Version++
			r = l
		}
		s.records[key(r)] = r
	}
	return nil
}

// Delete deletes records.
func (s *Store) Delete(_ context.Context, records ...mailroom.Record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range records {
		delete(s.records, key(r))
	}
	return nil
}
