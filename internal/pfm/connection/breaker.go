package connection

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

const (
	// downAfter is how many connections in a row fail before their bank counts as down. One
	// alone may be at fault itself.
	downAfter = 3
	// probeEvery is how often a bank that is down is asked.
	probeEvery = time.Minute
	// trusted is for how long an instance trusts what it has read about a bank.
	trusted = 10 * time.Second
	// patience is for how long a sync waits for its bank: about as long as one that fails is
	// tried. Both together are less than jobTimeout.
	patience = 45 * time.Minute
	// A job waits for at least shortestWait, and longer each time. It comes back up to nine
	// times, less than the 16 times after which Lambda takes that for a loop.
	shortestWait, longestWait = time.Minute, 15 * time.Minute
)

// BreakerStore stores which banks are down, and which syncs wait for them.
type BreakerStore interface {
	// Outage returns when a bank that is down may be asked again, or the zero time if it is
	// not known to be down.
	Outage(ctx context.Context, providerID string) (probeAt time.Time, err error)
	// SetOutage replaces what Outage returned; the zero time says that the bank is not down.
	SetOutage(ctx context.Context, providerID string, known, probeAt time.Time) error
	Connection(ctx context.Context, user owner.User, id string) (Connection, error)
	SaveConnection(ctx context.Context, c Connection, also idempotency.Effect[Connection], jobs ...SyncJob) error
}

// Breaker runs jobs, unless their bank is down: every read of a bank that hangs would hold an
// execution of the function until the time-out. While it is down, syncs wait in a queue of
// their own, and one of them a minute asks the bank.
//
// While all is well, that costs nothing. An instance of the function remembers which banks
// have failed. Only then does it read the row that all instances share, and only the one that
// sees several connections in a row fail writes it. So each instance waits for one time-out
// before it knows that a bank is down.
type Breaker struct {
	Jobs  *Jobs
	Store BreakerStore
	// Resend sends a job to a queue of jobs that wait, at most 15 minutes later. To hide the
	// message instead would count as an attempt, and SQS hides 120,000 messages at most.
	Resend func(ctx context.Context, job SyncJob, after time.Duration) error
	// Note is told when a bank counts as down and when it answers again, or why that could
	// not be stored.
	Note func(ctx context.Context, providerID string, down bool, err error)

	banks sync.Map // *failing by the provider's ID
}

// failing is what an instance knows about a bank.
type failing struct {
	sync.Mutex

	// connections are those that have failed since the bank last answered.
	connections map[string]bool
	// probeAt is when the bank may be asked again, as of readAt; zero if it is not down.
	probeAt, readAt time.Time
}

func (f *failing) forget() {
	clear(f.connections)
	f.probeAt, f.readAt = time.Time{}, time.Time{}
}

// Do runs a job like Jobs.Do, or puts it off.
func (b *Breaker) Do(ctx context.Context, job SyncJob, attempt int) error {
	if job.ProviderID == "" {
		return b.Jobs.Do(ctx, job, attempt)
	}
	known, _ := b.banks.LoadOrStore(job.ProviderID, &failing{connections: map[string]bool{}})
	f := known.(*failing) //nolint:forcetypeassert // nothing else is in the map
	attempt += job.Tried
	probe, down, err := b.admit(ctx, f, job.ProviderID)
	switch {
	case err != nil:
		return err
	case down && job.Action == JobSync:
		return b.putOff(ctx, job, attempt)
	}
	w := &watch{down: down} // then a deletion goes on without the bank
	syncer := *b.Jobs.Syncer
	syncer.watch = w
	err = NewJobs(b.Jobs.store, &syncer).Do(ctx, job, attempt)
	switch {
	case down:
	case w.failed:
		b.fails(ctx, f, job)
	case w.answered:
		b.answers(ctx, f, job.ProviderID, probe)
	}
	return err
}

// admit reports whether the bank is down. If it is, but the job is to ask it nevertheless,
// probe is when the next one may.
func (b *Breaker) admit(ctx context.Context, f *failing, bank string) (probe time.Time, down bool, err error) {
	f.Lock()
	defer f.Unlock()
	if len(f.connections) == 0 {
		return time.Time{}, false, nil
	}
	now := clock.Read(b.Jobs.now).Time()
	if now.Sub(f.readAt) >= trusted {
		probeAt, err := b.Store.Outage(ctx, bank)
		if err != nil {
			return time.Time{}, false, fmt.Errorf("read outage: %w", err)
		}
		if probeAt.IsZero() && !f.probeAt.IsZero() { // another instance has heard from it
			f.forget()
			return time.Time{}, false, nil
		}
		f.probeAt, f.readAt = probeAt, now
	}
	if f.probeAt.IsZero() || now.Before(f.probeAt) {
		return time.Time{}, !f.probeAt.IsZero(), nil
	}
	probe = now.Add(probeEvery)
	err = b.Store.SetOutage(ctx, bank, f.probeAt, probe)
	if errors.Is(err, outcome.ErrChanged) { // another job asks the bank, or has done so
		f.readAt = time.Time{}
		return time.Time{}, true, nil
	}
	if err != nil {
		return time.Time{}, false, fmt.Errorf("take probe: %w", err)
	}
	f.probeAt, f.readAt = probe, now
	return probe, false, nil
}

// fails counts a connection whose bank did not answer.
func (b *Breaker) fails(ctx context.Context, f *failing, job SyncJob) {
	f.Lock()
	defer f.Unlock()
	f.connections[job.ConnectionID] = true
	if !f.probeAt.IsZero() || len(f.connections) < downAfter {
		return
	}
	now := clock.Read(b.Jobs.now).Time()
	probeAt := now.Add(probeEvery)
	err := b.Store.SetOutage(ctx, job.ProviderID, time.Time{}, probeAt)
	if errors.Is(err, outcome.ErrChanged) {
		return // another instance knows already; the next job reads until when
	}
	if err == nil {
		f.probeAt, f.readAt = probeAt, now
	}
	b.Note(ctx, job.ProviderID, true, err)
}

// answers forgets that a bank has failed.
func (b *Breaker) answers(ctx context.Context, f *failing, providerID string, probe time.Time) {
	f.Lock()
	f.forget()
	f.Unlock()
	if probe.IsZero() {
		return
	}
	err := b.Store.SetOutage(ctx, providerID, probe, time.Time{})
	if !errors.Is(err, outcome.ErrChanged) {
		b.Note(ctx, providerID, false, err)
	}
}

// putOff sends a sync to the queue of those that wait, or ends it if it has waited for too long. The
// connection says why, as after a failed attempt.
func (b *Breaker) putOff(ctx context.Context, job SyncJob, attempt int) error {
	now, ours := clock.Now(ctx, b.Jobs.now), clock.Read(b.Jobs.now)
	c, err := b.Store.Connection(ctx, job.Owner(), job.ConnectionID)
	switch {
	case errors.Is(err, outcome.ErrNotFound):
		return nil
	case err != nil:
		return fmt.Errorf("read connection: %w", err)
	case !c.IsActive() || c.SyncRequestedAt.IsZero(): // done, or no longer wanted
		return nil
	}
	if job.WaitingSince.IsZero() {
		job.WaitingSince = ours
	}
	job.Tried = attempt - 1
	waited, reason := ours.Sub(job.WaitingSince), StatusReason(pfm.SupplierUnavailable)
	leaves := job.PSUIPAddress != "" && attempt == 1 // the user will have left by then
	ends := waited >= patience || leaves && !c.countUnattended(now)
	if ends {
		c.giveUp(now, !leaves)
	}
	if ends || leaves || c.Reason != reason {
		c.Reason, c.UpdatedAt = reason, now
		switch err := b.Store.SaveConnection(ctx, c, nil); {
		case errors.Is(err, outcome.ErrNotFound):
			return nil // erased
		case errors.Is(err, outcome.ErrChanged): // look again the next time
		case err != nil:
			return fmt.Errorf("save connection: %w", err)
		case ends:
			return nil
		default:
			job.PSUIPAddress = ""
		}
	}
	wait := min(max(waited, shortestWait), longestWait/2)
	return b.Resend(ctx, job, wait+rand.N(wait)) //nolint:gosec // chance need not be unpredictable
}

// giveUp ends a sync that did not get to read the bank. counted says that the read was
// counted as one without the user.
func (c *Connection) giveUp(at time.Time, counted bool) {
	c.SyncRequestedAt, c.SyncEndedAt = time.Time{}, at
	if counted {
		c.uncount()
	}
	c.setSyncFailing(true, at)
}

// watch is what a job has seen of its bank.
type watch struct {
	// down says that the bank is not asked to end consents.
	down bool

	mu               sync.Mutex // accounts are read in parallel
	failed, answered bool
}

// note takes the outcome of a call to the bank.
func (w *watch) note(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	kind := pfm.FailureOf(err).Kind
	w.failed = w.failed || kind == pfm.SupplierUnavailable
	w.answered = w.answered || err == nil || kind != "" && kind != pfm.SupplierUnavailable
}
