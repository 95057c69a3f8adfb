package connection

import (
	"context"
	"fmt"
	"iter"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/overdue"
	"aviso/internal/pfm/contract"
)

// dueAtOnce is how many connections of a kind and shard are handled at once.
const dueAtOnce = 4

// NewHousekeeping returns what closes expired links and consents, notifies partners before a
// consent expires, starts automatic refreshes, repeats lost jobs, and wakes watches.
func NewHousekeeping(store Store, now func() time.Time) *overdue.Housekeeping {
	due := dueConnections{store, now}
	steps := []overdue.Step{due.watches()}
	for _, kind := range dueKinds() {
		steps = append(steps, overdue.Work[Connection]{
			Kind: string(kind), Repair: kind.isLostJob(), AtOnce: dueAtOnce,
			Due: func(ctx context.Context, shard int, now time.Time) iter.Seq2[Connection, error] {
				return store.DueConnections(ctx, kind, shard, now)
			},
			Owner: func(c Connection) owner.User { return c.Owner },
			At: func(c Connection) time.Time {
				_, at := c.Due()
				return at
			},
			IsLost: func(c Connection) bool {
				kind, _ := c.Due()
				return kind.isLostJob()
			},
			Do: due.handle,
		})
	}
	return overdue.New(store.DueShards, now, steps...)
}

// dueConnections handles what is due.
type dueConnections struct {
	store Store
	now   func() time.Time
}

// watches sends bank-sync a job for each watch that is due. If the job is lost, there is
// another one after jobTimeout.
func (h dueConnections) watches() overdue.Step {
	return overdue.Work[contract.Watch]{
		Kind: string(JobWatch), AtOnce: dueAtOnce, Due: h.store.DueWatches,
		Owner: func(w contract.Watch) owner.User { return w.Owner },
		At:    func(w contract.Watch) time.Time { return w.DueAt },
		Do: func(ctx context.Context, w contract.Watch) error {
			w.DueAt = clock.Now(ctx, h.now).Add(jobTimeout)
			job := SyncJob{Action: JobWatch, Partner: w.Owner.Partner, User: w.Owner.ID}
			if err := h.store.WakeWatch(ctx, w, job); err != nil {
				return fmt.Errorf("wake watch %s: %w", w.CancellationID, err)
			}
			return nil
		},
	}
}

// handle does what is due. The index that found the connection may be out of date, so
// the connection itself decides what that is.
func (h dueConnections) handle(ctx context.Context, c Connection) error {
	now := clock.Now(ctx, h.now)
	kind, _ := c.Due()
	old, jobs := c, []SyncJob(nil)
	switch kind {
	case DueLink:
		c.fail(ReasonLinkExpired, now)
		jobs = old.endConsents(c)
	case DueNotice, DueConsent:
		// If several are overdue, partners get the latest only.
		if c = c.At(now); c.IsActive() && c.markNotices(now) {
			c.addEvent(EventExpiring, now)
		}
	case DueSync:
		c.SyncRequestedAt = time.Time{}
		if !c.IsActive() {
			break
		}
		if c.Reason == ReasonNone {
			c.Reason = ReasonInternalError
		}
		c.setSyncFailing(true, now)
		if !c.countUnattended(now) {
			c.SyncEndedAt = now
			break
		}
		c.SyncRequestedAt = now
		jobs = append(jobs, c.job(JobSync))
	case DueRefresh:
		if !c.countUnattended(now) {
			return nil
		}
		c.SyncRequestedAt, c.UpdatedAt = now, now
		jobs = append(jobs, c.job(JobSync))
	case DueDelete:
		c.UpdatedAt = now
		jobs = append(jobs, c.job(JobDelete))
	}
	if err := h.store.SaveConnection(ctx, c, jobs...); err != nil {
		return fmt.Errorf("handle connection %s: %w", c.ID, err)
	}
	return nil
}
