package notificationdb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/dynamo"
	"aviso/internal/idempotency"
	"aviso/internal/notification"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

type subscriptionRow struct {
	ID             string                          `dynamodbav:"id"`
	Partner        owner.PartnerID                 `dynamodbav:"partner"`
	ServerURL      string                          `dynamodbav:"serverUrl"`
	Events         []string                        `dynamodbav:"events"`
	Description    string                          `dynamodbav:"description,omitempty"`
	Status         notification.SubscriptionStatus `dynamodbav:"status"`
	Reason         notification.SubscriptionReason `dynamodbav:"reason,omitempty"`
	CreatedAt      int64                           `dynamodbav:"createdAt"`
	UpdatedAt      int64                           `dynamodbav:"updatedAt"`
	ActiveSince    int64                           `dynamodbav:"activeSince"`
	Exhausted      int                             `dynamodbav:"exhausted"`
	AcknowledgedAt int64                           `dynamodbav:"acknowledgedAt"`
	Version        int64                           `dynamodbav:"version"`
}

type secretRow struct {
	ID        string `dynamodbav:"id"`
	Key       []byte `dynamodbav:"key"`
	CreatedAt int64  `dynamodbav:"createdAt"`
	EndsAt    int64  `dynamodbav:"endsAt,omitempty"`
	Revoked   bool   `dynamodbav:"revoked,omitempty"`
	// ExpiresAt is the table's TTL attribute.
	ExpiresAt int64 `dynamodbav:"expiresAt,omitempty"`
}

// CreateSubscription writes a subscription and its first secret in one transaction.
func (s *Store) CreateSubscription(
	ctx context.Context, sub notification.Subscription, first notification.Secret,
) error {
	var x dynamo.Transaction
	x.Put(s.table, subscriptionKey(sub.Partner, sub.ID), subscriptionRow{
		ID: sub.ID, Partner: sub.Partner, ServerURL: sub.ServerURL, Events: sub.Events, Description: sub.Description,
		Status: sub.Status, Reason: sub.Reason, CreatedAt: dynamo.Millis(sub.CreatedAt),
		UpdatedAt: dynamo.Millis(sub.UpdatedAt), ActiveSince: dynamo.Millis(sub.ActiveSince), Exhausted: sub.Exhausted,
		AcknowledgedAt: dynamo.Millis(sub.AcknowledgedAt), Version: sub.Version,
	}, dynamo.IfNew)
	s.putSecret(&x, sub.Partner, sub.ID, first)
	idempotency.Put(ctx, &x, notification.NewSubscription{Subscription: sub, Secret: first})
	return x.Commit(ctx)
}

// Subscription reads a subscription consistently.
func (s *Store) Subscription(ctx context.Context, p owner.PartnerID, id string) (notification.Subscription, error) {
	row, err := s.table.Row(ctx, subscriptionKey(p, id))
	if err != nil {
		return notification.Subscription{}, err
	}
	return toSubscription(row)
}

// Subscriptions reads all of a partner's subscriptions consistently.
func (s *Store) Subscriptions(ctx context.Context, p owner.PartnerID) ([]notification.Subscription, error) {
	rows := s.table.Query(ctx, dynamo.Query{Partition: subscriptionKey(p, "").PK})
	return dynamo.Collect(rows, toSubscription)
}

// SaveSubscription writes what the partner and the operator set. The delivery counts
// have their own writes.
func (s *Store) SaveSubscription(ctx context.Context, sub notification.Subscription) error {
	_, err := s.table.Update(ctx, subscriptionKey(sub.Partner, sub.ID),
		dynamo.Expr("SET serverUrl = ?, events = ?, description = ?, #status = ?, reason = ?, updatedAt = ?, "+
			"activeSince = ?, version = ?",
			sub.ServerURL, sub.Events, sub.Description, string(sub.Status), string(sub.Reason),
			dynamo.Millis(sub.UpdatedAt), dynamo.Millis(sub.ActiveSince), sub.Version+1),
		dynamo.Expr("version = ?", sub.Version))
	return err
}

// DeleteSubscription deletes the subscription first, so that nothing more is sent,
// then its secrets and slots. Pending deliveries are deleted when they fall due;
// attempts expire.
func (s *Store) DeleteSubscription(ctx context.Context, p owner.PartnerID, id string) error {
	secrets, err := s.Secrets(ctx, p, id)
	if err != nil {
		return err
	}
	if err := s.table.DeleteAll(ctx, subscriptionKey(p, id)); err != nil {
		return err
	}
	keys := []dynamo.Key{slotsKey(p, id)}
	for _, secret := range secrets {
		keys = append(keys, secretKey(p, id, secret.ID))
	}
	return s.table.DeleteAll(ctx, keys...)
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

// SaveSecrets writes secrets if their subscription exists.
func (s *Store) SaveSecrets(ctx context.Context, p owner.PartnerID, id string, secrets ...notification.Secret) error {
	var x dynamo.Transaction
	x.Check(s.table, subscriptionKey(p, id), dynamo.IfExists)
	for _, secret := range secrets {
		s.putSecret(&x, p, id, secret)
	}
	idempotency.Put(ctx, &x, secrets[0])
	return notFoundIfChanged(x.Commit(ctx))
}

// Target reads a subscription and its secrets in parallel.
func (s *Store) Target(
	ctx context.Context, p owner.PartnerID, id string,
) (sub notification.Subscription, secrets []notification.Secret, err error) {
	var both errgroup.Group
	both.Go(func() (err error) {
		sub, err = s.Subscription(ctx, p, id)
		return err
	})
	both.Go(func() (err error) {
		secrets, err = s.Secrets(ctx, p, id)
		return err
	})
	return sub, secrets, both.Wait()
}

// acknowledgedPrecision is how old the stored time of the last acknowledgement may
// be, so that not every delivery writes it.
const acknowledgedPrecision = time.Hour

// NoteAcknowledged writes the time and resets the count of exhausted deliveries. It
// writes at most once an hour if that count is zero.
func (s *Store) NoteAcknowledged(ctx context.Context, p owner.PartnerID, id string, at time.Time) error {
	_, err := s.table.Update(ctx, subscriptionKey(p, id),
		dynamo.Expr("SET exhausted = ?, acknowledgedAt = ?", 0, dynamo.Millis(at)),
		dynamo.Expr("attribute_exists(pk) AND (exhausted > ? OR acknowledgedAt < ?)",
			0, dynamo.Millis(at.Add(-acknowledgedPrecision))))
	return ignoreChanged(err)
}

// NoteExhausted counts one more exhausted delivery.
func (s *Store) NoteExhausted(ctx context.Context, p owner.PartnerID, id string) (notification.Subscription, error) {
	row, err := s.table.Update(ctx, subscriptionKey(p, id), dynamo.Expr("ADD exhausted ?", 1),
		dynamo.IfExists)
	if err != nil {
		return notification.Subscription{}, notFoundIfChanged(err)
	}
	return toSubscription(row)
}

// notFoundIfChanged returns outcome.ErrNotFound for a refused write whose only
// condition was that the row exists.
func notFoundIfChanged(err error) error {
	if errors.Is(err, outcome.ErrChanged) {
		return outcome.ErrNotFound
	}
	return err
}

// ignoreChanged returns nil for a refused write, for callers that no longer need it.
func ignoreChanged(err error) error {
	if errors.Is(err, outcome.ErrChanged) {
		return nil
	}
	return err
}

// putSecret adds a secret. Its key is sealed and bound to the row.
func (s *Store) putSecret(x *dynamo.Transaction, p owner.PartnerID, id string, secret notification.Secret) {
	key := secretKey(p, id, secret.ID)
	r := secretRow{
		ID: secret.ID, Key: s.keys.Seal([]byte(secret.Key), key.PK+key.SK), CreatedAt: dynamo.Millis(secret.CreatedAt),
		EndsAt: dynamo.Millis(secret.ExpiresAt), Revoked: secret.Revoked,
	}
	if !secret.ExpiresAt.IsZero() {
		r.ExpiresAt = dynamo.Expiry(secret.ExpiresAt.Add(retention))
	}
	x.Put(s.table, key, r)
}

func (s *Store) toSecret(row *dynamo.Row) (notification.Secret, error) {
	r, err := dynamo.Decode[secretRow](row)
	if err != nil {
		return notification.Secret{}, err
	}
	at := row.Key()
	key, err := s.keys.Open(r.Key, at.PK+at.SK)
	if err != nil {
		return notification.Secret{}, fmt.Errorf("open secret %s: %w", r.ID, err)
	}
	return notification.Secret{
		ID: r.ID, Key: notification.Key(key), CreatedAt: dynamo.FromMillis(r.CreatedAt),
		ExpiresAt: dynamo.FromMillis(r.EndsAt), Revoked: r.Revoked,
	}, nil
}

func toSubscription(row *dynamo.Row) (notification.Subscription, error) {
	r, err := dynamo.Decode[subscriptionRow](row)
	return notification.Subscription{
		ID: r.ID, Partner: r.Partner, ServerURL: r.ServerURL, Events: r.Events, Description: r.Description,
		Status: r.Status, Reason: r.Reason, CreatedAt: dynamo.FromMillis(r.CreatedAt),
		UpdatedAt: dynamo.FromMillis(r.UpdatedAt), ActiveSince: dynamo.FromMillis(r.ActiveSince),
		Exhausted: r.Exhausted, AcknowledgedAt: dynamo.FromMillis(r.AcknowledgedAt), Version: r.Version,
	}, err
}
