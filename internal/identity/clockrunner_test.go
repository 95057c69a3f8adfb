package identity

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/clocktest"
)

// oneClock stores the clock of one user.
type oneClock struct {
	ClockStore
	clock UserClock
	// fail, if set, is called before each write.
	fail func() error
}

func (s *oneClock) Clock(context.Context, owner.User) (UserClock, error) { return s.clock, nil }

func (s *oneClock) SaveClock(_ context.Context, c UserClock) (UserClock, error) {
	if s.fail != nil {
		if err := s.fail(); err != nil {
			return c, err
		}
	}
	if c.Version != s.clock.Version {
		return c, outcome.ErrChanged
	}
	c.Version++
	s.clock = c
	return c, nil
}

// diary is an area in which something is due at certain times. It notes when it was done.
type diary struct {
	now  func() time.Time
	due  []time.Time
	done []time.Time
	// do, if set, is called with what is due.
	do func(at time.Time) error
}

func (d *diary) NextDue(context.Context, owner.User, time.Time) (time.Time, error) {
	if len(d.due) == 0 {
		return time.Time{}, nil
	}
	return slices.MinFunc(d.due, time.Time.Compare), nil
}

func (d *diary) DoDue(ctx context.Context, _ owner.User) error {
	now := clock.Now(ctx, d.now)
	slices.SortFunc(d.due, time.Time.Compare)
	for len(d.due) > 0 && !d.due[0].After(now) {
		at := d.due[0]
		if d.do != nil {
			if err := d.do(at); err != nil {
				return err
			}
		}
		d.due, d.done = d.due[1:], append(d.done, now)
	}
	return nil
}

// errWaits is what a diary's do returns for what cannot be done yet.
var errWaits = errors.New("not yet")

// patient is an area whose errWaits only mean that something stays due.
type patient struct{ *diary }

func (p patient) DoDue(ctx context.Context, user owner.User) error {
	if err := p.diary.DoDue(ctx, user); !errors.Is(err, errWaits) {
		return err
	}
	return nil
}

func advancing(ours *clocktest.Clock, by time.Duration) *oneClock {
	now := ours.Now()
	return &oneClock{clock: UserClock{
		User: owner.User{Partner: "p", ID: "u"}, Setting: clock.Setting{Stopped: now}, Until: now.Add(by), Version: 1,
	}}
}

func runnerOf(store ClockStore, ours *clocktest.Clock, areas ...TimedArea) *ClockRunner {
	r := NewClockRunner(store, ours.Now, func() []TimedArea { return areas })
	r.pause = func(context.Context, time.Duration) bool { return true }
	return r
}

func TestEverythingHappensInItsOrder(t *testing.T) {
	t.Parallel()
	ours := clocktest.New()
	day := func(n int) time.Time { return ours.Now().AddDate(0, 0, n) }
	store := advancing(ours, 30*24*time.Hour)
	first := &diary{now: ours.Now, due: []time.Time{day(20), day(3), day(31)}}
	second := &diary{now: ours.Now, due: []time.Time{day(5), day(3)}}
	second.do = func(at time.Time) error {
		if at.Equal(day(5)) { // what happens leads to something else, on the same day and later
			first.due = append(first.due, day(5), day(6))
		}
		return nil
	}
	require.NoError(t, runnerOf(store, ours, first, second).Run(t.Context(), store.clock.User))
	assert.Equal(t, []time.Time{day(3), day(5), day(6), day(20)}, first.done)
	assert.Equal(t, []time.Time{day(3), day(5)}, second.done)
	assert.Equal(t, []time.Time{day(31)}, first.due, "not yet")
	assert.Equal(t, clock.Setting{Ahead: 30 * 24 * time.Hour}, store.clock.Setting)
	assert.False(t, store.clock.IsAdvancing())

	t.Run("what falls due later is done when the runner is woken", func(t *testing.T) {
		ours.Advance(25 * time.Hour)
		require.NoError(t, runnerOf(store, ours, first, second).Run(t.Context(), store.clock.User))
		assert.Empty(t, first.due)
	})
}

// Each call of an area reads its tables, so only those get one that may have something to do.
func TestAreasAreLeftAloneInWhichNothingIsDue(t *testing.T) {
	t.Parallel()
	ours := clocktest.New()
	day := func(n int) time.Time { return ours.Now().AddDate(0, 0, n) }
	store := advancing(ours, 30*24*time.Hour)
	calls := ""
	noted := func(name string, due ...time.Time) TimedArea {
		return noting{&diary{now: ours.Now, due: due}, func() { calls += name }}
	}
	areas := []TimedArea{noted("a", day(1)), noted("b", day(2), day(3)), noted("c", day(4)), noted("d")}
	require.NoError(t, runnerOf(store, ours, areas...).Run(t.Context(), store.clock.User))
	assert.Equal(t, "abcd"+"bcd"+"bcd"+"cd"+"abcd", calls, "and all at the end")
}

// noting calls note before each DoDue.
type noting struct {
	*diary
	note func()
}

func (n noting) DoDue(ctx context.Context, user owner.User) error {
	n.note()
	return n.diary.DoDue(ctx, user)
}

func TestAnInterruptedRunGoesOn(t *testing.T) {
	t.Parallel()
	for writes := range 12 {
		ours := clocktest.New()
		day := func(n int) time.Time { return ours.Now().AddDate(0, 0, n) }
		store := advancing(ours, 30*24*time.Hour)
		area := &diary{now: ours.Now, due: []time.Time{day(1), day(2), day(3)}}
		crash := errors.New("crash")
		store.fail = func() error {
			if writes--; writes < 0 {
				return crash
			}
			return nil
		}
		r, user := runnerOf(store, ours, area), store.clock.User
		err := r.Run(t.Context(), user)
		store.fail = nil
		start := ours.Now()
		if err != nil {
			require.ErrorIs(t, err, crash)
			if store.clock.LeaseUntil.After(clock.Real(start)) {
				again := r.Run(t.Context(), user)
				require.True(t, outcome.IsWait(again), "the lease may still be held: %v", again)
			}
			ours.Advance(clockLease)
			require.NoError(t, r.Run(t.Context(), user))
		}
		assert.Len(t, area.done, 3, "each once")
		for i, at := range area.done {
			assert.Equal(t, start.AddDate(0, 0, i+1), at)
		}
		assert.False(t, store.clock.IsAdvancing())
	}
}

func TestWhatCannotBeDoneDoesNotStopTime(t *testing.T) {
	t.Parallel()
	ours := clocktest.New()
	start := ours.Now()
	t.Run("it is tried again later, as what waits for a retry is", func(t *testing.T) {
		store := advancing(ours, 24*time.Hour)
		area := patient{&diary{now: ours.Now, due: []time.Time{start.Add(time.Hour)}}}
		store.fail = func() error {
			if store.clock.Setting.Stopped.After(start.Add(90 * time.Minute)) {
				area.do = nil
			}
			return nil
		}
		area.do = func(time.Time) error { return errWaits }
		require.NoError(t, runnerOf(store, ours, area).Run(t.Context(), store.clock.User))
		require.Len(t, area.done, 1)
		assert.True(t, area.done[0].After(start.Add(90*time.Minute)))
		assert.False(t, store.clock.IsAdvancing())
	})
	t.Run("it is left", func(t *testing.T) {
		store := advancing(ours, 2*365*24*time.Hour)
		area := patient{&diary{now: ours.Now, due: []time.Time{start.Add(time.Hour)}}}
		area.do = func(time.Time) error { return errWaits }
		require.NoError(t, runnerOf(store, ours, area).Run(t.Context(), store.clock.User))
		assert.False(t, store.clock.IsAdvancing())
	})
	t.Run("an error is returned, and the clock can be advanced further", func(t *testing.T) {
		store := advancing(ours, 24*time.Hour)
		broken := errors.New("no table")
		area := &diary{now: ours.Now, due: []time.Time{start.Add(time.Hour)}, do: func(time.Time) error { return broken }}
		require.ErrorIs(t, runnerOf(store, ours, area).Run(t.Context(), store.clock.User), broken)
		assert.True(t, store.clock.IsAdvancing())
		area.do = nil
		require.NoError(t, runnerOf(store, ours, area).Run(t.Context(), store.clock.User))
		assert.False(t, store.clock.IsAdvancing())
	})
	t.Run("a run that is out of time asks for another", func(t *testing.T) {
		store := advancing(ours, 24*time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		area := &diary{now: ours.Now, due: []time.Time{start.Add(time.Hour), start.Add(2 * time.Hour)}}
		area.do = func(time.Time) error { cancel(); return nil }
		err := runnerOf(store, ours, area).Run(ctx, store.clock.User)
		assert.True(t, outcome.IsWait(err))
		assert.Len(t, area.done, 1)
		require.NoError(t, runnerOf(store, ours, area).Run(t.Context(), store.clock.User))
		assert.Len(t, area.done, 2)
	})
}

func TestAClockOfAnErasedUserIsLeft(t *testing.T) {
	t.Parallel()
	ours := clocktest.New()
	area := &diary{now: ours.Now, due: []time.Time{ours.Now()}}
	require.NoError(t, runnerOf(&oneClock{}, ours, area).Run(t.Context(), owner.User{Partner: "p", ID: "u"}))
	assert.Empty(t, area.done)
}
