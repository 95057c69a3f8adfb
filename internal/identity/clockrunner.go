package identity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// TimedArea does the scheduled work of one area for a user. Its methods read the user's time from ctx.
type TimedArea interface {
	// NextDue returns the time of the next due work up to the given time, or zero if there is none. Work in progress is
	// due now.
	NextDue(ctx context.Context, user owner.User, until time.Time) (time.Time, error)
	// DoDue does the work that is due now. It may leave some for a later call.
	DoDue(ctx context.Context, user owner.User) error
}

const (
	// clockLease is how long a runner that has crashed blocks the others.
	clockLease = 30 * time.Second
	// pollPause is the wait, in real time, for work that other functions are doing.
	pollPause = 25 * time.Millisecond
	// maxPolls is how often the runner polls due work. After that the user's time continues without it, because the
	// work may itself wait for a time, such as a retry. The first step is firstPause; each further step is twice as
	// long, up to longestPause.
	maxPolls                 = 200
	firstPause, longestPause = time.Minute, 24 * time.Hour
)

// ClockRunner advances the clocks of users. It stops a user's time whenever work is due, and does the work. It stores
// its progress, so an interrupted run can continue.
type ClockRunner struct {
	store ClockStore
	areas func() []TimedArea
	now   func() time.Time
	pause func(context.Context, time.Duration) bool
}

// NewClockRunner returns a runner. areas returns the areas for one run, in order: work in one area may make work due
// in the later ones.
func NewClockRunner(store ClockStore, now func() time.Time, areas func() []TimedArea) *ClockRunner {
	return &ClockRunner{store: store, areas: areas, now: now, pause: clock.Wait}
}

// Run advances the user's clock to its target, for as long as ctx lasts. If the clock is not being advanced, Run only
// does the due work. It returns *outcome.Later if another runner is advancing the clock, or if work is left.
func (r *ClockRunner) Run(ctx context.Context, user owner.User) error {
	c, err := r.store.Clock(ctx, user)
	if err != nil {
		return fmt.Errorf("read clock: %w", err)
	}
	if c.Version == 0 {
		return nil // erased
	}
	areas := r.areas()
	if !c.IsAdvancing() {
		return doDue(clock.With(ctx, c.Setting), user, areas)
	}
	if rest := c.LeaseUntil.Sub(clock.Read(r.now)); rest > 0 {
		return &outcome.Later{After: rest, Normal: true}
	}
	if c, err = r.save(ctx, c); err != nil {
		return err
	}
	w := waits{pause: firstPause}
	for ctx.Err() == nil {
		dues, err := nextDue(clock.With(ctx, c.Setting), c, areas)
		if err != nil {
			return errors.Join(err, r.release(ctx, c))
		}
		next := first(dues)
		if isOver := !c.Setting.Stopped.Before(c.Until); isOver && (next.IsZero() || w.polls > maxPolls) {
			return r.finish(ctx, c, areas)
		}
		if next.IsZero() {
			next = c.Until
		}
		stop := w.stop(c.Setting.Stopped, next, c.Until)
		if stop.Equal(c.Setting.Stopped) && w.polls > 1 {
			r.pause(ctx, pollPause)
		}
		if !stop.Equal(c.Setting.Stopped) || c.LeaseUntil.Sub(clock.Read(r.now)) < clockLease/2 {
			c.Setting.Stopped = stop
			if c, err = r.save(ctx, c); err != nil {
				return err
			}
		}
		if err := doDue(clock.With(ctx, c.Setting), user, turns(areas, dues, stop)); err != nil {
			return errors.Join(err, r.release(ctx, c))
		}
	}
	return r.release(ctx, c)
}

// waits decides how long the clock stops.
type waits struct {
	polls int
	pause time.Duration
}

// stop returns where the clock stops next: at the next due work, or where it is while that work is still in progress.
func (w *waits) stop(stopped, next, until time.Time) time.Time {
	if next.After(stopped) {
		*w = waits{pause: firstPause}
		return next
	}
	if w.polls++; w.polls <= maxPolls {
		return stopped
	}
	stop := stopped.Add(w.pause)
	w.pause = min(2*w.pause, longestPause)
	if stop.After(until) {
		return until
	}
	return stop
}

// nextDue returns the time of the next due work in each area. It is zero if nothing is due before the clock stops.
func nextDue(ctx context.Context, c UserClock, areas []TimedArea) ([]time.Time, error) {
	dues := make([]time.Time, len(areas))
	for i, area := range areas {
		next, err := area.NextDue(ctx, c.User, c.Until)
		if err != nil {
			return nil, fmt.Errorf("find what is due next: %w", err)
		}
		if !next.After(c.Until) {
			dues[i] = next
		}
	}
	return dues, nil
}

// first returns the earliest time that is not zero, or zero.
func first(times []time.Time) time.Time {
	set := slices.DeleteFunc(slices.Clone(times), time.Time.IsZero)
	if len(set) == 0 {
		return time.Time{}
	}
	return slices.MinFunc(set, time.Time.Compare)
}

// turns returns the first area with work due by the given time, and all later areas.
func turns(areas []TimedArea, dues []time.Time, by time.Time) []TimedArea {
	i := slices.IndexFunc(dues, func(due time.Time) bool { return !due.IsZero() && !due.After(by) })
	if i < 0 {
		return nil
	}
	return areas[i:]
}

func doDue(ctx context.Context, user owner.User, areas []TimedArea) error {
	for _, area := range areas {
		if err := area.DoDue(ctx, user); err != nil {
			return fmt.Errorf("do what is due: %w", err)
		}
	}
	return nil
}

// finish lets the user's time run again from Until. It also calls the areas in which nothing was due.
func (r *ClockRunner) finish(ctx context.Context, c UserClock, areas []TimedArea) error {
	if err := doDue(clock.With(ctx, c.Setting), c.User, areas); err != nil {
		return errors.Join(err, r.release(ctx, c))
	}
	c.Setting = clock.Setting{Ahead: c.Until.Sub(clock.Read(r.now).Time())}
	c.LeaseUntil = clock.Real{}
	if _, err := r.store.SaveClock(ctx, c); err != nil {
		return lost(err)
	}
	return nil
}

// save saves the clock with a new lease.
func (r *ClockRunner) save(ctx context.Context, c UserClock) (UserClock, error) {
	c.LeaseUntil = clock.Read(r.now).Add(clockLease)
	c, err := r.store.SaveClock(ctx, c)
	return c, lost(err)
}

// release ends the lease and asks for another run.
func (r *ClockRunner) release(ctx context.Context, c UserClock) error {
	c.LeaseUntil = clock.Real{}
	_, err := r.store.SaveClock(context.WithoutCancel(ctx), c)
	return errors.Join(lost(err), &outcome.Later{After: time.Second, Normal: true})
}

// lost turns a lost race into another run, which finds out what is left.
func lost(err error) error {
	if errors.Is(err, outcome.ErrChanged) {
		return &outcome.Later{After: time.Second, Normal: true}
	}
	if err != nil {
		return fmt.Errorf("save clock: %w", err)
	}
	return nil
}
