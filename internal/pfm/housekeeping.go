package pfm

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// DueStore finds what has fallen due.
type DueStore interface {
	// DueConnections are up to limit connections whose time has come.
	DueConnections(ctx context.Context, kind DueKind, until time.Time, limit int) ([]Connection, error)
	// SaveConnection is that of ConnectionStore.
	SaveConnection(ctx context.Context, c Connection, job *SyncJob) error
}

// duePage is how many connections one round takes up for each kind.
const duePage = 200

// Housekeeping does what nobody asks for: it closes links whose time is over,
// and asks again for syncs of which nothing was heard.
type Housekeeping struct {
	store DueStore
	now   func() time.Time
}

// NewHousekeeping wires the service.
func NewHousekeeping(store DueStore, now func() time.Time) *Housekeeping {
	return &Housekeeping{store: store, now: now}
}

// Run does one round and tells how many connections it changed. It goes on
// after a failure, and reports all of them.
func (h *Housekeeping) Run(ctx context.Context) (int, error) {
	changed, failed := 0, error(nil)
	for _, kind := range []DueKind{DueLink, DueSync} {
		due, err := h.store.DueConnections(ctx, kind, h.now(), duePage)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("find due connections: %w", err))
			continue
		}
		for _, c := range due {
			done, err := h.settle(ctx, c)
			if err != nil && !errors.Is(err, ErrChanged) {
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
	now := h.now().UTC().Truncate(time.Millisecond)
	kind, at := c.Due()
	if kind == "" || now.Before(at) {
		return false, nil
	}
	var job *SyncJob
	switch kind {
	case DueLink:
		c.fail(ReasonLinkExpired, now)
	case DueSync:
		if !c.IsActive() {
			c.SyncRequestedAt = time.Time{}
			break
		}
		c.SyncRequestedAt = now
		job = &SyncJob{Partner: c.Owner.Partner, User: c.Owner.ID, ConnectionID: c.ID}
	}
	return true, h.store.SaveConnection(ctx, c, job)
}
