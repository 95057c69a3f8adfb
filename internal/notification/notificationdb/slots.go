package notificationdb

import (
	"context"
	"errors"
	"strconv"
	"time"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// TakeSlot takes the first free slot. All slots are attributes of one row, and each
// is taken by its own write, so concurrent calls do not conflict over different
// slots. A refused write returns the row, so one write is enough to find that all
// slots are taken.
func (s *Store) TakeSlot(
	ctx context.Context, p owner.PartnerID, id string, slots int, now, until time.Time,
) (string, error) {
	known := dynamo.NewRow(nil)
	for i := range slots {
		name := "s" + strconv.Itoa(i)
		if known.Int(name) > dynamo.Millis(now) {
			continue
		}
		slot := dynamo.Name(name)
		_, err := s.table.Update(ctx, slotsKey(p, id),
			dynamo.Expr("SET ? = ?", slot, dynamo.Millis(until)),
			dynamo.Expr("attribute_not_exists(?) OR ? <= ?", slot, slot, dynamo.Millis(now)))
		if err == nil {
			return name, nil
		}
		refused, ok := errors.AsType[*dynamo.ConditionError](err)
		if !ok {
			return "", err
		}
		if refused.Old != nil {
			known = refused.Old
		}
	}
	return "", outcome.ErrChanged
}

// ReleaseSlot releases a slot, unless it has expired and somebody else has taken it.
func (s *Store) ReleaseSlot(ctx context.Context, p owner.PartnerID, id, slot string, until time.Time) error {
	name := dynamo.Name(slot)
	_, err := s.table.Update(ctx, slotsKey(p, id),
		dynamo.Expr("REMOVE ?", name), dynamo.Expr("? = ?", name, dynamo.Millis(until)))
	return ignoreChanged(err)
}
