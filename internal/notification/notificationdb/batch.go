package notificationdb

import (
	"context"
	"maps"

	"aviso/internal/dynamo"
	"aviso/internal/notification"
	"aviso/internal/outcome"
)

// FetchDelivery reads deliveries, and then users, together with others that are read at the same time.
func (s *Store) FetchDelivery(ctx context.Context, m notification.Delivery) (notification.Delivery, error) {
	row, err := s.reads.Call(ctx, deliveryKey(m.DeliveryKey), s.table.RowOfEach)
	switch {
	case err != nil:
		return m, err
	case row != nil:
		return toDelivery(row)
	case m.Status == "":
		return m, outcome.ErrNotFound
	case m.User == "" || s.people == nil:
		return m, nil
	}
	if row, err = s.people.Call(ctx, dynamo.UserKey(m.Owner()), s.users.RowOfEach); err == nil && row == nil {
		err = outcome.ErrNotFound
	}
	return m, err
}

// Settle deletes events together with others. If the last two deliveries of an event are stored at the same moment,
// both delete it.
func (s *Store) Settle(ctx context.Context, m notification.Delivery) error {
	if m.EventID == "" {
		return nil
	}
	var others []dynamo.Key
	for _, id := range m.Others {
		others = append(others, deliveryKey(notification.DeliveryKey{
			Partner: m.Partner, SubscriptionID: id, DeliveryID: notification.DeliveryID(id, m.EventID),
		}))
	}
	stored, err := s.table.Rows(ctx, others, dynamo.Attributes("pk"))
	if err == nil && len(stored) == len(others) {
		_, err = s.settled.Call(ctx, dynamo.Key{PK: m.EventID}, s.deleteEvents)
	}
	return err
}

func (s *Store) deleteEvents(ctx context.Context, keys []dynamo.Key) ([]struct{}, error) {
	return make([]struct{}, len(keys)), s.outbox.Table.DeleteAll(ctx, keys...)
}

// SaveAcknowledged writes the delivery and the attempt for half the price of a transaction, together with others that
// are saved at the same time.
func (s *Store) SaveAcknowledged(
	ctx context.Context, sub notification.Subscription, d notification.Delivery, a notification.Attempt,
) error {
	d.Version = -1 // no other write requires it, so none can undo the acknowledgement
	_, err := s.acks.Call(ctx, map[dynamo.Key]any{
		deliveryKey(d.DeliveryKey): s.toRow(d), attemptKey(sub, a.ID): toAttemptRow(d, a),
	}, s.putRows)
	return err
}

// putRows writes rows. Of two with the same key it writes one.
func (s *Store) putRows(ctx context.Context, all []map[dynamo.Key]any) ([]struct{}, error) {
	rows := map[dynamo.Key]any{}
	for _, some := range all {
		maps.Copy(rows, some)
	}
	return make([]struct{}, len(all)), s.table.PutAll(ctx, rows)
}
