package notificationdb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"aviso/internal/dynamo"
	"aviso/internal/notification"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

type subscriptionRow struct {
	ID             string   `dynamodbav:"id"`
	Partner        string   `dynamodbav:"partner"`
	ServerURL      string   `dynamodbav:"serverUrl"`
	Events         []string `dynamodbav:"events"`
	Description    string   `dynamodbav:"description,omitempty"`
	Status         string   `dynamodbav:"status"`
	Reason         string   `dynamodbav:"reason,omitempty"`
	CreatedAt      int64    `dynamodbav:"createdAt"`
	UpdatedAt      int64    `dynamodbav:"updatedAt"`
	ActiveSince    int64    `dynamodbav:"activeSince"`
	Exhausted      int      `dynamodbav:"exhausted"`
	AcknowledgedAt int64    `dynamodbav:"acknowledgedAt"`
	Version        int64    `dynamodbav:"version"`
}

type secretRow struct {
	ID        string `dynamodbav:"id"`
	Key       []byte `dynamodbav:"key"`
	CreatedAt int64  `dynamodbav:"createdAt"`
	EndsAt    int64  `dynamodbav:"endsAt,omitempty"`
	Revoked   bool   `dynamodbav:"revoked,omitempty"`
	// ExpiresAt is the table's time to live.
	ExpiresAt int64 `dynamodbav:"expiresAt,omitempty"`
}

// CreateSubscription writes a subscription and its first secret.
func (s *Store) CreateSubscription(ctx context.Context, sub notification.Subscription, secret notification.Secret) error {
	pk, sk := subscriptionKey(sub.Partner, sub.ID)
	item, err := dynamo.Marshal(pk, sk, toSubscriptionRow(sub))
	if err != nil {
		return err
	}
	key, err := s.secretItem(sub.Partner, sub.ID, secret)
	if err != nil {
		return err
	}
	return translate(dynamo.LegacyTransact(ctx, s.db, []types.TransactWriteItem{
		{Put: &types.Put{TableName: &s.table, Item: item, ConditionExpression: ptr("attribute_not_exists(pk)")}},
		{Put: &types.Put{TableName: &s.table, Item: key}},
	}))
}

// Subscription reads a subscription consistently.
func (s *Store) Subscription(ctx context.Context, partner owner.PartnerID, id string) (notification.Subscription, error) {
	pk, sk := subscriptionKey(partner, id)
	var r subscriptionRow
	if err := dynamo.LegacyGet(ctx, s.db, s.table, pk, sk, true, &r); err != nil {
		return notification.Subscription{}, translate(err)
	}
	return r.subscription(), nil
}

// Subscriptions reads all of a partner's subscriptions consistently.
func (s *Store) Subscriptions(ctx context.Context, partner owner.PartnerID) ([]notification.Subscription, error) {
	pk, _ := subscriptionKey(partner, "")
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, KeyConditionExpression: ptr("pk = :pk"), ConsistentRead: ptr(true),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(pk)},
	})
	var all []notification.Subscription
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("query subscriptions: %w", err)
		}
		for _, item := range out.Items {
			var r subscriptionRow
			if err := dynamo.Unmarshal(item, &r); err != nil {
				return nil, err
			}
			all = append(all, r.subscription())
		}
	}
	return all, nil
}

// SaveSubscription writes what partner and operator decide; the counts of
// deliveries are written on their own.
func (s *Store) SaveSubscription(ctx context.Context, sub notification.Subscription) error {
	pk, sk := subscriptionKey(sub.Partner, sub.ID)
	values, err := dynamo.Marshal("", "", map[string]any{
		":url": sub.ServerURL, ":events": sub.Events, ":description": sub.Description, ":status": string(sub.Status),
		":reason": string(sub.Reason), ":updatedAt": dynamo.Millis(sub.UpdatedAt), ":activeSince": dynamo.Millis(sub.ActiveSince), ":was": sub.Version, ":version": sub.Version + 1,
	})
	if err != nil {
		return err
	}
	delete(values, "pk")
	_, err = s.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: dynamo.LegacyKey(pk, sk), ConditionExpression: ptr("version = :was"), ExpressionAttributeValues: values,
		UpdateExpression:         ptr("SET serverUrl = :url, events = :events, description = :description, #status = :status, reason = :reason, updatedAt = :updatedAt, activeSince = :activeSince, version = :version"),
		ExpressionAttributeNames: map[string]string{"#status": "status"},
	})
	return translate(dynamo.Conditional(err))
}

// DeleteSubscription deletes the subscription first, so that nothing is sent any
// more, then its secrets and slots. What is pending deletes itself when it is
// due; attempts run out.
func (s *Store) DeleteSubscription(ctx context.Context, partner owner.PartnerID, id string) error {
	secrets, err := s.Secrets(ctx, partner, id)
	if err != nil {
		return err
	}
	pk, sk := subscriptionKey(partner, id)
	if err := dynamo.LegacyDeleteAll(ctx, s.db, s.table, []dynamo.Item{dynamo.LegacyKey(pk, sk)}); err != nil {
		return err
	}
	keys := []dynamo.Item{dynamo.LegacyKey(slotsKey(partner, id))}
	for _, secret := range secrets {
		keys = append(keys, dynamo.LegacyKey(secretKey(partner, id, secret.ID)))
	}
	return dynamo.LegacyDeleteAll(ctx, s.db, s.table, keys)
}

// Secrets reads the secrets of a subscription consistently, the newest first.
func (s *Store) Secrets(ctx context.Context, partner owner.PartnerID, subscriptionID string) ([]notification.Secret, error) {
	out, err := s.db.Query(ctx, &dynamodb.QueryInput{
		TableName: &s.table, ConsistentRead: ptr(true), ScanIndexForward: ptr(false),
		KeyConditionExpression:    ptr("pk = :pk AND begins_with(sk, :prefix)"),
		ExpressionAttributeValues: dynamo.Item{":pk": dynamo.S(ofSubscription(partner, subscriptionID)), ":prefix": dynamo.S(secretPrefix)},
	})
	if err != nil {
		return nil, fmt.Errorf("query secrets: %w", err)
	}
	secrets := make([]notification.Secret, 0, len(out.Items))
	for _, item := range out.Items {
		secret, err := s.secret(partner, subscriptionID, item)
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, secret)
	}
	slices.SortStableFunc(secrets, func(a, b notification.Secret) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return secrets, nil
}

// SaveSecrets writes secrets while their subscription is there.
func (s *Store) SaveSecrets(ctx context.Context, partner owner.PartnerID, subscriptionID string, secrets ...notification.Secret) error {
	pk, sk := subscriptionKey(partner, subscriptionID)
	actions := []types.TransactWriteItem{{ConditionCheck: &types.ConditionCheck{
		TableName: &s.table, Key: dynamo.LegacyKey(pk, sk), ConditionExpression: ptr("attribute_exists(pk)"),
	}}}
	for _, secret := range secrets {
		item, err := s.secretItem(partner, subscriptionID, secret)
		if err != nil {
			return err
		}
		actions = append(actions, types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: item}})
	}
	err := dynamo.LegacyTransact(ctx, s.db, actions)
	if errors.Is(err, outcome.ErrChanged) {
		return outcome.ErrNotFound
	}
	return err
}

// Target reads a subscription and its secrets side by side.
func (s *Store) Target(ctx context.Context, partner owner.PartnerID, subscriptionID string) (sub notification.Subscription, secrets []notification.Secret, err error) {
	var both errgroup.Group
	both.Go(func() (err error) {
		sub, err = s.Subscription(ctx, partner, subscriptionID)
		return err
	})
	both.Go(func() (err error) {
		secrets, err = s.Secrets(ctx, partner, subscriptionID)
		return err
	})
	return sub, secrets, both.Wait()
}

// acknowledgedHourly is how old the note of the last acknowledgement may be: it
// is not written at every delivery.
const acknowledgedHourly = time.Hour

// NoteAcknowledged notes the time, at most once an hour while all goes well.
func (s *Store) NoteAcknowledged(ctx context.Context, partner owner.PartnerID, subscriptionID string, at time.Time) error {
	pk, sk := subscriptionKey(partner, subscriptionID)
	_, err := s.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: dynamo.LegacyKey(pk, sk), UpdateExpression: ptr("SET exhausted = :none, acknowledgedAt = :at"),
		ConditionExpression: ptr("attribute_exists(pk) AND (exhausted > :none OR acknowledgedAt < :old)"),
		ExpressionAttributeValues: dynamo.Item{
			":none": dynamo.N(0), ":at": dynamo.N(dynamo.Millis(at)), ":old": dynamo.N(dynamo.Millis(at.Add(-acknowledgedHourly))),
		},
	})
	if err = dynamo.Conditional(err); err != nil && !errors.Is(err, outcome.ErrChanged) {
		return fmt.Errorf("note acknowledgement: %w", err)
	}
	return nil
}

// NoteExhausted counts one more.
func (s *Store) NoteExhausted(ctx context.Context, partner owner.PartnerID, subscriptionID string) (notification.Subscription, error) {
	pk, sk := subscriptionKey(partner, subscriptionID)
	out, err := s.db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &s.table, Key: dynamo.LegacyKey(pk, sk), UpdateExpression: ptr("ADD exhausted :one"), ReturnValues: types.ReturnValueAllNew,
		ConditionExpression: ptr("attribute_exists(pk)"), ExpressionAttributeValues: dynamo.Item{":one": dynamo.N(1)},
	})
	if err = dynamo.Conditional(err); errors.Is(err, outcome.ErrChanged) {
		return notification.Subscription{}, outcome.ErrNotFound
	}
	if err != nil {
		return notification.Subscription{}, fmt.Errorf("count exhausted delivery: %w", err)
	}
	var r subscriptionRow
	if err := dynamo.Unmarshal(out.Attributes, &r); err != nil {
		return notification.Subscription{}, err
	}
	return r.subscription(), nil
}

// secretItem seals the key, bound to where it belongs.
func (s *Store) secretItem(partner owner.PartnerID, subscriptionID string, secret notification.Secret) (dynamo.Item, error) {
	pk, sk := secretKey(partner, subscriptionID, secret.ID)
	r := secretRow{
		ID: secret.ID, Key: s.keys.Seal([]byte(string(secret.Key)), pk+sk), CreatedAt: dynamo.Millis(secret.CreatedAt), EndsAt: dynamo.Millis(secret.ExpiresAt), Revoked: secret.Revoked,
	}
	if !secret.ExpiresAt.IsZero() {
		r.ExpiresAt = dynamo.Expiry(secret.ExpiresAt.Add(facts))
	}
	return dynamo.Marshal(pk, sk, r)
}

func (s *Store) secret(partner owner.PartnerID, subscriptionID string, item dynamo.Item) (notification.Secret, error) {
	var r secretRow
	if err := dynamo.Unmarshal(item, &r); err != nil {
		return notification.Secret{}, err
	}
	pk, sk := secretKey(partner, subscriptionID, r.ID)
	key, err := s.keys.Open(r.Key, pk+sk)
	if err != nil {
		return notification.Secret{}, fmt.Errorf("open secret %s: %w", r.ID, err)
	}
	return notification.Secret{ID: r.ID, Key: notification.Key(key), CreatedAt: dynamo.FromMillis(r.CreatedAt), ExpiresAt: dynamo.FromMillis(r.EndsAt), Revoked: r.Revoked}, nil
}

func toSubscriptionRow(s notification.Subscription) subscriptionRow {
	return subscriptionRow{
		ID: s.ID, Partner: string(s.Partner), ServerURL: s.ServerURL, Events: s.Events, Description: s.Description, Status: string(s.Status),
		Reason: string(s.Reason), CreatedAt: dynamo.Millis(s.CreatedAt), UpdatedAt: dynamo.Millis(s.UpdatedAt), ActiveSince: dynamo.Millis(s.ActiveSince), Exhausted: s.Exhausted,
		AcknowledgedAt: dynamo.Millis(s.AcknowledgedAt), Version: s.Version,
	}
}

func (r subscriptionRow) subscription() notification.Subscription {
	return notification.Subscription{
		ID: r.ID, Partner: owner.PartnerID(r.Partner), ServerURL: r.ServerURL, Events: r.Events, Description: r.Description,
		Status: notification.SubscriptionStatus(r.Status), Reason: notification.SubscriptionReason(r.Reason), CreatedAt: dynamo.FromMillis(r.CreatedAt),
		UpdatedAt: dynamo.FromMillis(r.UpdatedAt), ActiveSince: dynamo.FromMillis(r.ActiveSince), Exhausted: r.Exhausted, AcknowledgedAt: dynamo.FromMillis(r.AcknowledgedAt), Version: r.Version,
	}
}
