package notificationdb

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"aviso/internal/api/idempotency"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/outcome"
	"aviso/internal/owner"

	"golang.org/x/sync/errgroup"
)

type deliveryRow struct {
	notification.Delivery

	// DueKind and DueAt put the row into the index `due`, PendingUser into `byUser`.
	// All three are set only while the delivery is pending.
	DueKind     string `dynamodbav:"dueKind,omitempty"`
	DueAt       string `dynamodbav:"dueAt,omitempty"`
	PendingUser string `dynamodbav:"pendingUser,omitempty"`
	// ExpiresAt is the table's TTL attribute, set when the delivery is finished.
	ExpiresAt int64 `dynamodbav:"expiresAt,omitempty"`
}

type attemptRow struct {
	notification.Attempt

	EventID   string `dynamodbav:"eventId"`
	EventType string `dynamodbav:"eventType"`
	// PendingUser puts an attempt with a payload about a user into the index `byUser`.
	PendingUser string `dynamodbav:"pendingUser,omitempty"`
	ExpiresAt   int64  `dynamodbav:"expiresAt"`
}

// createTogether is how many deliveries one transaction creates: each may also check its user.
const createTogether = dynamo.MaxTransaction / 2

// maxTogether is the size, in bytes, of the payloads that one transaction creates. DynamoDB takes 4 MB.
const maxTogether = 2 << 20

// CreateDeliveries writes deliveries in one transaction. Those of a refused transaction are written one by one.
func (s *Store) CreateDeliveries(
	ctx context.Context, all []notification.Delivery,
) ([]notification.Delivery, []error) {
	created, errs := slices.Clone(all), make([]error, len(all))
	for first := 0; first < len(all); {
		end, size := first, 0
		for end < len(all) && end-first < createTogether && (end == first || size+len(all[end].Payload) <= maxTogether) {
			size += len(all[end].Payload)
			end++
		}
		if end-first == 1 || s.createTogether(ctx, all[first:end]) != nil {
			for i := first; i < end; i++ {
				created[i], errs[i] = s.create(ctx, all[i])
			}
		}
		first = end
	}
	return created, errs
}

func (s *Store) createTogether(ctx context.Context, all []notification.Delivery) error {
	var x dynamo.Transaction
	checked := map[owner.User]bool{}
	for _, d := range all {
		x.Put(s.table, deliveryKey(d.DeliveryKey), s.toRow(d), dynamo.IfNew)
		if d.User != "" && !checked[d.Owner()] {
			checked[d.Owner()] = true
			s.users.Check(&x, d.Owner())
		}
	}
	return x.Commit(ctx)
}

// create writes a delivery, unless it exists or its user has been erased.
func (s *Store) create(ctx context.Context, d notification.Delivery) (notification.Delivery, error) {
	key, row := deliveryKey(d.DeliveryKey), s.toRow(d)
	var err error
	if d.User == "" { // half the price
		err = s.table.Put(ctx, key, row, dynamo.IfNew)
	} else {
		var x dynamo.Transaction
		x.Put(s.table, key, row, dynamo.IfNew)
		err = s.users.Commit(ctx, &x, d.Owner())
	}
	if errors.Is(err, outcome.ErrChanged) {
		return s.Delivery(ctx, d.DeliveryKey)
	}
	return d, err
}

// Delivery reads a delivery consistently.
func (s *Store) Delivery(ctx context.Context, k notification.DeliveryKey) (notification.Delivery, error) {
	row, err := s.table.Row(ctx, deliveryKey(k))
	if err != nil {
		return notification.Delivery{}, err
	}
	return toDelivery(row)
}

// SaveDelivery saves d if its version is current. Without a message it needs no transaction, which would cost
// twice as much.
func (s *Store) SaveDelivery(ctx context.Context, d notification.Delivery, wake bool) (notification.Delivery, error) {
	if !wake {
		read := dynamo.Expr("version = ?", d.Version)
		d.Version++
		return d, dynamo.LostRace(s.table.Put(ctx, deliveryKey(d.DeliveryKey), s.toRow(d), read))
	}
	var x dynamo.Transaction
	d = s.replace(&x, d)
	m := outbox.Message{ID: s.newID(), Queue: outbox.DeliveryQueue, Body: d.DeliveryKey, User: d.User}
	outbox.Put(ctx, &x, s.outbox, m, s.now())
	return d, x.Commit(ctx)
}

// SaveAttempt replaces the delivery and writes the attempt, which is kept for 30 days. If the attempt began when the
// one before it now says, that one's row says so, too.
func (s *Store) SaveAttempt(
	ctx context.Context, sub notification.Subscription, d notification.Delivery, a notification.Attempt,
) error {
	var x dynamo.Transaction
	s.putAttempt(&x, sub, d, a)
	if err := x.Commit(ctx); err != nil {
		return err
	}
	return s.correctLast(ctx, sub, d, a)
}

// SaveFailing is SaveAttempt, and also counts the delivery and writes the event and the alert, if the subscription
// was not failing yet.
func (s *Store) SaveFailing(
	ctx context.Context, sub notification.Subscription, d notification.Delivery, a notification.Attempt, e outbox.Event,
) error {
	var x dynamo.Transaction
	s.putAttempt(&x, sub, d, a)
	began := x.Update(s.table, subscriptionKey(sub.Partner, sub.ID),
		dynamo.Expr("SET failingSince = ?, failingReason = ?, failingDetail = ? ADD exhausted ?",
			millis(sub.FailingSince), string(sub.FailingReason), sub.FailingDetail, 1),
		dynamo.IfExists, dynamo.Expr("attribute_not_exists(failingSince)"))
	x.Follow(began, func(refused bool, err error) error {
		if refused {
			return notification.ErrNotWell
		}
		return err
	})
	outbox.PutEvent(ctx, &x, s.outbox, e, s.now())
	outbox.Put(ctx, &x, s.outbox, outbox.Message{ID: s.newID(), Queue: outbox.LetterQueue, Body: alertMessage{
		notification.Alert{Partner: sub.Partner, SubscriptionID: sub.ID, FailingSince: sub.FailingSince},
	}}, s.now())
	if err := x.Commit(ctx); err != nil {
		return err
	}
	return s.correctLast(ctx, sub, d, a)
}

// alertMessage is an Alert among the jobs of letter-dispatch, which sends all mail.
type alertMessage struct {
	Alert notification.Alert `json:"alert"`
}

// putAttempt adds the next version of the delivery and the attempt to a transaction.
func (s *Store) putAttempt(
	x *dynamo.Transaction, sub notification.Subscription, d notification.Delivery, a notification.Attempt,
) {
	s.replace(x, d)
	x.Put(s.table, attemptKey(sub, a.ID), toAttemptRow(d, a))
	if a.Kept == "" {
		return
	}
	key := answerKey(sub, a.ID)
	row := answerRow{
		Sealed: s.keys.Seal([]byte(a.Kept), key.PK+key.SK), ExpiresAt: dynamo.Expiry(a.StartedAt.Add(notification.KeepAnswer).Time()),
	}
	if d.User != "" { // the answer may quote the payload
		row.PendingUser = d.Owner().Key()
	}
	x.Put(s.table, key, row)
}

// answerRow is a receiver's answer in production. It is apart from its attempt because it is kept for a shorter time.
type answerRow struct {
	Sealed []byte `dynamodbav:"sealed"`
	// PendingUser puts the row into the index `byUser`.
	PendingUser string `dynamodbav:"pendingUser,omitempty"`
	ExpiresAt   int64  `dynamodbav:"expiresAt"`
}

// KeptAnswer reads the answer to an attempt. It returns outcome.ErrNotFound if there is none, or no longer one.
func (s *Store) KeptAnswer(ctx context.Context, sub notification.Subscription, attemptID string) (string, error) {
	key := answerKey(sub, attemptID)
	row, err := dynamo.Get[answerRow](ctx, s.table, key)
	if err == nil && row.ExpiresAt <= dynamo.Expiry(s.now()) { // DynamoDB deletes expired rows late
		err = outcome.ErrNotFound
	}
	if err != nil {
		return "", err
	}
	text, err := s.keys.Open(row.Sealed, key.PK+key.SK)
	return string(text), err
}

// correctLast corrects the row of the attempt before a, if d says that a came before its time. The row may be missing:
// attempts expire, and their place depends on the subscription's peak.
func (s *Store) correctLast(
	ctx context.Context, sub notification.Subscription, d notification.Delivery, a notification.Attempt,
) error {
	n := len(d.Attempts)
	if n < 2 || d.Attempts[n-2].NextAttemptAt != a.StartedAt {
		return nil
	}
	_, err := s.table.Update(ctx, attemptKey(sub, d.Attempts[n-2].ID),
		dynamo.Expr("SET nextAttemptAt = ?", millis(a.StartedAt)), dynamo.IfExists)
	return unlessChanged("correct the attempt before", err)
}

func toAttemptRow(d notification.Delivery, a notification.Attempt) attemptRow {
	row := attemptRow{
		Attempt: a, EventID: a.EventID, EventType: a.EventType,
		ExpiresAt: dynamo.Expiry(a.StartedAt.Add(retention).Time()),
	}
	if a.User != "" {
		row.PendingUser = owner.User{Partner: d.Partner, ID: a.User}.Key()
	}
	return row
}

// replace adds the next version of a delivery to the transaction.
func (s *Store) replace(x *dynamo.Transaction, d notification.Delivery) notification.Delivery {
	read := dynamo.Expr("version = ?", d.Version)
	d.Version++
	x.Put(s.table, deliveryKey(d.DeliveryKey), s.toRow(d), read)
	return d
}

// DeleteDelivery deletes a delivery, whatever its version.
func (s *Store) DeleteDelivery(ctx context.Context, k notification.DeliveryKey) error {
	return s.table.DeleteAll(ctx, deliveryKey(k))
}

// Attempts reads a page of each shard and merges them, newest first. The position is an attempt's ID.
func (s *Store) Attempts(
	ctx context.Context, sub notification.Subscription, limit int, position string,
) ([]notification.Attempt, string, error) {
	before := cmp.Or(position, afterAnyID)
	shards := make([][]attemptRow, attemptShards(sub))
	var reading errgroup.Group
	for shard := range shards {
		reading.Go(func() (err error) {
			shards[shard], err = s.attemptsOf(ctx, attemptPartition(sub, shard), limit, before)
			return err
		})
	}
	if err := reading.Wait(); err != nil {
		return nil, "", err
	}
	rows := slices.Concat(shards...)
	slices.SortFunc(rows, func(a, b attemptRow) int { return cmp.Compare(b.ID, a.ID) })
	page := make([]notification.Attempt, 0, limit)
	for _, r := range rows {
		if len(page) == limit {
			return page, page[limit-1].ID, nil
		}
		r.Attempt.EventID, r.Attempt.EventType = r.EventID, r.EventType
		page = append(page, r.Attempt)
	}
	return page, "", nil
}

// attemptsOf reads a page of one shard, and one attempt more.
func (s *Store) attemptsOf(ctx context.Context, pk string, limit int, before string) ([]attemptRow, error) {
	var rows []attemptRow
	for r, err := range dynamo.Each[attemptRow](s.table.Query(ctx, dynamo.Query{
		Partition: pk, Sort: dynamo.Between(attemptPrefix, attemptPrefix+before), Descending: true, Limit: limit + 2,
	})) {
		if err != nil || r.ExpiresAt <= dynamo.Expiry(s.now()) { // DynamoDB deletes expired rows late
			return rows, err
		}
		if r.ID != before { // BETWEEN includes both ends
			rows = append(rows, r)
		}
		if len(rows) > limit {
			break
		}
	}
	return rows, nil
}

// DueDeliveries finds the due deliveries in the index, then reads them.
func (s *Store) DueDeliveries(
	ctx context.Context, shard int, until time.Time,
) iter.Seq2[notification.Delivery, error] {
	return dynamo.Convert(s.due.Rows(ctx, s.table, dueDelivery, shard, until), toDelivery)
}

// naming returns a query for the rows about a user.
func naming(user owner.User) dynamo.Query {
	byUser := dynamo.Index{Name: "byUser", Partition: "pendingUser", Sort: "sk", Global: true}
	return dynamo.Query{Index: byUser, Partition: user.Key()}
}

// PendingDeliveries reads the index of rows about a user.
func (s *Store) PendingDeliveries(ctx context.Context, user owner.User) ([]notification.DeliveryKey, error) {
	pending := naming(user)
	pending.Sort = dynamo.Prefix(deliveryPrefix)
	return dynamo.Collect(s.table.Query(ctx, pending), func(row dynamo.Item) (notification.DeliveryKey, error) {
		d, err := toDelivery(row)
		return d.DeliveryKey, err
	})
}

// EraseUser reads the same index.
func (s *Store) EraseUser(ctx context.Context, user owner.User) (int, error) {
	found, err := dynamo.Collect(s.table.Query(ctx, naming(user)), dynamo.Decode[dynamo.Key])
	if err != nil {
		return 0, err
	}
	for _, key := range found {
		if strings.HasPrefix(key.SK, attemptPrefix) {
			_, err = s.table.Update(ctx, key, dynamo.Expr("REMOVE payload, answer, #user, pendingUser"), dynamo.IfExists)
		} else {
			err = s.table.DeleteAll(ctx, key)
		}
		if err != nil && !errors.Is(err, outcome.ErrChanged) {
			return 0, err
		}
	}
	return len(found), nil
}

// PutEvent puts an event into the outbox.
func (s *Store) PutEvent(ctx context.Context, e outbox.Event, also idempotency.Effect[outbox.Event]) error {
	var x dynamo.Transaction
	outbox.PutEvent(ctx, &x, s.outbox, e, s.now())
	also.Put(&x, e)
	return x.CommitOne(ctx)
}

func (s *Store) toRow(d notification.Delivery) deliveryRow {
	r := deliveryRow{Delivery: d}
	if d.Status != notification.DeliveryPending {
		r.ExpiresAt = dynamo.Expiry(s.now().Add(retention))
		return r
	}
	r.DueKind, r.DueAt = s.due.Key(dueDelivery, d.DeliveryID), dynamo.Time(d.WakeAt.Time())
	if d.User != "" {
		r.PendingUser = d.Owner().Key()
	}
	return r
}

func toDelivery(row dynamo.Item) (notification.Delivery, error) {
	r, err := dynamo.Decode[deliveryRow](row)
	for i := range r.Attempts {
		r.Attempts[i].EventID, r.Attempts[i].EventType = r.EventID, r.EventType
	}
	return r.Delivery, err
}
