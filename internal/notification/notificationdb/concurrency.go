package notificationdb

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/notification"
	"aviso/internal/outcome"
)

const (
	// rowSlots is how many slots share a row. DynamoDB takes 1,000 writes a second to a row, and a call needs two.
	rowSlots = 32
	// rowTries is the number of rows in which AcquireSlot looks for a free slot.
	rowTries = 2
)

// slotRows returns the number of rows for that many slots.
func slotRows(slots int) int { return (slots + rowSlots - 1) / rowSlots }

// AcquireSlot takes a free slot of a random row, or of the next ones if that row is full. A row that DynamoDB throttles
// counts as full.
func (s *Store) AcquireSlot(
	ctx context.Context, sub notification.Subscription, slots int, now, until clock.Real,
) (notification.Slot, error) {
	first, rows := rand.N(slots)/rowSlots, slotRows(slots) //nolint:gosec // chance need not be unpredictable
	for i := range min(rows, rowTries) {
		row := (first + i) % rows
		slot, err := s.acquireSlotOf(ctx, slotsKey(sub, row), row, min(slots-row*rowSlots, rowSlots), now, until)
		if !errors.Is(err, outcome.ErrChanged) && !config.IsThrottled(err) {
			return slot, unlessChanged("take slot", err)
		}
	}
	return notification.Slot{}, outcome.ErrChanged
}

// acquireSlotOf takes a free slot of one row. Each slot is an attribute and has its own write, so concurrent calls do
// not conflict over different slots. A refused write returns the row, so one write can show that all slots are taken.
func (s *Store) acquireSlotOf(
	ctx context.Context, key dynamo.Key, row, slots int, now, until clock.Real,
) (notification.Slot, error) {
	var known map[string]int64
	first := rand.N(slots) //nolint:gosec // as above
	for i := range slots {
		number := row*rowSlots + (first+i)%slots
		if known[slotName(number)] > millis(now) {
			continue
		}
		slot := dynamo.Name(slotName(number))
		taken, err := s.table.Update(ctx, key, dynamo.Expr("SET ? = ?", slot, millis(until)),
			dynamo.Expr("attribute_not_exists(?) OR ? <= ?", slot, slot, millis(now)))
		if err == nil {
			known, err = dynamo.Numbers(taken)
			return notification.Slot{Number: number, Busy: 2*takenSlots(known, now) >= slots}, err
		}
		refused, ok := errors.AsType[*dynamo.ConditionError](err)
		if !ok {
			return notification.Slot{}, err
		}
		if refused.Old != nil {
			if known, err = dynamo.Numbers(refused.Old); err != nil {
				return notification.Slot{}, err
			}
		}
	}
	return notification.Slot{}, outcome.ErrChanged
}

func slotName(number int) string { return "s" + strconv.Itoa(number) }

// takenSlots counts the slots of a row that are taken.
func takenSlots(row map[string]int64, now clock.Real) int {
	taken := 0
	for _, until := range row {
		if until > millis(now) {
			taken++
		}
	}
	return taken
}

// ReleaseSlot releases a slot, unless it has expired and somebody else has taken it.
func (s *Store) ReleaseSlot(ctx context.Context, sub notification.Subscription, slot int, until clock.Real) error {
	name := dynamo.Name(slotName(slot))
	_, err := s.table.Update(ctx, slotsKey(sub, slot/rowSlots),
		dynamo.Expr("REMOVE ?", name), dynamo.Expr("? = ?", name, millis(until)))
	return unlessChanged("release slot", err)
}

// SetLimit requires both numbers to be unchanged, so that the peak never falls.
func (s *Store) SetLimit(ctx context.Context, sub notification.Subscription, slots int) error {
	unchanged := dynamo.Expr("attribute_exists(pk) AND attribute_not_exists(slots)")
	if sub.Limit > 0 {
		unchanged = dynamo.Expr("slots = ? AND peakSlots = ?", sub.Limit, sub.PeakLimit)
	}
	_, err := s.table.Update(ctx, subscriptionKey(sub.Partner, sub.ID),
		dynamo.Expr("SET slots = ?, peakSlots = ?", slots, max(sub.PeakLimit, slots)), unchanged)
	if err != nil {
		return fmt.Errorf("set slots of %s: %w", sub.ID, dynamo.LostRace(err))
	}
	return nil
}
