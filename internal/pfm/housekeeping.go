package pfm

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/overdue"
)

// Housekeeping does the work that no request triggers: it closes expired links and
// consents, notifies partners before a consent expires, starts automatic refreshes,
// and repeats lost jobs.
type Housekeeping struct {
	// Clocks, if set, finds the clocks of users.
	Clocks clock.Users

	store  Store
	now    func() time.Time
	onLate func(kind string, late time.Duration)
	lost   atomic.Int64
}

// NewHousekeeping returns the service.
func NewHousekeeping(store Store, now func() time.Time) *Housekeeping {
	return &Housekeeping{store: store, now: now, onLate: func(string, time.Duration) {}}
}

// OnLate sets a function that is called with how long the oldest due work of a kind has
// waited, once for each shard that has some, at the same time for several.
func (h *Housekeeping) OnLate(note func(kind string, late time.Duration)) { h.onLate = note }

// dueAtOnce is how many connections of a kind and shard are handled at once.
const dueAtOnce = 4

// Run handles all connections that are due, for as long as ctx lasts, and returns the
// number that it changed. It continues after an error, and returns the errors.
func (h *Housekeeping) Run(ctx context.Context) (int, error) { return h.RunPart(ctx, 0, 1, true) }

// RunPart handles the connections that are due in one of several parts of the shards. It looks
// for lost jobs only if repairs is set: they are hours old, so that need not be every minute.
// Kinds and shards do not wait for each other, and each handles the longest overdue
// connections first, so no backlog holds up anything else.
func (h *Housekeeping) RunPart(ctx context.Context, part, parts int, repairs bool) (int, error) {
	kinds := slices.DeleteFunc(dueKinds(), func(kind DueKind) bool { return kind.isLostJob() && !repairs })
	changed, failed := make([]int, len(kinds)+1), make([]error, len(kinds)+1)
	var all sync.WaitGroup
	all.Go(func() { changed[len(kinds)], failed[len(kinds)] = h.wakeWatches(ctx, part, parts) })
	for i, kind := range kinds {
		all.Go(func() {
			changed[i], failed[i] = overdue.Work[Connection]{
				Shards: overdue.Part(h.store.DueShards(), part, parts), AtOnce: dueAtOnce,
				Due: func(ctx context.Context, shard int) iter.Seq2[Connection, error] {
					return h.store.DueConnections(ctx, kind, shard, clock.Now(ctx, h.now))
				},
				Owner: func(c Connection) owner.User { return c.Owner }, Clocks: h.Clocks,
				Late:   h.late,
				Do:     h.handleDue,
				OnLate: func(late time.Duration) { h.onLate(string(kind), late) },
			}.Run(ctx)
		})
	}
	all.Wait()
	total := 0
	for _, n := range changed {
		total += n
	}
	return total, errors.Join(failed...)
}

// wakeWatches sends bank-sync a job for each watch that is due. If the job is lost, there is
// another one after jobTimeout.
func (h *Housekeeping) wakeWatches(ctx context.Context, part, parts int) (int, error) {
	return overdue.Work[Watch]{
		Shards: overdue.Part(h.store.DueShards(), part, parts), AtOnce: dueAtOnce,
		Due: func(ctx context.Context, shard int) iter.Seq2[Watch, error] {
			return h.store.DueWatches(ctx, shard, clock.Now(ctx, h.now))
		},
		Owner: func(w Watch) owner.User { return w.Owner }, Clocks: h.Clocks,
		Late: func(ctx context.Context, w Watch) time.Duration {
			if w.DueAt.IsZero() {
				return -1
			}
			return clock.Now(ctx, h.now).Sub(w.DueAt)
		},
		Do: func(ctx context.Context, w Watch) error {
			w.DueAt = clock.Now(ctx, h.now).Add(jobTimeout)
			job := SyncJob{Action: JobWatch, Partner: w.Owner.Partner, User: w.Owner.ID}
			if err := h.store.SaveWatch(ctx, w, nil, job); err != nil {
				return fmt.Errorf("wake watch %s: %w", w.CancellationID, err)
			}
			return nil
		},
		OnLate: func(late time.Duration) { h.onLate(string(JobWatch), late) },
	}.Run(ctx)
}

// Lost returns how many jobs RunPart has found that bank-sync had not done in time.
func (h *Housekeeping) Lost() int { return int(h.lost.Load()) }

// late returns for how long work on the connection has been due; less than 0 if none is.
func (h *Housekeeping) late(ctx context.Context, c Connection) time.Duration {
	kind, at := c.Due()
	if kind == "" {
		return -1
	}
	return clock.Now(ctx, h.now).Sub(at)
}

// handleDue does what is due. The index that found the connection may be out of date, so
// the connection itself decides what that is.
func (h *Housekeeping) handleDue(ctx context.Context, c Connection) error {
	now := clock.Now(ctx, h.now)
	kind, _ := c.Due()
	if kind.isLostJob() {
		h.lost.Add(1)
	}
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
