package identitydb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/identity"
	"aviso/internal/messaging/outbox"
)

// maxEraseTries is how often an erasure may lose a race with an acceptance of terms
// before it gives up.
const maxEraseTries = 5

// erasureRow is a receipt. It does not name the user.
type erasureRow struct {
	ID          string         `dynamodbav:"id"`
	Status      string         `dynamodbav:"status"`
	RequestedAt string         `dynamodbav:"requestedAt"`
	CompletedAt string         `dynamodbav:"completedAt,omitempty"`
	Counts      map[string]int `dynamodbav:"counts"`
}

// erasureTaskRow is a running erasure.
type erasureTaskRow struct {
	ID          string `dynamodbav:"id"`
	Partner     string `dynamodbav:"partner"`
	User        string `dynamodbav:"user"`
	RequestedAt string `dynamodbav:"requestedAt"`
	Counted     bool   `dynamodbav:"counted,omitempty"`
}

// BeginErasure replaces the user's rows with the receipt and the task.
func (s *Store) BeginErasure(ctx context.Context, user owner.User, e identity.Erasure) error {
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

func (s *Store) replaceUser(ctx context.Context, u identity.User, e identity.Erasure) error {
	var x dynamo.Transaction
	// Acceptances are only ever added, so an unchanged number means that we counted
	// all of them.
	x.Delete(s.table, userKey(u.Owner),
		dynamo.Expr("attribute_exists(pk) AND size(acceptances) = ?", len(u.Acceptances)))
	x.Put(s.table, erasureKey(e.Partner, e.ID), erasureRow{
		ID: e.ID, Status: string(e.Status), RequestedAt: dynamo.Time(e.RequestedAt),
		Counts: map[string]int{identity.CountUsers: 1, identity.CountAcceptances: len(u.Acceptances)},
	})
	x.Put(s.table, erasureTaskKey(e.ID), erasureTaskRow{
		ID: e.ID, Partner: string(u.Owner.Partner), User: string(u.Owner.ID), RequestedAt: dynamo.Time(e.RequestedAt),
	})
	if u.ExternalID != "" {
		x.Delete(s.table, externalKey(u.Owner.Partner, u.ExternalID))
	}
	return x.Commit(ctx)
}

// Erasure reads a receipt.
func (s *Store) Erasure(ctx context.Context, p owner.PartnerID, id string) (identity.Erasure, error) {
	r, err := dynamo.Get[erasureRow](ctx, s.table, erasureKey(p, id))
	if err != nil {
		return identity.Erasure{}, err
	}
	e := identity.Erasure{ID: r.ID, Partner: p, Status: identity.ErasureStatus(r.Status), Counts: r.Counts}
	if e.RequestedAt, err = time.Parse(time.RFC3339Nano, r.RequestedAt); err != nil {
		return identity.Erasure{}, fmt.Errorf("erasure row: %w", err)
	}
	if r.CompletedAt != "" {
		if e.CompletedAt, err = time.Parse(time.RFC3339Nano, r.CompletedAt); err != nil {
			return identity.Erasure{}, fmt.Errorf("erasure row: %w", err)
		}
	}
	return e, nil
}

// ErasureTasks reads the running erasures.
func (s *Store) ErasureTasks(ctx context.Context) ([]identity.ErasureTask, error) {
	rows := s.table.Query(ctx, dynamo.Query{Partition: erasureTaskKey("").PK})
	return dynamo.Collect(rows, func(row dynamo.Item) (identity.ErasureTask, error) {
		r, err := dynamo.Decode[erasureTaskRow](row)
		if err != nil {
			return identity.ErasureTask{}, err
		}
		at, err := time.Parse(time.RFC3339Nano, r.RequestedAt)
		if err != nil {
			return identity.ErasureTask{}, fmt.Errorf("erasure task: %w", err)
		}
		user := owner.User{Partner: owner.PartnerID(r.Partner), ID: owner.UserID(r.User)}
		return identity.ErasureTask{ID: r.ID, User: user, RequestedAt: at, Counted: r.Counted}, nil
	})
}

// NoteCounts writes the counts into the receipt and marks the task as counted, so that
// it happens once.
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
		x.Update(s.table, erasureKey(t.User.Partner, t.ID), dynamo.Expr("SET "+strings.Join(sets, ", "), args...))
	}
	return ignoreChanged(x.Commit(ctx))
}

// ErasureTaskStore implements identity.ErasureTaskStore. It writes the event of a
// completed erasure to the outbox.
type ErasureTaskStore struct {
	*Store
	outbox dynamo.Table
	newID  func() string
}

// NewErasureTaskStore returns a store with the named outbox table.
func NewErasureTaskStore(s *Store, outboxTable string, newID func() string) *ErasureTaskStore {
	return &ErasureTaskStore{Store: s, outbox: s.table.Sibling(outboxTable), newID: newID}
}

// CompleteErasure completes the receipt, deletes the task, which is the last trace of
// the user here, and puts the event into the outbox.
func (s *ErasureTaskStore) CompleteErasure(ctx context.Context, t identity.ErasureTask, at clock.Real) error {
	e, err := outbox.NewEvent(
		s.newID(), identity.EventUserErased, clock.From(ctx).At(at), t.User, identity.ErasedEventData{ErasureID: t.ID})
	if err != nil {
		return err
	}
	var x dynamo.Transaction
	x.Delete(s.table, erasureTaskKey(t.ID), dynamo.IfExists)
	x.Update(s.table, erasureKey(t.User.Partner, t.ID),
		dynamo.Expr("SET #status = ?, completedAt = ?", string(identity.ErasureCompleted), dynamo.Time(at.Time())))
	outbox.PutEvent(ctx, &x, s.outbox, e, at.Time())
	return ignoreChanged(x.Commit(ctx))
}

// ignoreChanged returns nil for a refused write, because the work was done before.
func ignoreChanged(err error) error {
	if errors.Is(err, outcome.ErrChanged) {
		return nil
	}
	return err
}
