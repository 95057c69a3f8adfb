package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"aviso/bench/page"
	"aviso/bench/route"
	"aviso/bench/runtimeapi"
	"aviso/bench/world"
	"aviso/localstack/stack/emulator"
	"aviso/localstack/template"
)

const (
	// rows are the transactions of a user in requests, manyRows those of another one, banks the
	// providers of one country, subscriptions the partner's.
	rows, manyRows, banks, subscriptions = 1_000, 5_000, 200, 5

	floor = "floor: clients"
)

// The names of figures in tables and budgets.
const (
	binary      = "binary, MB"
	startCalls  = "AWS calls of a start"
	startUnits  = "RRU of a start"
	initTime    = "init, ms"
	initToFloor = "init / clients"
	firstTime   = "first invoke, ms"
	memory      = "peak memory, MB"

	calls      = "AWS calls"
	handshakes = "late handshakes" // TLS handshakes that the first invocation waits for
	readUnits  = "RRU"
	writeUnits = "WRU"
	p50        = "p50, ms"
	p99        = "p99, ms"
	p50ToFloor = "p50 / clients"

	// Of a start, and of a page of transactions.
	initInstructions = "init, M instructions"
	instructions     = "M instructions"
	objects          = "allocations"
	kilobytes        = "allocated, KB"
)

// bench is a world with the functions and routes measured in it.
type bench struct {
	world    *world.World
	subjects []subject
	routes   []route.Route
	caller   route.Caller
	many     route.Caller // has manyRows
	number   atomic.Int64
	rounds   rounds
	figures  map[string]float64
}

// subject is a bootstrap to measure: a function's or the floor's.
type subject struct {
	name    string
	command []string
	env     map[string]string
}

// newBench builds the functions for the architecture and fills the world. A launcher runs binaries
// that this machine does not.
func newBench(ctx context.Context, w *world.World, goarch string, launcher []string) (*bench, error) {
	b := &bench{world: w, figures: map[string]float64{}}
	if err := b.build(ctx, goarch, launcher); err != nil {
		return nil, err
	}
	if err := w.Providers(ctx, banks); err != nil {
		return nil, err
	}
	token, err := b.answer(ctx, route.TokenRoute())
	if err != nil {
		return nil, err
	}
	var writer route.Caller
	for _, user := range []struct {
		into *route.Caller
		name string
		rows int
	}{{&b.caller, "usual", rows}, {&writer, "writer", rows}, {&b.many, "many", manyRows}} {
		if user.into.Token, err = route.ParseToken(token); err != nil {
			return nil, err
		}
		if user.into.User, err = w.User(ctx, user.name, user.rows); err != nil {
			return nil, err
		}
	}
	for range subscriptions {
		if _, err := b.answer(ctx, b.caller.Subscribe()); err != nil {
			return nil, err
		}
	}
	b.routes = route.All(b.caller, writer)
	return b, nil
}

// build builds every function with the Makefile, as SAM does, and the floor.
func (b *bench) build(ctx context.Context, goarch string, launcher []string) error {
	architecture := map[string]string{"amd64": "x86_64", "arm64": "arm64"}[goarch]
	args := []string{"--no-print-directory", "--jobs=2", "ARCHITECTURE=" + architecture}
	add := func(name, folder string, f template.Function) {
		file := filepath.Join(".build", folder, "bootstrap")
		b.subjects = append(b.subjects, subject{name, append(slices.Clip(launcher), file), b.world.Environment(f)})
	}
	pfm := slices.IndexFunc(b.world.Functions, func(f template.Function) bool { return f.Name == "pfm" })
	add(floor, "floor", b.world.Functions[pfm])
	for _, f := range b.world.Functions {
		args = append(args, "build-"+f.ID)
		add(f.Name, f.ID, f)
	}
	return errors.Join(
		execute(ctx, nil, "go", "build", "-trimpath", "-tags", "lambda.norpc", "-ldflags", "-s -w",
			"-o", ".build/floor/bootstrap", "./bench/floor/clients"),
		execute(ctx, []string{"ARTIFACTS_DIR="}, "make", args...))
}

func execute(ctx context.Context, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), append(env, "CGO_ENABLED=0")...)
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(output))
	}
	return nil
}

func (b *bench) subject(name string) subject {
	// The template has the functions of all routes.
	return b.subjects[slices.IndexFunc(b.subjects, func(s subject) bool { return s.name == name })]
}

// with returns the subject with other environment variables.
func (s subject) with(env map[string]string) subject {
	s.env = maps.Clone(s.env)
	maps.Copy(s.env, env)
	return s
}

func (s subject) start(ctx context.Context) (*runtimeapi.Function, error) {
	var log emulator.Tail
	f, err := runtimeapi.Start(ctx, s.command, s.env, &log)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", s.name, err, log.String())
	}
	return f, nil
}

// running starts the subject, does something with it, and stops it.
func (s subject) running(ctx context.Context, do func(f *runtimeapi.Function) error) error {
	f, err := s.start(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(f), f.Stop())
}

// call starts the subject and calls the routes one after the other.
func (b *bench) call(ctx context.Context, s subject, routes ...route.Route) error {
	return s.running(ctx, func(f *runtimeapi.Function) error {
		for _, r := range routes {
			if _, err := b.invoke(f, r); err != nil {
				return err
			}
		}
		return nil
	})
}

// answer starts the route's function, calls it once and returns the response.
func (b *bench) answer(ctx context.Context, r route.Route) (body []byte, err error) {
	err = b.subject(r.Function).running(ctx, func(f *runtimeapi.Function) error {
		answer, err := b.invoke(f, r)
		body = answer.Body
		return err
	})
	return body, err
}

// invoke calls a function with the route's next event, and checks the response.
func (b *bench) invoke(f *runtimeapi.Function, r route.Route) (runtimeapi.Answer, error) {
	answer, err := f.Invoke(r.Payload(int(b.number.Add(1))))
	if err == nil {
		err = r.Check(answer.Body)
	}
	if err != nil {
		return runtimeapi.Answer{}, fmt.Errorf("%s: %w", r.Key(), err)
	}
	return answer, nil
}

// on returns the routes of a function or of the floor.
func (b *bench) on(function string) []route.Route {
	if function == floor {
		return []route.Route{b.caller.Floor(floor)}
	}
	return slices.DeleteFunc(slices.Clone(b.routes), func(r route.Route) bool { return r.Function != function })
}

func (b *bench) add(of, what string, value float64) { b.figures[of+", "+what] = value }

// relate adds the ratio of a figure to the floor's.
func (b *bench) relate(of, what, ratio string) {
	if value, ok := b.figures[of+", "+what]; ok {
		b.add(of, ratio, value/b.figures[floor+", "+what])
	}
}

// tables returns the tables of docs/performance.md.
func (b *bench) tables() string {
	type column struct{ what, format string }
	table := func(title string, rows []string, columns ...column) string {
		cells := [][]string{{title}}
		for _, c := range columns {
			cells[0] = append(cells[0], c.what)
		}
		for _, row := range rows {
			line := []string{row}
			for _, c := range columns {
				cell := ""
				if value, ok := b.figures[row+", "+c.what]; ok {
					cell = fmt.Sprintf(c.format, value)
				}
				line = append(line, cell)
			}
			cells = append(cells, line)
		}
		return page.Table(cells)
	}
	var functions []string
	routes := []string{floor}
	for _, s := range b.subjects {
		functions = append(functions, s.name)
	}
	for _, r := range b.routes {
		routes = append(routes, r.Key())
	}
	return table("Function", functions, column{binary, "%.2f"}, column{initTime, "%.1f"}, column{initToFloor, "%.1f"},
		column{initInstructions, "%.1f"}, column{startCalls, "%.0f"}, column{startUnits, "%.1f"},
		column{firstTime, "%.1f"}, column{memory, "%.0f"}) + "\n" +
		table("Route", routes, column{calls, "%.0f"}, column{handshakes, "%.0f"}, column{readUnits, "%.1f"},
			column{writeUnits, "%.0f"}, column{p50, "%.2f"}, column{p99, "%.2f"}, column{p50ToFloor, "%.1f"})
}
