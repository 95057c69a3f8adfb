package connection

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"aviso/internal/clock"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/overdue"
	"aviso/internal/pfm/contract"
)

// dueAtOnce is how many connections of a kind and shard are handled at once.
const dueAtOnce = 4

// NewHousekeeping returns what closes expired links and consents, notifies partners before a
// consent expires, starts automatic refreshes, repeats lost jobs, and wakes watches.
func NewHousekeeping(store Store, now func() time.Time) *overdue.Housekeeping {
	steps := []overdue.Step{overdue.Work[contract.Watch]{
		Kind: string(JobWatch), AtOnce: dueAtOnce, Due: store.DueWatches,
		Owner: func(w contract.Watch) owner.User { return w.Owner },
		At:    func(w contract.Watch) time.Time { return w.DueAt },
		// Bank-sync gets a job for the watch. If it is lost, there is another one after jobTimeout.
		Do: func(ctx context.Context, w contract.Watch) error {
			w.DueAt = clock.Now(ctx, now).Add(jobTimeout)
			job := SyncJob{Action: JobWatch, Partner: w.Owner.Partner, User: w.Owner.ID}
			if err := store.WakeWatch(ctx, w, job); err != nil {
				return fmt.Errorf("wake watch %s: %w", w.CancellationID, err)
			}
			return nil
		},
	}}
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
			Do: func(ctx context.Context, c Connection) error {
				jobs, isChanged := c.doDue(clock.Now(ctx, now))
				if !isChanged {
					return nil
				}
				if err := store.SaveConnection(ctx, c, jobs...); err != nil {
					return fmt.Errorf("handle connection %s: %w", c.ID, err)
				}
				return nil
			},
		})
	}
	return overdue.New(store.DueShards, now, steps...)
}

// doDue does what is due, and reports whether that changes the connection. The index that
// found the connection may be out of date, so the connection itself decides what is due.
func (c *Connection) doDue(now time.Time) (jobs []SyncJob, isChanged bool) {
	kind, _ := c.Due()
	switch old := *c; kind {
	case DueLink:
		c.fail(ReasonLinkExpired, now)
		jobs = old.endConsents(*c)
	case DueNotice, DueConsent:
		// If several are overdue, partners get the latest only.
		if *c = c.At(now); c.IsActive() && c.markNotices(now) {
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
			return nil, false
		}
		c.SyncRequestedAt, c.UpdatedAt = now, now
		jobs = append(jobs, c.job(JobSync))
	case DueDelete:
		c.UpdatedAt = now
		jobs = append(jobs, c.job(JobDelete))
	}
	return jobs, true
}

// DueWork lets happen what the time brings to the connections of one user, whose clock is
// being advanced: links and consents end, partners are notified before, and of contracts' deadlines, and the
// bank is read.
// It reads the bank itself, rather than by a job, so that one day is read after the other. It
// is for one user and one goroutine.
type DueWork struct {
	*Syncer

	contracts *contract.DeadlineWatch
	// tries are the syncs that have failed for a while, by the connection's ID.
	tries map[string]syncTries
}

type syncTries struct {
	count int
	next  time.Time
}

// NewDueWork returns the work of one user.
func NewDueWork(syncer *Syncer, contracts *contract.DeadlineWatch) *DueWork {
	return &DueWork{Syncer: syncer, contracts: contracts, tries: map[string]syncTries{}}
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
			jobs, _ := c.doDue(now)
			jobs = slices.DeleteFunc(jobs, func(job SyncJob) bool { return job.Action == JobSync })
			err := w.store.SaveConnection(ctx, c, jobs...)
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
