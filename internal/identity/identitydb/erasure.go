package identitydb

import (
	"context"
	"errors"
	"strings"

	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/messaging/outbox"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// maxEraseTries is how many races with acceptances of terms an erasure may lose before it gives up.
const maxEraseTries = 5

// BeginErasure replaces the user's rows with the receipt and the task.
func (s *Store) BeginErasure(ctx context.Context, user owner.User, e identity.ErasureReceipt) error {
	for range maxEraseTries {
		u, err := s.User(ctx, user)
		if err != nil {
			return err
		}
		if err := s.replaceUser(ctx, u, e); !errors.Is(err, outcome.ErrChanged) {
			return err
		}
	}
	return errors.New("the user keeps changing")
}

// tombstone outlives the user, so that a restore of older rows revives nobody; see ops/restore.py.
type tombstone struct {
	At int64 `dynamodbav:"at"`
}

func (s *Store) replaceUser(ctx context.Context, u identity.User, e identity.ErasureReceipt) error {
	var x dynamo.Transaction
	// Acceptances are only ever added, so an unchanged number means that the count is complete.
	x.Delete(s.table, userKey(u.Owner),
		dynamo.Expr("attribute_exists(pk) AND size(acceptances) = ?", len(u.Acceptances)), hasExternalID(u.ExternalID))
	e.Counts = map[string]int{identity.CountUsers: 1, identity.CountAcceptances: len(u.Acceptances)}
	x.Put(s.table, erasureKey(e.Partner, e.ID), e)
	x.Put(s.table, erasureTaskKey(e.ID), identity.ErasureTask{ID: e.ID, User: u.Owner, RequestedAt: e.RequestedAt})
	x.Put(s.table, tombstoneKey(u.Owner), tombstone{dynamo.Millis(e.RequestedAt)})
	if u.ExternalID != "" {
		x.Delete(s.table, externalKey(u.Owner.Partner, u.ExternalID))
	}
	return x.Commit(ctx)
}

// Erasure reads a receipt.
func (s *Store) Erasure(ctx context.Context, p owner.PartnerID, id string) (identity.ErasureReceipt, error) {
	e, err := dynamo.Get[identity.ErasureReceipt](ctx, s.table, erasureKey(p, id))
	e.Partner = p
	return e, err
}

// ErasureTasks reads the running erasures.
func (s *Store) ErasureTasks(ctx context.Context) ([]identity.ErasureTask, error) {
	rows := s.table.Query(ctx, dynamo.Query{Partition: erasureTaskKey("").PK})
	return dynamo.Collect(rows, dynamo.Decode[identity.ErasureTask])
}

// NoteCounts writes the counts into the receipt and marks the task as counted, which happens only once.
func (s *Store) NoteCounts(ctx context.Context, t identity.ErasureTask, counts map[string]int) error {
	var x dynamo.Transaction
	x.Update(s.table, erasureTaskKey(t.ID), dynamo.Expr("SET counted = ?", true),
		dynamo.Expr("attribute_exists(pk) AND attribute_not_exists(counted)"))
	if len(counts) > 0 {
		var sets []string
		var args []any
		for kind, n := range counts {
			sets, args = append(sets, "counts.? = ?"), append(args, dynamo.Name(kind), n)
		}
		x.Update(s.table, erasureKey(t.Partner, t.ID), dynamo.Expr("SET "+strings.Join(sets, ", "), args...))
	}
	return ignoreChanged(x.Commit(ctx))
}

// ErasureTaskStore implements identity.ErasureTaskStore. It writes the event of a
// completed erasure to the outbox.
type ErasureTaskStore struct {
	*Store
	outbox outbox.Box
	newID  func() string
}

// NewErasureTaskStore returns a store with the named outbox table.
func NewErasureTaskStore(s *Store, outboxTable string, newID func() string) *ErasureTaskStore {
	return &ErasureTaskStore{Store: s, outbox: outbox.Box{Table: s.table.Sibling(outboxTable)}, newID: newID}
}

// CompleteErasure completes the receipt and puts the event into the outbox. It also deletes the task, the last trace
// of the user here.
func (s *ErasureTaskStore) CompleteErasure(ctx context.Context, t identity.ErasureTask, at clock.Real) error {
	e, err := outbox.NewEvent(
		s.newID(), identity.EventUserErased, clock.From(ctx).At(at), t.User, identity.ErasedEventData{ErasureID: t.ID})
	if err != nil {
		return err
	}
	var x dynamo.Transaction
	x.Delete(s.table, erasureTaskKey(t.ID), dynamo.IfExists)
	x.Update(s.table, erasureKey(t.Partner, t.ID),
		dynamo.Expr("SET #status = ?, completedAt = ?", string(identity.ErasureCompleted), dynamo.Millis(at.Time())))
	outbox.PutEvent(ctx, &x, s.outbox, e, at.Time())
	return ignoreChanged(x.Commit(ctx))
}

// ignoreChanged returns nil for a refused write, because the work is already done.
func ignoreChanged(err error) error {
	if errors.Is(err, outcome.ErrChanged) {
		return nil
	}
	return err
}
