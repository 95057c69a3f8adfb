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

// lookAfterClocks is how long, after a user's clock was moved last, what is due for the user
// is done. The other lists of what is due know real time only.
const lookAfterClocks = 30 * 24 * time.Hour

// movedClocks looks after the users whose clocks have been moved.
type movedClocks struct {
	store  *identitydb.ClockStore
	queues *queue.Sender
}

// wake asks the function clock to do what is due for each of the users, and returns how many
// there are.
func (m movedClocks) wake(ctx context.Context) (int, error) {
	all, err := m.store.MovedClocks(ctx, clock.Read(time.Now).Add(-lookAfterClocks))
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
