package crashpoints

import (
	"flag"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// scenario is one way, from a prepared state until it is done.
type scenario struct {
	name string
	// prepare makes the state from which every point starts.
	prepare func(*world)
	// begin sets what is outside, and puts on the agenda what starts the way.
	begin func(*world)
	// done reports whether the way has ended.
	done func(*world) bool
	// check judges the end. crashes is how many there were.
	check func(a *problems, w *world, crashes int)
}

// problems collects what is wrong at the end of a way. It is an assert.TestingT.
type problems struct{ found []string }

func (p *problems) Errorf(format string, args ...any) {
	p.found = append(p.found, strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "))
}

// prepared returns the state from which the scenario's points start.
func (s scenario) prepared(t testing.TB) snapshot {
	w := newWorld(t, emptySnapshot(t))
	s.prepare(w)
	return snapshot{db: w.db, now: w.now, ids: w.ids}
}

// outcome is what one run shows.
type outcome struct {
	// calls is how many calls were made after the last crash, or from the start.
	calls int
	// reached means that all crashes happened, idle that one of them hit housekeeping.
	reached, idle bool
	// chores are the calls that housekeeping made.
	chores map[int]bool
	err    error
}

// run goes the way once, with these crashes.
func (s scenario) run(w *world, copies duplicates, crashes ...crash) outcome {
	w.duplicates, w.crashes, w.calm = copies, crashes, copies == once && len(crashes) == 0
	s.begin(w)
	err := w.settle(s.done)
	o := outcome{calls: w.calls, reached: len(w.crashes) == 0, idle: w.idle, chores: w.choreCalls}
	w.crashes = nil
	p := &problems{found: w.problems}
	if err != nil {
		p.Errorf("%v", err)
	} else {
		s.check(p, w, len(crashes))
	}
	if len(p.found) > 0 {
		o.err = fmt.Errorf("%s, %s, %v: %s", s.name, copies, crashes, strings.Join(p.found, "; "))
	}
	return o
}

// tally counts points and collects failures.
type tally struct {
	mu             sync.Mutex
	single, paired int
	failures       []string
}

func (c *tally) add(o outcome, crashes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.reached {
		if crashes == 1 {
			c.single++
		} else {
			c.paired++
		}
	}
	if o.err != nil {
		c.failures = append(c.failures, o.err.Error())
	}
}

// pairsUpTo is how many calls after the first crash the second one follows at most.
const pairsUpTo = 10

// crashEverywhere goes the way once for each point, and counts the points: a crash at every
// call, with every kind of duplicates; then, for each of these crashes outside housekeeping, a
// second one at every one of the next calls, which are those of the repetition.
//
// It goes to a sample of the points.
func (s scenario) crashEverywhere(t *testing.T, c *tally, pairs []duplicates) {
	from := s.prepared(t)
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, copies := range []duplicates{once, beforehand, afterwards, always} {
		calm := s.run(newWorld(t, from), copies)
		require.NoError(t, calm.err, "without a crash")
		for n := 1; n <= calm.calls; n++ {
			if copies != once && calm.chores[n] || n%*sample != int(copies)%*sample {
				continue // housekeeping has no duplicates of its own
			}
			for _, after := range []bool{false, true} {
				group.Go(func() error {
					first := crash{n, after}
					o := s.run(newWorld(t, from), copies, first)
					c.add(o, 1)
					for _, with := range pairs {
						if with == copies && o.reached && !o.idle {
							s.crashAgain(t, c, from, copies, first, min(o.calls, pairsUpTo))
						}
					}
					return nil
				})
			}
		}
	}
	must(group.Wait())
}

// crashAgain crashes at each of the n calls after a first crash.
func (s scenario) crashAgain(t *testing.T, c *tally, from snapshot, copies duplicates, first crash, n int) {
	for second := 1; second <= n; second++ {
		if second%*sample != 1%*sample {
			continue
		}
		for _, after := range []bool{false, true} {
			c.add(s.run(newWorld(t, from), copies, first, crash{second, after}), 2)
		}
	}
}

// wanted is how many points there are at least.
const wanted = 10_000

// With every change make test tries a few points with the race detector, and .ci/check crash-points
// more without it. Each night tries them all.
var sample = flag.Int("sample", 100, "crash at one point of so many")

func TestCrashAtEveryCall(t *testing.T) {
	sum := 0
	for _, way := range ways() {
		c := &tally{}
		t.Run(way.name, func(t *testing.T) {
			for _, s := range way.scenarios {
				before, began := c.single+c.paired, time.Now()
				s.crashEverywhere(t, c, way.pairs)
				t.Logf("%s: %d points in %s", s.name, c.single+c.paired-before, time.Since(began).Round(time.Millisecond))
			}
			for i, failure := range c.failures {
				if i == 10 {
					t.Errorf("and %d more", len(c.failures)-i)
					break
				}
				t.Error(failure)
			}
		})
		t.Logf("%s: %d crashes at every call, %d pairs of crashes", way.name, c.single, c.paired)
		sum += c.single + c.paired
	}
	t.Logf("%d crash points", sum)
	if *sample == 1 {
		assert.GreaterOrEqual(t, sum, wanted)
	}
}

// way is a way in all its scenarios.
type way struct {
	name      string
	scenarios []scenario
	// pairs are the kinds of duplicates for which there is a second crash.
	pairs []duplicates
}

func ways() []way {
	return []way{
		{"letters", letterScenarios(), []duplicates{once}},
		{"deliveries", deliveryScenarios(), []duplicates{once}},
		{"syncs", syncScenarios(), []duplicates{once}},
		{"contracts", contractScenarios(), nil},
		{"choices", choiceScenarios(), nil},
		{"erasures", erasureScenarios(), []duplicates{once}},
	}
}
