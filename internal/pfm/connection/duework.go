package connection

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm/contract"
)

// DueWorkStore reads and writes the connections of one user.
type DueWorkStore interface {
	Holdings(ctx context.Context, user owner.User) (Holdings, error)
	SaveConnection(ctx context.Context, c Connection, also idempotency.Effect[Connection], jobs ...SyncJob) error
}

// DueWork lets happen what the time brings to the connections of one user, whose clock is
// being advanced: links and consents end, partners are notified before, and of contracts' deadlines, and the
// bank is read.
// It reads the bank itself, rather than by a job, so that one day is read after the other. It
// is for one user and one goroutine.
type DueWork struct {
	*Syncer

	retention int
	store     DueWorkStore
	contracts *contract.DeadlineWatch
	// tries are the syncs that have failed for a while, by the connection's ID.
	tries map[string]syncTries
}

type syncTries struct {
	count int
	next  time.Time
}

// NewDueWork returns the work of one user. Connections are deleted retention days after they ended.
func NewDueWork(store DueWorkStore, syncer *Syncer, contracts *contract.DeadlineWatch, retention int) *DueWork {
	return &DueWork{Syncer: syncer, store: store, retention: retention, contracts: contracts, tries: map[string]syncTries{}}
}

// NextDue returns when the next thing is due until the given time. A sync that was requested
// counts as due now.
func (w *DueWork) NextDue(ctx context.Context, user owner.User, until time.Time) (time.Time, error) {
	held, err := w.store.Holdings(ctx, user)
	if err != nil {
		return time.Time{}, fmt.Errorf("read connections: %w", err)
	}
	first, err := w.contracts.NextCheck(ctx, user)
	if err != nil {
		return time.Time{}, err
	}
	consider := func(at time.Time) {
		if !at.IsZero() && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	for _, h := range held.All {
		consider(w.dueAt(h.Connection, clock.Now(ctx, w.now), until))
	}
	for _, watch := range held.Watches {
		consider(watch.DueAt)
	}
	return first, nil
}

// dailyRefresh is the time between automatic refreshes while a clock is being advanced. Four
// a day would find nothing that one does not find.
const dailyRefresh = 24 * time.Hour

// dueAt returns when something is due on the connection, and zero if nothing is.
func (w *DueWork) dueAt(c Connection, now, until time.Time) time.Time {
	switch {
	case c.Status == Deleting: // bank-sync deletes it
		return time.Time{}
	case c.IsActive() && !c.SyncRequestedAt.IsZero():
		if next := w.tries[c.ID].next; next.After(now) {
			return next
		}
		return now
	}
	refresh := time.Time{}
	if earliest := c.NextRefreshAt(); !earliest.IsZero() {
		refresh = c.SyncEndedAt.Add(dailyRefresh)
		if refresh.After(until) && !earliest.After(until) {
			refresh = until
		}
	}
	c.AutomaticFetch = false
	_, at := c.Due()
	if at.IsZero() || !refresh.IsZero() && refresh.Before(at) {
		return refresh
	}
	return at
}

// DoDue does what is due now.
func (w *DueWork) DoDue(ctx context.Context, user owner.User) error {
	held, err := w.store.Holdings(ctx, user)
	if err != nil {
		return fmt.Errorf("read connections: %w", err)
	}
	now := clock.Now(ctx, w.now)
	for _, h := range held.All {
		c := h.Connection
		at := w.dueAt(c, now, now)
		if at.IsZero() || at.After(now) {
			continue
		}
		if c.SyncRequestedAt.IsZero() {
			jobs, _ := c.doDue(w.retention, now)
			jobs = slices.DeleteFunc(jobs, func(job SyncJob) bool { return job.Action == JobSync })
			err := w.store.SaveConnection(ctx, c, nil, jobs...)
			isLost := errors.Is(err, outcome.ErrChanged) || errors.Is(err, outcome.ErrNotFound)
			if err != nil && !isLost {
				return fmt.Errorf("save connection: %w", err)
			}
		}
		if err := w.sync(ctx, c); err != nil {
			return err
		}
	}
	isDue := func(watch contract.Watch) bool { return !watch.DueAt.IsZero() && !watch.DueAt.After(now) }
	if slices.ContainsFunc(held.Watches, isDue) {
		if err := w.Watches.Check(ctx, user); err != nil {
			return err
		}
	}
	return w.contracts.CheckIfDue(ctx, user)
}

// sync runs the sync of the connection that was requested, if one was.
func (w *DueWork) sync(ctx context.Context, c Connection) error {
	tries := w.tries[c.ID]
	tries.count++
	err := w.Sync(ctx, c.job(JobSync), tries.count)
	later, again := errors.AsType[*outcome.Later](err)
	if !again {
		delete(w.tries, c.ID)
		return err
	}
	tries.next = clock.Now(ctx, w.now).Add(later.After)
	w.tries[c.ID] = tries
	return nil
}
