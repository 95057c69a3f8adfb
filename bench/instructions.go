package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"aviso/bench/route"
	"aviso/bench/runtimeapi"
)

const (
	// warmInvokes come first, so that one-time work is not counted. countedInvokes are
	// the ones that are counted. Every process has the same warm invocations, so the
	// difference between two processes is the counted ones.
	warmInvokes, countedInvokes = 8, 40
)

// counted returns the environment in which a Go program executes almost the same
// instructions in each run: one thread for its goroutines, no garbage collector, no
// preemption by time.
func counted() []string {
	return []string{"GOMAXPROCS=1", "GOGC=off", "GOMEMLIMIT=off", "GODEBUG=asyncpreemptoff=1"}
}

// process is a run under callgrind: all routes are called in turn, then one of them
// several more times.
type process struct {
	subject subject
	routes  []route.Route
	more    *route.Route
	times   int // of more
}

// instructions counts the instructions of an invocation of each hot route, and of every
// subject's start.
func (m *measurement) instructions(ctx context.Context, names []string, into *figures) error {
	// The count does not depend on what else runs, so use all cores.
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.NumCPU())
	var mu sync.Mutex
	note := func(of, what string, value float64) {
		mu.Lock()
		defer mu.Unlock()
		into.add(of, what, value/1e6)
	}
	for _, name := range names {
		s, hot := m.subjects[name], hotOf(m.on(name))
		group.Go(func() error {
			started, err := m.countStarts(ctx, s)
			note(name, initInstructions, float64(started))
			return err
		})
		if len(hot) == 0 {
			continue
		}
		// Only the routes that need it wait for it. A write costs more or less by what it meets, so it
		// is not counted with others.
		reads := slices.DeleteFunc(slices.Clone(hot), func(r route.Route) bool { return !r.Read })
		baseline := sync.OnceValues(func() (int64, error) { return m.count(ctx, process{subject: s, routes: reads}) })
		for _, r := range hot {
			group.Go(func() error {
				routes, before := reads, baseline
				if !r.Read {
					routes = []route.Route{r}
					before = func() (int64, error) { return m.count(ctx, process{subject: s, routes: routes}) }
				}
				base, err := before()
				if err != nil {
					return err
				}
				all, err := m.count(ctx, process{subject: s, routes: routes, more: &r, times: countedInvokes})
				note(r.Key(), instructions, float64(all-base)/countedInvokes)
				return err
			})
		}
	}
	return group.Wait()
}

func hotOf(routes []route.Route) []route.Route {
	var hot []route.Route
	for _, r := range routes {
		if r.Hot {
			hot = append(hot, r)
		}
	}
	return hot
}

// countStarts returns the median of three starts: on a busy machine, one may open another connection, or
// go on without what it could not read in time.
func (m *measurement) countStarts(ctx context.Context, s subject) (int64, error) {
	counts := make([]int64, 3)
	for i := range counts {
		var err error
		if counts[i], err = m.count(ctx, process{subject: s}); err != nil {
			return 0, err
		}
	}
	return median(counts), nil
}

// count returns the instructions of a whole process, from exec to exit.
func (m *measurement) count(ctx context.Context, p process) (int64, error) {
	dir, err := os.MkdirTemp("", "aviso-callgrind")
	if err != nil {
		return 0, fmt.Errorf("create a folder for callgrind: %w", err)
	}
	defer os.RemoveAll(dir)
	return m.countInto(ctx, filepath.Join(dir, "out"), p)
}

// countInto is count, and leaves callgrind's output in the file.
func (m *measurement) countInto(ctx context.Context, file string, p process) (int64, error) {
	callgrind := []string{"valgrind", "--tool=callgrind", "--callgrind-out-file=" + file, "--quiet"}
	f, err := p.subject.startUnder(ctx, callgrind, counted()...)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(m.invokeAll(ctx, f, p), f.Stop()); err != nil {
		return 0, err
	}
	return total(file)
}

func (m *measurement) invokeAll(ctx context.Context, f *runtimeapi.Function, p process) error {
	for range warmInvokes {
		for _, r := range p.routes {
			if _, err := m.invoke(ctx, f, r); err != nil {
				return err
			}
		}
	}
	if p.more == nil {
		return nil
	}
	for range p.times {
		if _, err := m.invoke(ctx, f, *p.more); err != nil {
			return err
		}
	}
	return nil
}

// total reads the sum from callgrind's output.
func total(file string) (int64, error) {
	in, err := os.Open(file)
	if err != nil {
		return 0, fmt.Errorf("read callgrind's output: %w", err)
	}
	defer in.Close()
	for lines := bufio.NewScanner(in); lines.Scan(); {
		for _, name := range []string{"totals:", "summary:"} {
			if rest, ok := strings.CutPrefix(lines.Text(), name); ok {
				return strconv.ParseInt(strings.TrimSpace(rest), 10, 64)
			}
		}
	}
	return 0, fmt.Errorf("%s has no sum from callgrind", file)
}
