package pfm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
)

// duePage is how many connections one round takes up for each kind.
const duePage = 200

// Housekeeping does what nobody asks for: it closes links and consents whose
// time is over, tells partners before a consent ends, has banks read that may be read without the user, and asks again
// for what was asked for and never heard of.
type Housekeeping struct {
	store Store
	now   func() time.Time
}

// NewHousekeeping wires the service.
func NewHousekeeping(store Store, now func() time.Time) *Housekeeping {
	return &Housekeeping{store: store, now: now}
}

// Run does one round and tells how many connections it changed. It goes on
// after a failure, and reports all of them.
func (h *Housekeeping) Run(ctx context.Context) (int, error) {
	changed, failed := 0, error(nil)
	for _, kind := range dueKinds() {
		due, err := h.store.DueConnections(ctx, kind, h.now(), duePage)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("find due connections: %w", err))
			continue
		}
		for _, c := range due {
			done, err := h.settle(ctx, c)
			if err != nil && !errors.Is(err, outcome.ErrChanged) {
				failed = errors.Join(failed, fmt.Errorf("settle connection %s: %w", c.ID, err))
			}
			if done && err == nil {
				changed++
			}
		}
	}
	return changed, failed
}

// settle does what is due, and tells whether anything was. The index that found
// the connection may be behind, so what is due is asked of the connection itself.
func (h *Housekeeping) settle(ctx context.Context, c Connection) (bool, error) {
	now := clock.Read(h.now)
	kind, at := c.Due()
	if kind == "" || now.Before(at) {
		return false, nil
	}
	was, jobs := c, []SyncJob(nil)
	switch kind {
	case DueLink:
		c.fail(ReasonLinkExpired, now)
		jobs = was.endConsents(c)
	case DueNotice, DueConsent:
		// Where nobody looked for a while, partners are told the last of it only.
		if c = c.At(now); c.IsActive() && c.passNotices(now) {
			c.tell(EventExpiring, now)
		}
	case DueSync:
		c.SyncRequestedAt = time.Time{}
		if !c.IsActive() {
			break
		}
		if !c.takeUnattended(now) {
			c.SyncEndedAt = now
			break
		}
		c.SyncRequestedAt = now
		jobs = append(jobs, c.job(JobSync))
	case DueRefresh:
		if !c.takeUnattended(now) {
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
