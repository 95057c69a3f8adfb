package sandboxdb

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
)

// Memory stores rows in memory, for tests. Nothing in it expires. The zero value is
// empty.
type Memory struct {
	mu    sync.Mutex
	rows  map[Key]memoryRow
	calls map[Key]int
	// Fails, if set, is called before every read of a row and every write.
	Fails func() error
}

type memoryRow struct {
	row     *dynamo.Row
	version int
}

// Store returns a store of these rows.
func (m *Memory) Store() *Store { return &Store{m, func() time.Time { return time.Time{} }} }

func (m *Memory) fails() error {
	if m.Fails == nil {
		return nil
	}
	return m.Fails()
}

func (m *Memory) get(_ context.Context, key Key) (*dynamo.Row, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fails(); err != nil {
		return nil, err
	}
	found, ok := m.rows[key]
	if !ok {
		return nil, outcome.ErrNotFound
	}
	return found.row, nil
}

func (m *Memory) newestFirst(_ context.Context, pk, before string, _ int) iter.Seq2[*dynamo.Row, error] {
	m.mu.Lock()
	defer m.mu.Unlock()
	keys := slices.Collect(maps.Keys(m.rows))
	keys = slices.DeleteFunc(keys, func(k Key) bool { return k.PK != pk || before != "" && k.SK >= before })
	slices.SortFunc(keys, func(a, b Key) int { return strings.Compare(b.SK, a.SK) })
	return func(yield func(*dynamo.Row, error) bool) {
		for _, key := range keys {
			m.mu.Lock()
			found := m.rows[key]
			m.mu.Unlock()
			if !yield(found.row, nil) {
				return
			}
		}
	}
}

func (m *Memory) write(_ context.Context, _ int64, changes []change) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fails(); err != nil {
		return err
	}
	for _, c := range changes {
		if found, ok := m.rows[c.key]; c.was == 0 && ok || c.was > 0 && found.version != c.was {
			return outcome.ErrChanged
		}
	}
	if m.rows == nil {
		m.rows = map[Key]memoryRow{}
	}
	for _, c := range changes {
		if c.row == nil {
			delete(m.rows, c.key)
			continue
		}
		item, err := attributevalue.MarshalMap(c.row)
		if err != nil {
			return err
		}
		m.rows[c.key] = memoryRow{dynamo.NewRow(item), c.was + 1}
	}
	return nil
}

func (m *Memory) count(_ context.Context, key Key, _ int64) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls == nil {
		m.calls = map[Key]int{}
	}
	m.calls[key]++
	return m.calls[key], nil
}
