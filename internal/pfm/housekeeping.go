package pfm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
)

// maxDue is how many connections of each kind one run handles.
const maxDue = 200

// Housekeeping does the work that no request triggers: it closes expired links and
// consents, notifies partners before a consent expires, starts automatic refreshes,
// and repeats lost jobs.
type Housekeeping struct {
	store Store
	now   func() time.Time
}

// NewHousekeeping returns the service.
func NewHousekeeping(store Store, now func() time.Time) *Housekeeping {
	return &Housekeeping{store: store, now: now}
}

// Run handles the connections that are due, and returns the number that it changed. It
// continues after an error, and returns all errors.
func (h *Housekeeping) Run(ctx context.Context) (int, error) {
	changed, failed := 0, error(nil)
	for _, kind := range dueKinds() {
		due, err := h.store.DueConnections(ctx, kind, h.now(), maxDue)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("find due connections: %w", err))
			continue
		}
		for _, c := range due {
			done, err := h.handleDue(ctx, c)
			if err != nil && !isLost(err) {
				failed = errors.Join(failed, fmt.Errorf("handle connection %s: %w", c.ID, err))
			}
			if done && err == nil {
				changed++
			}
		}
	}
	return changed, failed
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
	return true, h.store.SaveConnection(ctx, c, jobs...)
}
