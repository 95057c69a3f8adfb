package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aviso/bench/replay"
	"aviso/bench/world"
)

const (
	// largeOrganizations is the size of the catalogue with which search starts, too.
	largeOrganizations = 50_000
	searchFunction     = "search"
	smallSearch        = "search, sandbox's catalogue"
	largeSearch        = "search, 50,000 organizations"
)

// startSearch prints the figures of the start of search.
func startSearch(ctx context.Context, w *world.World) error {
	m, err := begin(ctx, w, here())
	if err != nil {
		return err
	}
	f := newFigures()
	if err := m.bothCatalogues(ctx, 30, f); err != nil {
		return err
	}
	fmt.Println(searchTable(f))
	return nil
}

// bothCatalogues records the start of search with the sandbox's catalogue and with a large one. It
// comes last, because the large one stays in force.
func (m *measurement) bothCatalogues(ctx context.Context, starts int, into *figures) error {
	if err := m.searchStarts(ctx, smallSearch, starts, into); err != nil {
		return err
	}
	if err := m.world.LargeCatalogue(ctx, largeOrganizations); err != nil {
		return err
	}
	return m.searchStarts(ctx, largeSearch, starts, into)
}

// searchStarts records starts of search under a name, each beside one of the floor. All calls are
// answered from memory: the emulator takes several milliseconds for a large row. Other load on the
// machine only adds to a time, so the shortest one counts.
func (m *measurement) searchStarts(ctx context.Context, of string, n int, into *figures) (err error) {
	memories, err := replay.Start(ctx, m.world.Endpoints)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, memories.Stop()) }()
	subjects := map[string]subject{}
	for _, name := range []string{floorClients, searchFunction} {
		s := m.subjects[name]
		if s.env, err = m.world.Environment(like(name), memories.Endpoints); err != nil {
			return err
		}
		subjects[name] = s
	}
	var ready, floor []time.Duration
	var peaks []int64
	r := m.on(searchFunction)[0]
	for range n {
		f, err := subjects[floorClients].start(ctx)
		if err != nil {
			return err
		}
		floor = append(floor, f.Init)
		if err := f.Stop(); err != nil {
			return err
		}
		if f, err = subjects[searchFunction].start(ctx); err != nil {
			return err
		}
		ready = append(ready, f.Init)
		_, err = m.invoke(ctx, f, r)
		peak, errPeak := f.PeakRSS()
		peaks = append(peaks, peak)
		if err := errors.Join(err, errPeak, f.Stop()); err != nil {
			return err
		}
	}
	into.add(of, leastInit, milliseconds(slices.Min(ready)))
	into.add(of, leastInitClients, milliseconds(slices.Min(floor)))
	into.add(of, memory, float64(slices.Max(peaks))/1e6)
	count, err := m.countStarts(ctx, subjects[searchFunction])
	if err != nil {
		return err
	}
	into.add(of, initInstructions, float64(count)/1e6)
	return m.countStart(ctx, of, into)
}

// countStart records what a start of search asks of AWS.
func (m *measurement) countStart(ctx context.Context, of string, into *figures) (err error) {
	proxy, err := m.meter(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, proxy.stop()) }()
	f, err := m.behind(ctx, proxy, searchFunction)
	if err != nil {
		return err
	}
	got := proxy.Read()
	into.add(of, calls, float64(got.Calls))
	into.add(of, readUnits, got.ReadUnits)
	return f.Stop()
}
