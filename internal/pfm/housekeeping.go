package pfm

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"aviso/internal/clock"
)

// Housekeeping does the work that no request triggers: it closes expired links and
// consents, notifies partners before a consent expires, starts automatic refreshes,
// and repeats lost jobs.
type Housekeeping struct {
	store  Store
	now    func() time.Time
	onLate func(kind string, late time.Duration)
}

// NewHousekeeping returns the service.
func NewHousekeeping(store Store, now func() time.Time) *Housekeeping {
	return &Housekeeping{store: store, now: now, onLate: func(string, time.Duration) {}}
}

// OnLate sets a function that is called with how long the oldest due work of a kind has
// waited, once for each shard that has some, at the same time for several.
func (h *Housekeeping) OnLate(note func(kind string, late time.Duration)) { h.onLate = note }

const (
	// dueAtOnce is how many connections of a kind and shard are handled at once.
	dueAtOnce = 4
	// lastStart is how long before its end a run handles no further connections. What
	// is left is due in the next run.
	lastStart = 2 * time.Second
)

// Run handles all connections that are due, for as long as ctx lasts, and returns the
// number that it changed. It continues after an error, and returns the errors.
func (h *Housekeeping) Run(ctx context.Context) (int, error) { return h.RunPart(ctx, 0, 1) }

// RunPart handles the connections that are due in one of several parts of the shards.
// Kinds and shards do not wait for each other, and each handles the longest overdue
// connections first, so no backlog holds up anything else.
func (h *Housekeeping) RunPart(ctx context.Context, part, parts int) (int, error) {
	starting := ctx
	if end, limited := ctx.Deadline(); limited {
		var cancel context.CancelFunc
		starting, cancel = context.WithDeadline(ctx, end.Add(-lastStart))
		defer cancel()
	}
	var r result
	var all sync.WaitGroup
	for _, kind := range dueKinds() {
		for shard := part; shard < h.store.DueShards(); shard += parts {
			all.Go(func() { h.handleShard(ctx, starting, kind, shard, &r) })
		}
	}
	all.Wait()
	return r.changed, r.err()
}

// handleShard handles the connections of a kind and shard until starting ends.
func (h *Housekeeping) handleShard(ctx, starting context.Context, kind DueKind, shard int, r *result) {
	var handling errgroup.Group
	handling.SetLimit(dueAtOnce)
	first := true
	for c, err := range h.store.DueConnections(ctx, kind, shard, h.now()) {
		if starting.Err() != nil {
			break
		}
		if err != nil {
			r.note(false, fmt.Errorf("find connections due for %s: %w", kind, err))
			continue
		}
		if late := h.lateness(c); first && late > 0 {
			h.onLate(string(kind), late)
			first = false
		}
		handling.Go(func() error {
			r.note(h.handleDue(ctx, c))
			return nil
		})
	}
	_ = handling.Wait() // r has the errors
}

// lateness returns for how long work on the connection has been due.
func (h *Housekeeping) lateness(c Connection) time.Duration {
	kind, at := c.Due()
	if kind == "" {
		return 0
	}
	return clock.Read(h.now).Sub(at)
}

// result collects what a run did.
type result struct {
	mu      sync.Mutex
	changed int
	failed  int
	// first are the first errors: a table that is down makes thousands.
	first []error
}

// maxErrors is how many errors a run returns.
const maxErrors = 10

func (r *result) note(changed bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err == nil && changed {
		r.changed++
	}
	if err == nil || isLost(err) {
		return
	}
	if r.failed++; len(r.first) < maxErrors {
		r.first = append(r.first, err)
	}
}

func (r *result) err() error {
	if more := r.failed - len(r.first); more > 0 {
		return errors.Join(append(r.first, fmt.Errorf("and %d more errors", more))...)
	}
	return errors.Join(r.first...)
}

// handleDue does what is due, and reports whether anything was. The index that found
// the connection may be out of date, so the connection itself decides what is due.
func (h *Housekeeping) handleDue(ctx context.Context, c Connection) (bool, error) {
	now := clock.Read(h.now)
	kind, at := c.Due()
	if kind == "" || now.Before(at) {
		return false, nil
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
			return false, nil
		}
		c.SyncRequestedAt, c.UpdatedAt = now, now
		jobs = append(jobs, c.job(JobSync))
	case DueDelete:
		c.UpdatedAt = now
		jobs = append(jobs, c.job(JobDelete))
	}
	if err := h.store.SaveConnection(ctx, c, jobs...); err != nil {
		return false, fmt.Errorf("handle connection %s: %w", c.ID, err)
	}
	return true, nil
}
