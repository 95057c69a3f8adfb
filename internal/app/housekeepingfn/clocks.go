package housekeepingfn

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/identity/identitydb"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/queue"
	"aviso/internal/owner"
)

// wakeFor is how long housekeeping wakes a user after the last move of their clock. All other due work is
// found by real time.
const wakeFor = 30 * 24 * time.Hour

// movedClocks looks after the users whose clocks have been moved.
type movedClocks struct {
	store  *identitydb.ClockStore
	queues *queue.Sender
}

// wake sends each of the users to the function clock, which does their due work. It returns the number of users.
func (m movedClocks) wake(ctx context.Context) (int, error) {
	all, err := m.store.MovedClocks(ctx, clock.Read(time.Now).Add(-wakeFor))
	if err != nil {
		return 0, fmt.Errorf("find moved clocks: %w", err)
	}
	woken, failed := 0, error(nil)
	for _, c := range all {
		err := m.queues.SendJSON(ctx, outbox.ClockQueue, c.User, 0)
		if failed = errors.Join(failed, err); err == nil {
			woken++
		}
	}
	return woken, failed
}

// Close implements identity.Eraser.
func (m movedClocks) Close(context.Context, owner.User) (bool, error) { return true, nil }

// Count implements identity.Eraser: a clock does not count as data of the user.
func (m movedClocks) Count(context.Context, owner.User) (map[string]int, error) { return nil, nil }

// Erase implements identity.Eraser. The clock is erased last, because the other areas need it.
func (m movedClocks) Erase(ctx context.Context, user owner.User) (bool, error) {
	return true, m.store.DeleteClock(ctx, user)
}
