package notificationdb

import (
	"context"
	"errors"
	"maps"
	"slices"

	"aviso/internal/dynamo"
	"aviso/internal/notification"
	"aviso/internal/outcome"
)

// FetchDelivery is Delivery, together with others that are fetched at the same time.
func (s *Store) FetchDelivery(ctx context.Context, k notification.DeliveryKey) (notification.Delivery, error) {
	row, err := s.reads.Call(ctx, deliveryKey(k), s.rows)
	if err != nil {
		return notification.Delivery{}, err
	}
	if row == nil {
		return notification.Delivery{}, outcome.ErrNotFound
	}
	return toDelivery(row)
}

// rows returns a row, or nil, for each key.
func (s *Store) rows(ctx context.Context, keys []dynamo.Key) ([]dynamo.Item, error) {
	if len(keys) == 1 {
		row, err := s.table.Row(ctx, keys[0])
		if errors.Is(err, outcome.ErrNotFound) {
			err = nil
		}
		return []dynamo.Item{row}, err
	}
	wanted := map[dynamo.Key]dynamo.Item{}
	for _, key := range keys {
		wanted[key] = nil
	}
	found, err := s.table.Rows(ctx, slices.Collect(maps.Keys(wanted)))
	for _, row := range found {
		wanted[dynamo.KeyOf(row)] = row
	}
	rows := make([]dynamo.Item, len(keys))
	for i, key := range keys {
		rows[i] = wanted[key]
	}
	return rows, err
}

// SaveAcknowledged writes the delivery and the attempt for half the price of a transaction, together with others that
// are saved at the same time.
func (s *Store) SaveAcknowledged(
	ctx context.Context, sub notification.Subscription, d notification.Delivery, a notification.Attempt,
) error {
	d.Version++
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
