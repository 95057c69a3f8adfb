package identitydb

import (
	"context"
	"errors"
	"time"

	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/messaging/outbox"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// clockRow is the clock of a user.
type clockRow struct {
	dynamo.ClockRow
	identity.UserClock
}

// ClockStore implements identity.ClockStore.
type ClockStore struct {
	*Store
	outbox outbox.Box
	now    func() time.Time
	newID  func() string
}

// NewClockStore returns a store with the named outbox table.
func NewClockStore(s *Store, outboxTable string, now func() time.Time, newID func() string) *ClockStore {
	return &ClockStore{Store: s, outbox: outbox.Box{Table: s.table.Sibling(outboxTable)}, now: now, newID: newID}
}

// Clock implements identity.ClockStore.
func (s *ClockStore) Clock(ctx context.Context, user owner.User) (identity.UserClock, error) {
	r, err := dynamo.Get[clockRow](ctx, s.table, dynamo.ClockKey(user))
	if errors.Is(err, outcome.ErrNotFound) {
		return identity.UserClock{User: user}, nil
	}
	return r.clock(), err
}

// MovedClocks implements identity.ClockStore.
func (s *ClockStore) MovedClocks(ctx context.Context, since clock.Real) ([]identity.UserClock, error) {
	rows := s.table.Query(ctx, dynamo.Query{
		Partition: dynamo.ClockKey(owner.User{}).PK, Filter: dynamo.Expr("movedAt >= ?", dynamo.Millis(since.Time())),
	})
	return dynamo.Collect(rows, func(row dynamo.Item) (identity.UserClock, error) {
		r, err := dynamo.Decode[clockRow](row)
		return r.clock(), err
	})
}

// StartClock implements identity.ClockStore.
func (s *ClockStore) StartClock(
	ctx context.Context, c identity.UserClock, also idempotency.Effect[identity.UserClock],
) error {
	var x dynamo.Transaction
	c.Version++
	x.Put(s.table, dynamo.ClockKey(c.User), toRow(c), dynamo.IfVersion(c.Version-1))
	outbox.Put(ctx, &x, s.outbox, outbox.Message{ID: s.newID(), Queue: outbox.ClockQueue, Body: c.User}, s.now())
	also.Put(&x, c)
	return dynamo.GuardIn(s.table).Commit(ctx, &x, c.User)
}

// SaveClock implements identity.ClockStore.
func (s *ClockStore) SaveClock(ctx context.Context, c identity.UserClock) (identity.UserClock, error) {
	c.Version++
	return c, s.table.Put(ctx, dynamo.ClockKey(c.User), toRow(c), dynamo.IfVersion(c.Version-1))
}

// DeleteClock implements identity.ClockStore.
func (s *ClockStore) DeleteClock(ctx context.Context, user owner.User) error {
	return s.table.Delete(ctx, dynamo.ClockKey(user))
}

func toRow(c identity.UserClock) clockRow {
	return clockRow{dynamo.ClockRow{Ahead: c.Setting.Ahead.Milliseconds(), Stopped: c.Setting.Stopped}, c}
}

func (r clockRow) clock() identity.UserClock {
	r.UserClock.Setting = r.ClockRow.Setting()
	return r.UserClock
}
