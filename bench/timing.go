package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"aviso/bench/route"
	"aviso/bench/runtimeapi"
)

// rounds is how often things are measured. Each round measures every subject once, so that
// other load on the machine affects all of them alike.
type rounds struct{ starts, invokes, steady int }

// startTimes starts every subject repeatedly, and records how long it takes to be ready and
// to handle the first event.
func (m *measurement) startTimes(ctx context.Context, names []string, n int, into *figures) error {
	ready, first := map[string][]time.Duration{}, map[string][]time.Duration{}
	for range n {
		for _, name := range names {
			f, err := m.subjects[name].start(ctx)
			if err != nil {
				return err
			}
			ready[name] = append(ready[name], f.Init)
			if routes := m.on(name); len(routes) > 0 {
				answer, err := m.invoke(ctx, f, routes[0])
				if err != nil {
					return errors.Join(err, f.Stop())
				}
				first[name] = append(first[name], answer.Took)
			}
			if err := f.Stop(); err != nil {
				return err
			}
		}
	}
	for _, name := range names {
		into.add(name, initTime, milliseconds(median(ready[name])))
		if len(first[name]) > 0 {
			into.add(name, firstTime, milliseconds(median(first[name])))
		}
	}
	return nil
}

// invokeTimes starts every subject once and calls all routes in turn.
func (m *measurement) invokeTimes(ctx context.Context, names []string, n int, into *figures) (err error) {
	running := map[string]*runtimeapi.Function{}
	defer func() {
		for _, f := range running {
			err = errors.Join(err, f.Stop())
		}
	}()
	for _, name := range names {
		f, err := m.subjects[name].start(ctx)
		if err != nil {
			return err
		}
		running[name] = f
	}
	const unmeasured = 20
	took := map[string][]time.Duration{}
	for i := range unmeasured + n {
		for _, name := range names {
			for _, r := range m.on(name) {
				answer, err := m.invoke(ctx, running[name], r)
				if err != nil {
					return err
				}
				if i >= unmeasured {
					took[r.Key()] = append(took[r.Key()], answer.Took)
				}
			}
		}
	}
	for _, name := range names {
		for _, r := range m.on(name) {
			list := took[r.Key()]
			into.add(r.Key(), warmTime, milliseconds(median(list)))
			into.add(r.Key(), warmTime99, milliseconds(list[len(list)*99/100])) // median has sorted them
		}
		peak, err := running[name].PeakRSS()
		if err != nil {
			return err
		}
		into.add(name, memory, float64(peak)/1e6)
	}
	return nil
}

// steadyLoad calls one hot read after the other, and records p99 / p50 of n rounds.
func (m *measurement) steadyLoad(ctx context.Context, names []string, n int, into *figures) error {
	for _, name := range names {
		reads := slices.DeleteFunc(hotOf(m.on(name)), func(r route.Route) bool { return !r.Read })
		if len(reads) == 0 {
			continue
		}
		f, err := m.subjects[name].start(ctx)
		if err != nil {
			return err
		}
		ratios := map[string][]float64{}
		for range n {
			for _, r := range reads {
				ratio, err := m.steady(ctx, f, r)
				if err != nil {
					return errors.Join(err, f.Stop())
				}
				ratios[r.Key()] = append(ratios[r.Key()], ratio)
			}
		}
		for key, list := range ratios {
			into.add(key, spread, median(list))
			into.add(key, leastSpread, list[0]) // median has sorted them
		}
		if err := f.Stop(); err != nil {
			return err
		}
	}
	return nil
}

// steady calls a route without pauses, and returns p99 / p50.
func (m *measurement) steady(ctx context.Context, f *runtimeapi.Function, r route.Route) (float64, error) {
	took := make([]time.Duration, 500)
	for i := range took {
		answer, err := m.invoke(ctx, f, r)
		if err != nil {
			return 0, err
		}
		took[i] = answer.Took
	}
	p50 := median(took)
	return float64(took[len(took)*99/100]) / float64(p50), nil // median has sorted them
}

func median[T cmp.Ordered](list []T) T {
	slices.Sort(list)
	return list[len(list)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
