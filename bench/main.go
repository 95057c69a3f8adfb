// Command bench measures what the functions cost on this machine, run as on Lambda (make
// bench). It starts each function's bootstrap with Lambda's Runtime API against the local
// emulators. It also starts two floors for comparison: a function that does nothing, and
// one that creates the same AWS clients and makes one bare call.
//
//	bench measure   measures everything and writes the figures to docs/performance.md
//	bench check     measures with fewer rounds, and fails if a figure exceeds bench/budgets.json
//	bench growth    measures the same requests with more and more data, writes
//	                table and plot, and fails if calls or units grow
//	bench hold      fails if a figure that somebody else measured exceeds its budget
//	bench figures   writes another tool's figures to docs/performance.md
//	bench arm64     starts every function as deployed, under qemu if this machine
//	                has another processor, and calls all routes
//	bench search    measures the start of search with the sandbox's catalogue and a large one
//	bench profile   prints where the instructions of a route or of a start go
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"aviso/bench/budget"
	"aviso/bench/world"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has been called
	}
}

func run(ctx context.Context, args []string) (err error) {
	if len(args) == 0 {
		return errors.New("usage: bench measure|check|growth|arm64|search|profile|hold|figures")
	}
	switch args[0] {
	case "figures":
		if len(args) != 3 {
			return errors.New("usage: bench figures <place in docs/performance.md> <file>")
		}
		return insert(args[1], args[2])
	case "hold":
		if len(args) != 4 {
			return errors.New("usage: bench hold <of> <what> <figure>")
		}
		return holdOne(args[1], args[2], args[3])
	}
	w, err := world.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Stop()) }()
	switch args[0] {
	case "measure":
		return measure(ctx, w)
	case "check":
		return check(ctx, w)
	case "growth":
		return grow(ctx, w)
	case "arm64":
		return runDeployed(ctx, w)
	case "search":
		return startSearch(ctx, w)
	case "profile":
		if len(args) < 2 {
			return errors.New("usage: bench profile <route or function>, such as \"pfm: GET accounts\"")
		}
		return profile(ctx, w, args[1], len(args) > 2)
	default:
		return fmt.Errorf("unknown command %s", args[0])
	}
}

// all measures everything.
func all(ctx context.Context, w *world.World, r rounds) (*measurement, *figures, error) {
	m, err := begin(ctx, w, here())
	if err != nil {
		return nil, nil, err
	}
	f := newFigures()
	steps := []struct {
		say string
		do  func() error
	}{
		{"calls and units", func() error { return m.counts(ctx, m.names(), f) }},
		{"starts", func() error { return m.startTimes(ctx, m.names(), r.starts, f) }},
		{"invocations", func() error { return m.invokeTimes(ctx, m.names(), r.invokes, f) }},
		{"steady load", func() error { return m.steadyLoad(ctx, m.names(), r.steady, f) }},
		{"make run", func() error { return m.runTimes(ctx, 3, f) }},
		{"allocations", func() error { return m.allocations(ctx, append(m.names(), floorWrites), f) }},
		{"instructions", func() error { return m.instructions(ctx, append(m.names(), floorWrites), f) }},
		{"starts of search", func() error { return m.bothCatalogues(ctx, 15, f) }},
	}
	for _, step := range steps {
		fmt.Fprintln(os.Stderr, "measuring", step.say)
		if err := step.do(); err != nil {
			return nil, nil, err
		}
	}
	f.relate(m.names(), m.routes)
	return m, f, nil
}

func measure(ctx context.Context, w *world.World) error {
	m, f, err := all(ctx, w, rounds{starts: 60, invokes: 2_000, steady: 5})
	if err != nil {
		return err
	}
	fmt.Println(functionTable(m, f))
	fmt.Println(searchTable(f))
	fmt.Println(routeTable(m, f))
	return errors.Join(writeFigures(m, f), writeMillion(m, f))
}

func check(ctx context.Context, w *world.World) error {
	list, err := budget.Read(w.Checkout())
	if err != nil {
		return err
	}
	m, f, err := all(ctx, w, rounds{starts: 15, invokes: 60, steady: 3})
	if err != nil {
		return err
	}
	fmt.Println(functionTable(m, f))
	fmt.Println(searchTable(f))
	fmt.Println(routeTable(m, f))
	return hold(list, f)
}
