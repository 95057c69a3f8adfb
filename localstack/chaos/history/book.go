package history

import (
	"encoding/json"
	"io"
	"sync"
)

// Book is a history that is being written. Every record also goes to a file, for people.
type Book struct {
	mu      sync.Mutex
	history History
	out     *json.Encoder
}

// NewBook returns an empty book. It writes every record to out, one a line.
func NewBook(out io.Writer) *Book { return &Book{out: json.NewEncoder(out)} }

// Note adds a record.
func Note[T any](b *Book, in func(*History) *[]T, record T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := in(&b.history)
	*list = append(*list, record)
	_ = b.out.Encode(record) // the judge has the record even if the disk is full
}

// Replace replaces all records of one kind by those of a later look.
func Replace[T any](b *Book, in func(*History) *[]T, records []T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*in(&b.history) = records
}

// Read returns what is written so far. Lists only grow or are replaced, so that they can
// be shared.
func (b *Book) Read() History {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.history
}
