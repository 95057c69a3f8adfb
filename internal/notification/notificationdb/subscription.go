package notificationdb

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// listRow counts the subscriptions that a partner has ever created. The first one creates the row.
type listRow struct {
	dynamo.Key

	Version int64 `dynamodbav:"version"`
}

type secretRow struct {
	dynamo.Key

	notification.Secret
	Sealed []byte `dynamodbav:"key"`
	// TTL is when DynamoDB deletes the row.
	TTL int64 `dynamodbav:"expiresAt,omitempty"`
}

// CreateSubscription writes a subscription and its first secret in one transaction. The transaction requires that the
// partner has created no other subscription since they were counted.
func (s *Store) CreateSubscription(
	ctx context.Context, sub notification.Subscription, first notification.Secret,
	also idempotency.Effect[notification.NewSubscription],
) error {
	all := dynamo.Query{Partition: listKey(sub.Partner).PK, Attributes: "sk, version"}
	rows, err := dynamo.Collect(s.table.Query(ctx, all), dynamo.Decode[listRow])
	if err != nil {
		return err
	}
	var list listRow
	if len(rows) > 0 && rows[0].SK == listSort {
		list, rows = rows[0], rows[1:]
	}
	if len(rows) >= notification.MaxSubscriptions {
		return notification.ErrTooManySubscriptions
	}
	var x dynamo.Transaction
	x.Put(s.table, listKey(sub.Partner), listRow{Version: list.Version + 1}, dynamo.IfVersion(list.Version))
	x.Put(s.table, subscriptionKey(sub.Partner, sub.ID), sub, dynamo.IfNew)
	s.putSecret(&x, sub.Partner, sub.ID, first)
	also.Put(&x, notification.NewSubscription{Subscription: sub, Secret: first})
	return dynamo.LostRace(x.Commit(ctx))
}

// Subscription reads a subscription consistently.
func (s *Store) Subscription(ctx context.Context, p owner.PartnerID, id string) (notification.Subscription, error) {
	row, err := s.table.Row(ctx, subscriptionKey(p, id))
	if err != nil {
		return notification.Subscription{}, err
	}
	return dynamo.Decode[notification.Subscription](row)
}

// Subscriptions reads all of a partner's subscriptions consistently.
func (s *Store) Subscriptions(ctx context.Context, p owner.PartnerID) ([]notification.Subscription, error) {
	rows := s.table.Query(ctx, dynamo.Query{Partition: listKey(p).PK, Sort: dynamo.After(listSort)})
	return dynamo.Collect(rows, dynamo.Decode[notification.Subscription])
}

// SaveSubscription writes the settings of the partner and the operator. The delivery counts have their own writes. A
// later acknowledgement makes the write of an older subscription fail: a receiver that has recovered must not be
// disabled.
func (s *Store) SaveSubscription(ctx context.Context, sub notification.Subscription, events ...outbox.Event) error {
	key := subscriptionKey(sub.Partner, sub.ID)
	change := dynamo.Expr("SET serverUrl = ?, events = ?, description = ?, #status = ?, reason = ?, "+
		"keepsAnswers = ?, updatedAt = ?, activeSince = ?, version = ?",
		sub.ServerURL, sub.Events, sub.Description, string(sub.Status), string(sub.Reason), sub.KeepsAnswers,
		millis(sub.UpdatedAt), millis(sub.ActiveSince), sub.Version+1)
	unchanged := dynamo.Expr("version = ? AND acknowledgedAt = ?", sub.Version, millis(sub.AcknowledgedAt))
	if len(events) == 0 { // half the price
		_, err := s.table.Update(ctx, key, change, unchanged)
		return dynamo.LostRace(err)
	}
	var x dynamo.Transaction
	x.Update(s.table, key, change, unchanged)
	for _, e := range events {
		outbox.PutEvent(ctx, &x, s.outbox, e, s.now())
	}
	return dynamo.LostRace(x.Commit(ctx))
}

// DeleteSubscription deletes the subscription, its slots and its newest secrets in one transaction. Revoked secrets
// and slots that do not fit are deleted afterwards. Pending deliveries are deleted when they become due; attempts
// expire.
func (s *Store) DeleteSubscription(ctx context.Context, sub notification.Subscription) error {
	secrets := s.table.Query(ctx, dynamo.Query{
		Partition: subscriptionPartition(sub.Partner, sub.ID), Sort: dynamo.Prefix(secretPrefix), Attributes: "pk, sk",
		Descending: true,
	})
	keys, err := dynamo.Collect(secrets, dynamo.Decode[dynamo.Key])
	if err != nil {
		return err
	}
	var x dynamo.Transaction
	x.Delete(s.table, subscriptionKey(sub.Partner, sub.ID), secretsUnchanged(sub))
	x.Delete(s.table, slotsKey(sub, 0))
	for row := 1; row < slotRows(sub.PeakLimit); row++ {
		keys = append(keys, slotsKey(sub, row))
	}
	newest := min(len(keys), dynamo.MaxTransaction-x.Len())
	for _, key := range keys[:newest] {
		x.Delete(s.table, key)
	}
	if err := x.Commit(ctx); err != nil {
		return dynamo.LostRace(err)
	}
	return s.table.DeleteAll(ctx, keys[newest:]...)
}

// secretsUnchanged is the condition that no secrets were written since the subscription was read. It also holds for a
// deleted row, and for a row without the attribute, whose secrets never changed.
func secretsUnchanged(sub notification.Subscription) dynamo.Expression {
	if sub.SecretsVersion == 0 {
		return dynamo.Expr("attribute_not_exists(secretsVersion)")
	}
	return dynamo.Expr("attribute_not_exists(pk) OR secretsVersion = ?", sub.SecretsVersion)
}

// Secrets reads the secrets of a subscription consistently, newest first.
func (s *Store) Secrets(ctx context.Context, p owner.PartnerID, id string) ([]notification.Secret, error) {
	rows := s.table.Query(ctx, dynamo.Query{
		Partition: subscriptionPartition(p, id), Sort: dynamo.Prefix(secretPrefix), Descending: true,
	})
	secrets, err := dynamo.Collect(rows, s.toSecret)
	slices.SortStableFunc(secrets, func(a, b notification.Secret) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return secrets, err
}

// SaveSecrets writes secrets in one transaction, and counts such writes. If a request adds a secret, that one comes
// first.
func (s *Store) SaveSecrets(
	ctx context.Context, sub notification.Subscription, also idempotency.Effect[notification.Secret],
	secrets ...notification.Secret,
) error {
	var x dynamo.Transaction
	x.Update(s.table, subscriptionKey(sub.Partner, sub.ID),
		dynamo.Expr("SET secretsVersion = ?", sub.SecretsVersion+1), dynamo.IfExists, secretsUnchanged(sub))
	for _, secret := range secrets {
		s.putSecret(&x, sub.Partner, sub.ID, secret)
	}
	also.Put(&x, secrets[0])
	return dynamo.LostRace(x.Commit(ctx))
}

// Target reads a subscription and its secrets. Secrets that have not changed since the last read come from the cache.
func (s *Store) Target(ctx context.Context, p owner.PartnerID, id string) (to notification.Target, err error) {
	if to.Subscription, err = s.Subscription(ctx, p, id); err != nil {
		return to, err
	}
	key := subscriptionPartition(p, id)
	s.mu.Lock()
	known, ok := s.known[key]
	s.mu.Unlock()
	if ok && known.SecretsVersion == to.SecretsVersion {
		to.Secrets = known.Secrets
		return to, nil
	}
	if to.Secrets, err = s.Secrets(ctx, p, id); err != nil {
		return to, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= maxCachedTargets {
		clear(s.known)
	}
	s.known[key] = to
	return to, nil
}

// maxCachedTargets is the number of subscriptions whose secrets Target caches.
const maxCachedTargets = 1000

// NoteAcknowledged writes the time, resets the count of exhausted deliveries and ends a failure. If that count is
// zero, it writes at most once an hour.
func (s *Store) NoteAcknowledged(ctx context.Context, p owner.PartnerID, id string, at clock.Real) error {
	_, err := s.table.Update(ctx, subscriptionKey(p, id),
		dynamo.Expr("SET exhausted = ?, acknowledgedAt = ? REMOVE failingSince, failingReason, failingDetail",
			0, millis(at)),
		dynamo.Expr("attribute_exists(pk) AND (exhausted > ? OR acknowledgedAt < ?)",
			0, millis(at.Add(-notification.AcknowledgedPrecision))))
	return unlessChanged("note acknowledgement", err)
}

// NoteExhausted counts one more exhausted delivery and keeps the reason.
func (s *Store) NoteExhausted(
	ctx context.Context, p owner.PartnerID, id string, r notification.Result,
) (notification.Subscription, error) {
	row, err := s.table.Update(ctx, subscriptionKey(p, id),
		dynamo.Expr("SET failingReason = ?, failingDetail = ? ADD exhausted ?", string(r.Outcome), r.Detail, 1),
		dynamo.IfExists)
	if errors.Is(err, outcome.ErrChanged) {
		return notification.Subscription{}, outcome.ErrNotFound
	}
	if err != nil {
		return notification.Subscription{}, err
	}
	return dynamo.Decode[notification.Subscription](row)
}

// LeaseAlert writes the end of the lease, if it has not changed and s is still in the same failure.
func (s *Store) LeaseAlert(ctx context.Context, sub notification.Subscription, until clock.Real) error {
	unleased := dynamo.Expr("attribute_not_exists(alertLease)")
	if !sub.AlertLease.IsZero() {
		unleased = dynamo.Expr("alertLease = ?", millis(sub.AlertLease))
	}
	_, err := s.table.Update(ctx, subscriptionKey(sub.Partner, sub.ID),
		dynamo.Expr("SET alertLease = ?", millis(until)),
		dynamo.Expr("failingSince = ?", millis(sub.FailingSince)), unleased)
	return err
}

// NoteAlerted writes when the mail was sent. It does not create a deleted subscription again. It keeps the lease: a
// caller that read the subscription earlier could otherwise get a lease and send a second mail.
func (s *Store) NoteAlerted(ctx context.Context, sub notification.Subscription, at clock.Real) error {
	_, err := s.table.Update(ctx, subscriptionKey(sub.Partner, sub.ID),
		dynamo.Expr("SET alertedAt = ?", millis(at)), dynamo.IfExists)
	return unlessChanged("note alert", err)
}

// unlessChanged returns nil for a refused write, for callers that no longer need it.
func unlessChanged(what string, err error) error {
	if err == nil || errors.Is(err, outcome.ErrChanged) {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// putSecret adds a secret. The key is sealed and bound to the row.
func (s *Store) putSecret(x *dynamo.Transaction, p owner.PartnerID, id string, secret notification.Secret) {
	key := secretKey(p, id, secret.ID)
	r := secretRow{Secret: secret, Sealed: s.keys.Seal([]byte(secret.Key), key.PK+key.SK)}
	if !secret.ExpiresAt.IsZero() {
		r.TTL = dynamo.Expiry(secret.ExpiresAt.Add(retention).Time())
	}
	x.Put(s.table, key, r)
}

func (s *Store) toSecret(row dynamo.Item) (notification.Secret, error) {
	r, err := dynamo.Decode[secretRow](row)
	if err != nil {
		return notification.Secret{}, err
	}
	key, err := s.keys.Open(r.Sealed, r.PK+r.SK)
	if err != nil {
		return notification.Secret{}, fmt.Errorf("open secret %s: %w", r.ID, err)
	}
	r.Secret.Key = notification.Key(key)
	return r.Secret, nil
}
