package notificationdb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"aviso/internal/dynamo"
	"aviso/internal/event"
	"aviso/internal/notification"
	"aviso/internal/outbox"
	"aviso/internal/owner"
)

type deliveryRow struct {
	Partner        string `dynamodbav:"partner"`
	SubscriptionID string `dynamodbav:"subscriptionId"`
	ID             string `dynamodbav:"id"`
	User           string `dynamodbav:"user,omitempty"`
	EventID        string `dynamodbav:"eventId"`
	EventType      string `dynamodbav:"eventType"`
	Payload        []byte `dynamodbav:"payload,omitempty"`
	Status         string `dynamodbav:"status"`
	Reason         string `dynamodbav:"reason,omitempty"`
	CreatedAt      int64  `dynamodbav:"createdAt"`
	Attempt        int    `dynamodbav:"attempt"`
	NextAttemptAt  int64  `dynamodbav:"nextAttemptAt,omitempty"`
	Sends          int    `dynamodbav:"sends,omitempty"`
	LeaseUntil     int64  `dynamodbav:"leaseUntil,omitempty"`
	WakeAt         int64  `dynamodbav:"wakeAt,omitempty"`
	Version        int64  `dynamodbav:"version"`
	// DueKind and DueAt put the row into the index `due`, PendingUser into
	// `byUser`; all are there while the delivery is pending only.
	DueKind     string `dynamodbav:"dueKind,omitempty"`
	DueAt       string `dynamodbav:"dueAt,omitempty"`
	PendingUser string `dynamodbav:"pendingUser,omitempty"`
	// ExpiresAt is the table's time to live, of what has ended.
	ExpiresAt int64 `dynamodbav:"expiresAt,omitempty"`
}

type attemptRow struct {
	ID            string `dynamodbav:"id"`
	EventID       string `dynamodbav:"eventId"`
	EventType     string `dynamodbav:"eventType"`
	Number        int    `dynamodbav:"number"`
	Outcome       string `dynamodbav:"outcome"`
	HTTPStatus    int    `dynamodbav:"httpStatus,omitempty"`
	Detail        string `dynamodbav:"detail,omitempty"`
	DurationMs    int64  `dynamodbav:"durationMs"`
	StartedAt     int64  `dynamodbav:"startedAt"`
	NextAttemptAt int64  `dynamodbav:"nextAttemptAt,omitempty"`
	ExpiresAt     int64  `dynamodbav:"expiresAt"`
}

// CreateDelivery writes a delivery unless it is there.
func (s *Store) CreateDelivery(ctx context.Context, d notification.Delivery) (notification.Delivery, error) {
	item, err := s.deliveryItem(d)
	if err != nil {
		return d, err
	}
	_, err = s.db.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: &s.table, Item: item, ConditionExpression: ptr("attribute_not_exists(pk)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	var refused *types.ConditionalCheckFailedException
	if !errors.As(err, &refused) {
		if err != nil {
			return d, fmt.Errorf("put delivery: %w", err)
		}
		return d, nil
	}
	var r deliveryRow
	if err := dynamo.Unmarshal(refused.Item, &r); err != nil {
		return d, err
	}
	return r.delivery(), nil
}

// Delivery reads a delivery consistently.
func (s *Store) Delivery(ctx context.Context, k notification.DeliveryKey) (notification.Delivery, error) {
	pk, sk := deliveryKey(k)
	var r deliveryRow
	if err := dynamo.LegacyGet(ctx, s.db, s.table, pk, sk, true, &r); err != nil {
		return notification.Delivery{}, translate(err)
	}
	return r.delivery(), nil
}

// SaveDelivery replaces the row if it is still of the version that d was read
// as.
func (s *Store) SaveDelivery(ctx context.Context, d notification.Delivery, wake bool) (notification.Delivery, error) {
	return s.save(ctx, d, wake)
}

// SaveAttempt keeps what was tried for 30 days.
func (s *Store) SaveAttempt(ctx context.Context, d notification.Delivery, a notification.Attempt, wake bool) error {
	pk, sk := attemptKey(d.Partner, d.SubscriptionID, a.ID)
	item, err := dynamo.Marshal(pk, sk, attemptRow{
		ID: a.ID, EventID: a.EventID, EventType: a.EventType, Number: a.Number, Outcome: string(a.Outcome), HTTPStatus: a.HTTPStatus, Detail: a.Detail,
		DurationMs: a.Duration.Milliseconds(), StartedAt: dynamo.Millis(a.StartedAt), NextAttemptAt: dynamo.Millis(a.NextAttemptAt),
		ExpiresAt: dynamo.Expiry(a.StartedAt.Add(facts)),
	})
	if err != nil {
		return err
	}
	_, err = s.save(ctx, d, wake, types.TransactWriteItem{Put: &types.Put{TableName: &s.table, Item: item}})
	return err
}

func (s *Store) save(ctx context.Context, d notification.Delivery, wake bool, more ...types.TransactWriteItem) (notification.Delivery, error) {
	was := d.Version
	d.Version++
	item, err := s.deliveryItem(d)
	if err != nil {
		return d, err
	}
	actions := append([]types.TransactWriteItem{{Put: &types.Put{
		TableName: &s.table, Item: item, ConditionExpression: ptr("version = :was"),
		ExpressionAttributeValues: dynamo.Item{":was": dynamo.N(was)},
	}}}, more...)
	if wake {
		put, err := outbox.LegacyPut(s.outbox, outbox.Message{ID: s.newID(), Queue: outbox.DeliveryQueue, Body: d.DeliveryKey}, s.now())
		if err != nil {
			return d, err
		}
		actions = append(actions, put)
	}
	return d, translate(dynamo.LegacyTransact(ctx, s.db, actions))
}

// DeleteDelivery deletes a delivery, whatever it holds.
func (s *Store) DeleteDelivery(ctx context.Context, k notification.DeliveryKey) error {
	pk, sk := deliveryKey(k)
	return dynamo.LegacyDeleteAll(ctx, s.db, s.table, []dynamo.Item{dynamo.LegacyKey(pk, sk)})
}

// Attempts reads a page, newest first, seeking by id.
func (s *Store) Attempts(ctx context.Context, partner owner.PartnerID, subscriptionID string, limit int, position string) ([]notification.Attempt, string, error) {
	before := position
	if before == "" {
		before = last
	}
	page := make([]notification.Attempt, 0, limit)
	out, err := s.db.Query(ctx, &dynamodb.QueryInput{
		TableName: &s.table, ScanIndexForward: ptr(false), ConsistentRead: ptr(true), Limit: ptr(int32(limit + 2)),
		KeyConditionExpression: ptr("pk = :pk AND sk BETWEEN :from AND :to"),
		ExpressionAttributeValues: dynamo.Item{
			":pk": dynamo.S(ofSubscription(partner, subscriptionID)), ":from": dynamo.S(attemptPrefix), ":to": dynamo.S(attemptPrefix + before),
		},
	})
	if err != nil {
		return nil, "", fmt.Errorf("query attempts: %w", err)
	}
	for _, item := range out.Items {
		var r attemptRow
		if err := dynamo.Unmarshal(item, &r); err != nil {
			return nil, "", err
		}
		if r.ID == before || r.ExpiresAt <= dynamo.Expiry(s.now()) { // BETWEEN includes its ends; what has run out may still be there
			continue
		}
		if len(page) == limit {
			return page, page[limit-1].ID, nil
		}
		page = append(page, r.attempt())
	}
	return page, "", nil
}

// DueDeliveries reads the index of what has fallen due, then the deliveries.
func (s *Store) DueDeliveries(ctx context.Context, until time.Time, limit int) ([]notification.Delivery, error) {
	keys, err := s.indexed(ctx, &dynamodb.QueryInput{
		TableName: &s.table, IndexName: ptr("due"), Limit: ptr(int32(limit)),
		KeyConditionExpression:    ptr("dueKind = :kind AND dueAt <= :until"),
		ExpressionAttributeValues: dynamo.Item{":kind": dynamo.S(dueDelivery), ":until": dynamo.S(dynamo.Time(until))},
	})
	if err != nil {
		return nil, err
	}
	list := make([]notification.Delivery, 0, len(keys))
	for _, key := range keys {
		got, err := s.db.GetItem(ctx, &dynamodb.GetItemInput{TableName: &s.table, Key: key, ConsistentRead: ptr(true)})
		if err != nil {
			return nil, fmt.Errorf("get due delivery: %w", err)
		}
		if len(got.Item) == 0 {
			continue // deleted since the index was written
		}
		var r deliveryRow
		if err := dynamo.Unmarshal(got.Item, &r); err != nil {
			return nil, err
		}
		list = append(list, r.delivery())
	}
	return list, nil
}

// PendingDeliveries reads the index of what waits to be told about a user.
func (s *Store) PendingDeliveries(ctx context.Context, user owner.User) ([]notification.DeliveryKey, error) {
	pages := dynamodb.NewQueryPaginator(s.db, &dynamodb.QueryInput{
		TableName: &s.table, IndexName: ptr("byUser"), KeyConditionExpression: ptr("pendingUser = :user"),
		ExpressionAttributeValues: dynamo.Item{":user": dynamo.S(user.Key())},
	})
	var all []notification.DeliveryKey
	for pages.HasMorePages() {
		out, err := pages.NextPage(ctx)
		if err != nil {
			return nil, fmt.Errorf("query pending deliveries: %w", err)
		}
		for _, item := range out.Items {
			var r deliveryRow
			if err := dynamo.Unmarshal(item, &r); err != nil {
				return nil, err
			}
			all = append(all, r.delivery().DeliveryKey)
		}
	}
	return all, nil
}

func (s *Store) indexed(ctx context.Context, in *dynamodb.QueryInput) ([]dynamo.Item, error) {
	out, err := s.db.Query(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("query index %s: %w", *in.IndexName, err)
	}
	keys := make([]dynamo.Item, len(out.Items))
	for i, item := range out.Items {
		keys[i] = dynamo.Item{"pk": item["pk"], "sk": item["sk"]}
	}
	return keys, nil
}

// PutEvent leaves an event in the outbox.
func (s *Store) PutEvent(ctx context.Context, e event.Event) error {
	put, err := event.LegacyPut(s.outbox, e, s.now())
	if err != nil {
		return err
	}
	return dynamo.LegacyTransact(ctx, s.db, []types.TransactWriteItem{put})
}

func (s *Store) deliveryItem(d notification.Delivery) (dynamo.Item, error) {
	r := deliveryRow{
		Partner: string(d.Partner), SubscriptionID: d.SubscriptionID, ID: d.DeliveryID, User: string(d.User), EventID: d.EventID, EventType: d.EventType,
		Payload: d.Payload, Status: string(d.Status), Reason: string(d.Reason), CreatedAt: dynamo.Millis(d.CreatedAt), Attempt: d.Attempt,
		NextAttemptAt: dynamo.Millis(d.NextAttemptAt), Sends: d.Sends, LeaseUntil: dynamo.Millis(d.LeaseUntil), WakeAt: dynamo.Millis(d.WakeAt), Version: d.Version,
	}
	if d.Status == notification.DeliveryPending {
		r.DueKind, r.DueAt = dueDelivery, dynamo.Time(d.WakeAt)
		if d.User != "" {
			r.PendingUser = owner.User{Partner: d.Partner, ID: d.User}.Key()
		}
	} else {
		r.ExpiresAt = dynamo.Expiry(s.now().Add(facts))
	}
	pk, sk := deliveryKey(d.DeliveryKey)
	return dynamo.Marshal(pk, sk, r)
}

func (r deliveryRow) delivery() notification.Delivery {
	return notification.Delivery{
		DeliveryKey: notification.DeliveryKey{Partner: owner.PartnerID(r.Partner), SubscriptionID: r.SubscriptionID, DeliveryID: r.ID},
		User:        owner.UserID(r.User), EventID: r.EventID, EventType: r.EventType, Payload: r.Payload,
		Status: notification.DeliveryStatus(r.Status), Reason: notification.DeliveryReason(r.Reason), CreatedAt: dynamo.FromMillis(r.CreatedAt), Attempt: r.Attempt,
		NextAttemptAt: dynamo.FromMillis(r.NextAttemptAt), Sends: r.Sends, LeaseUntil: dynamo.FromMillis(r.LeaseUntil), WakeAt: dynamo.FromMillis(r.WakeAt), Version: r.Version,
	}
}

func (r attemptRow) attempt() notification.Attempt {
	return notification.Attempt{
		ID: r.ID, EventID: r.EventID, EventType: r.EventType, Number: r.Number,
		Result: notification.Result{
			Outcome: notification.Outcome(r.Outcome), HTTPStatus: r.HTTPStatus, Detail: r.Detail, Duration: time.Duration(r.DurationMs) * time.Millisecond,
		},
		StartedAt: dynamo.FromMillis(r.StartedAt), NextAttemptAt: dynamo.FromMillis(r.NextAttemptAt),
	}
}
