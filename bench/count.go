package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"aviso/bench/meter"
	"aviso/bench/route"
	"aviso/bench/runtimeapi"
	"aviso/internal/app"
)

// metered calls do with a proxy that counts, and the environment of functions that use it.
func (b *bench) metered(do func(p *meter.Meter, env map[string]string) error) error {
	endpoints := maps.Clone(b.world.AWS)
	maps.DeleteFunc(endpoints, func(name, _ string) bool { return !strings.HasPrefix(name, "AWS_ENDPOINT_URL_") })
	certificate := filepath.Join(b.world.Dir, "certificate.pem")
	p, err := meter.Start(endpoints, certificate)
	if err != nil {
		return err
	}
	defer p.Stop()
	env := maps.Clone(p.Endpoints)
	env["SSL_CERT_FILE"] = certificate
	return do(p, env)
}

// counts records each function's use of AWS: for each route the calls and units of a warm
// invocation, and the TLS handshakes of the first one. None of it depends on the machine.
func (b *bench) counts(ctx context.Context) error {
	for _, s := range b.subjects {
		info, err := os.Stat(s.command[len(s.command)-1])
		if err != nil {
			return fmt.Errorf("size of %s: %w", s.name, err)
		}
		b.add(s.name, binary, float64(info.Size())/1e6)
	}
	return b.metered(func(p *meter.Meter, env map[string]string) error {
		for _, s := range b.subjects {
			for _, r := range b.on(s.name) {
				if err := b.countRoute(ctx, p, s.with(env), r); err != nil {
					return err
				}
			}
		}
		for _, r := range b.many.OfRows() {
			few := r.Key()
			r.Name += ", of many"
			if err := b.countRoute(ctx, p, b.subject(r.Function).with(env), r); err != nil {
				return err
			}
			if err := b.flat(few, r.Key()); err != nil {
				return err
			}
		}
		return nil
	})
}

// countRoute starts the function up to three times, until its first invocation waits for
// no handshake: on a busy machine, a connection that the start opens may come too late. A
// connection that the start does not open fails every time.
func (b *bench) countRoute(ctx context.Context, p *meter.Meter, s subject, r route.Route) error {
	var first, second meter.Reading
	for starts := 1; starts == 1 || first.Handshakes > 0 && starts <= 3; starts++ {
		before := p.Read()
		err := s.running(ctx, func(f *runtimeapi.Function) error {
			ready := p.Read()
			b.addStart(s.name, ready.Less(before))
			_, err := b.invoke(f, r)
			once := p.Read()
			if err == nil {
				_, err = b.invoke(f, r)
			}
			first, second = once.Less(ready), p.Read().Less(once)
			return err
		})
		if err != nil {
			return err
		}
	}
	b.add(r.Key(), handshakes, float64(first.Handshakes))
	b.add(r.Key(), calls, float64(second.Calls))
	b.add(r.Key(), readUnits, second.ReadUnits)
	b.add(r.Key(), writeUnits, second.WriteUnits)
	return nil
}

func (b *bench) addStart(of string, used meter.Reading) {
	b.add(of, startCalls, float64(used.Calls))
	b.add(of, startUnits, used.ReadUnits)
}

// flat fails if a request costs more with many rows than with few: it must read only its page.
func (b *bench) flat(few, many string) error {
	for _, what := range []string{calls, readUnits} {
		with, without := b.figures[many+", "+what], b.figures[few+", "+what]
		// Rows differ by a few bytes.
		if what == calls && with > without || with > without*1.1+0.5 {
			return fmt.Errorf("%s, %s: %.1f with %d rows, %.1f with %d", few, what, with, manyRows, without, rows)
		}
	}
	return nil
}

// largeSearch counts a start of search with a large catalogue. It comes last, because the catalogue
// stays in force.
func (b *bench) largeSearch(ctx context.Context) error {
	const organizations = 50_000
	if err := b.world.LargeCatalogue(ctx, organizations); err != nil {
		return err
	}
	return b.metered(func(p *meter.Meter, env map[string]string) error {
		before := p.Read()
		return b.subject("search").with(env).running(ctx, func(*runtimeapi.Function) error {
			b.addStart("search, 50,000 organizations", p.Read().Less(before))
			return nil
		})
	})
}

// instructions counts the instructions of every function's start, and of a page of transactions.
// They do not depend on what else runs, so all cores are used.
func (b *bench) instructions(ctx context.Context) error {
	// The first invocations do work that happens once.
	const warm, counted = 5, 20
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.NumCPU())
	var mu sync.Mutex
	note := func(of, what string, n float64) {
		mu.Lock()
		defer mu.Unlock()
		b.add(of, what, n/1e6)
	}
	for _, s := range b.subjects {
		group.Go(func() error {
			n, err := b.count(ctx, s)
			note(s.name, initInstructions, n)
			return err
		})
	}
	page := b.caller.Transactions()
	group.Go(func() error {
		few, err := b.count(ctx, b.subject("pfm"), slices.Repeat([]route.Route{page}, warm)...)
		if err != nil {
			return err
		}
		many, err := b.count(ctx, b.subject("pfm"), slices.Repeat([]route.Route{page}, warm+counted)...)
		note(page.Key(), instructions, (many-few)/counted)
		return err
	})
	return group.Wait()
}

// count returns the instructions of a process that answers the routes, from exec to exit. It has
// one thread for its goroutines, no garbage collector and no preemption by time, so that they are
// almost the same in each run.
func (b *bench) count(ctx context.Context, s subject, routes ...route.Route) (float64, error) {
	file := filepath.Join(b.world.Dir, fmt.Sprintf("cachegrind-%d", b.number.Add(1)))
	s = s.with(map[string]string{"GOMAXPROCS": "1", "GOGC": "off", "GOMEMLIMIT": "off", "GODEBUG": "asyncpreemptoff=1"})
	valgrind := []string{"valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=" + file, "--quiet"}
	s.command = append(valgrind, s.command...)
	if err := b.call(ctx, s, routes...); err != nil {
		return 0, err
	}
	in, err := os.Open(file)
	if err != nil {
		return 0, fmt.Errorf("read cachegrind's output: %w", err)
	}
	defer in.Close()
	for lines := bufio.NewScanner(in); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "summary:"); ok {
			return strconv.ParseFloat(strings.TrimSpace(rest), 64)
		}
	}
	return 0, errors.New("cachegrind has written no sum")
}

// allocations records what this process allocates for a page of transactions: it runs the function's
// handler beside the idle stack, whose share is small.
func (b *bench) allocations(ctx context.Context) error {
	env := b.subject("pfm").env
	handler, err := app.Functions()["pfm"](ctx, func(name string) string { return env[name] })
	if err != nil {
		return err
	}
	const warm, counted = 5, 40
	var before, after runtime.MemStats
	page := b.caller.Transactions()
	for n := range warm + counted {
		if n == warm {
			runtime.ReadMemStats(&before)
		}
		answer, err := handler.Invoke(ctx, page.Payload(n))
		if err := errors.Join(err, page.Check(answer)); err != nil {
			return err
		}
	}
	runtime.ReadMemStats(&after)
	b.add(page.Key(), objects, float64(after.Mallocs-before.Mallocs)/counted)
	b.add(page.Key(), kilobytes, float64(after.TotalAlloc-before.TotalAlloc)/counted/1e3)
	return nil
}

// startTimes starts everything several times, in turn, and records how long it takes to be ready and
// to handle the first event.
func (b *bench) startTimes(ctx context.Context) error {
	ready, first := map[string][]float64{}, map[string][]float64{}
	for range b.rounds.starts {
		for _, s := range b.subjects {
			err := s.running(ctx, func(f *runtimeapi.Function) error {
				ready[s.name] = append(ready[s.name], f.Init.Seconds()*1000)
				if routes := b.on(s.name); len(routes) > 0 {
					answer, err := b.invoke(f, routes[0])
					first[s.name] = append(first[s.name], answer.Took.Seconds()*1000)
					return err
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	for _, s := range b.subjects {
		b.add(s.name, initTime, quantile(ready[s.name], 50))
		b.relate(s.name, initTime, initToFloor)
		if len(first[s.name]) > 0 {
			b.add(s.name, firstTime, quantile(first[s.name], 50))
		}
	}
	return nil
}

// invokeTimes starts everything once and calls all routes in turn.
func (b *bench) invokeTimes(ctx context.Context) (err error) {
	const unmeasured = 20
	running, took := map[string]*runtimeapi.Function{}, map[string][]float64{}
	defer func() {
		for _, f := range running {
			err = errors.Join(err, f.Stop())
		}
	}()
	for _, s := range b.subjects {
		if running[s.name], err = s.start(ctx); err != nil {
			delete(running, s.name)
			return err
		}
	}
	for i := range unmeasured + b.rounds.invokes {
		for _, s := range b.subjects {
			for _, r := range b.on(s.name) {
				answer, err := b.invoke(running[s.name], r)
				if err != nil {
					return err
				}
				if i >= unmeasured {
					took[r.Key()] = append(took[r.Key()], answer.Took.Seconds()*1000)
				}
			}
		}
	}
	for key, list := range took {
		b.add(key, p50, quantile(list, 50))
		b.add(key, p99, quantile(list, 99))
	}
	for key := range took {
		b.relate(key, p50, p50ToFloor)
	}
	for name, f := range running {
		peak, err := f.PeakRSS()
		if err != nil {
			return err
		}
		b.add(name, memory, float64(peak)/1e6)
	}
	return nil
}

func quantile(list []float64, percent int) float64 {
	slices.Sort(list)
	return list[len(list)*percent/100]
}
