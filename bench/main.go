// Command bench measures what the functions cost on this machine, run as on Lambda (make
// bench). It starts each function's bootstrap with Lambda's Runtime API against the local
// emulators, and beside them a floor: a function that creates the same AWS clients and makes one
// bare call.
//
//	bench measure   measures everything and writes the figures to docs/performance.md
//	bench check     measures with fewer rounds, and fails if a figure exceeds bench/budgets.json
//	bench arm64     starts every function as deployed, under qemu if this machine
//	                has another processor, and calls all routes
//	bench figures   writes another tool's figures to docs/performance.md
//	bench hold      fails if a figure that somebody else measured exceeds its budget
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"aviso/bench/budget"
	"aviso/bench/page"
	"aviso/bench/world"
	"aviso/localstack/stack/command"
)

const performance = "docs/performance.md"

func main() {
	command.Main("bench: ", func(ctx context.Context) error { return run(ctx, os.Args[1:]) })
}

func run(ctx context.Context, args []string) (err error) {
	switch {
	case len(args) == 3 && args[0] == "figures":
		return insert(args[1], args[2])
	case len(args) == 4 && args[0] == "hold":
		return holdOne(args[1], args[2], args[3])
	case len(args) != 1 || !slices.Contains([]string{"measure", "check", "arm64"}, args[0]):
		return errors.New("usage: bench measure|check|arm64, " +
			"bench figures <place in docs/performance.md> <file>, or bench hold <of> <what> <figure>")
	}
	w, err := world.Start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Stop()) }()
	if args[0] == "arm64" {
		return answer(ctx, w)
	}
	b, err := newBench(ctx, w, runtime.GOARCH, nil)
	if err != nil {
		return err
	}
	// Each round measures everything once, so that other load on the machine affects all alike.
	b.rounds = rounds{starts: 60, invokes: 2_000}
	if args[0] == "check" {
		b.rounds = rounds{starts: 9, invokes: 40}
	}
	for _, step := range []func(context.Context) error{
		b.counts, b.startTimes, b.invokeTimes, b.instructions, b.allocations, b.largeSearch,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	text := b.tables()
	fmt.Println(text)
	if args[0] == "measure" {
		return page.Replace(performance, "bench", measuredOn()+"\n\n"+text)
	}
	list, err := budget.Own()
	if err != nil {
		return err
	}
	if err := errors.Join(budget.Check(list, "", b.figures)...); err != nil {
		return fmt.Errorf("over budget:\n%w", err)
	}
	fmt.Println("All budgets are met.")
	return nil
}

// rounds is how often things are measured.
type rounds struct{ starts, invokes int }

// answer starts the deployed build of every function, and calls each route twice. It measures
// nothing, because times under an emulator mean nothing.
func answer(ctx context.Context, w *world.World) error {
	launcher := []string{"qemu-aarch64"}
	if runtime.GOARCH == "arm64" {
		launcher = nil
	}
	b, err := newBench(ctx, w, "arm64", launcher)
	if err != nil {
		return err
	}
	for _, f := range w.Functions {
		routes := b.on(f.Name)
		if err := b.call(ctx, b.subject(f.Name), append(routes, routes...)...); err != nil {
			return err
		}
		fmt.Printf("%s: started, and %d routes work\n", f.Name, len(routes))
	}
	return nil
}

// holdOne fails if a figure is over its budget.
func holdOne(of, what, figure string) error {
	value, err := strconv.ParseFloat(figure, 64)
	if err != nil {
		return err
	}
	list, err := budget.Own()
	if err != nil {
		return err
	}
	for _, b := range list {
		if b.Of == of && b.What == what {
			return b.Check(value)
		}
	}
	return fmt.Errorf("%s, %s: no such budget", of, what)
}

// insert writes a file's text, measured on this machine, to docs/performance.md.
func insert(place, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read the figures: %w", err)
	}
	return page.Replace(performance, place, measuredOn()+"\n\n"+string(text))
}

// measuredOn says where and when the figures were measured.
func measuredOn() string {
	average, _ := os.ReadFile("/proc/loadavg")
	load, _, _ := strings.Cut(string(average), " ")
	return fmt.Sprintf("%s on %s/%s, %d cores, %s, load average at the end %s.", runtime.Version(), runtime.GOOS,
		runtime.GOARCH, runtime.NumCPU(), time.Now().UTC().Format(time.DateOnly), load)
}
