package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"aviso/bench/route"
	"aviso/bench/world"
)

// profiledTimes is how often a route is called for its profile, so that the start hardly
// matters.
const profiledTimes = 100

// profile prints callgrind_annotate's table of the instructions of a route, given its key,
// or of the start of a function or floor, given its name. If inclusive is true, a line includes
// everything it calls.
func profile(ctx context.Context, w *world.World, key string, inclusive bool) error {
	m, err := begin(ctx, w, here())
	if err != nil {
		return err
	}
	var wanted *route.Route
	for _, r := range m.routes {
		if r.Key() == key {
			wanted = &r
		}
	}
	name := key
	switch {
	case wanted != nil:
		name = wanted.Function
	case key == largeSearch:
		if err := m.world.LargeCatalogue(ctx, largeOrganizations); err != nil {
			return err
		}
		name = searchFunction
	}
	s, known := m.subjects[name]
	if !known {
		return fmt.Errorf("there is no route or function %q", key)
	}
	source := "./functions/" + name
	if floor, is := strings.CutPrefix(name, "floor: "); is {
		source = "./bench/floor/" + floor
	}
	// Like the function's normal build, but with symbols.
	s.binary = filepath.Join(w.Checkout(), ".build", "bench", "named", name)
	err = command(ctx, w.Checkout(), []string{"CGO_ENABLED=0"},
		"go", "build", "-trimpath", "-tags", "lambda.norpc", "-ldflags", "-w", "-o", s.binary, source)
	if err != nil {
		return err
	}
	file := filepath.Join(w.Checkout(), ".build", "bench", "callgrind.out")
	if _, err := m.countInto(ctx, file, process{subject: s, more: wanted, times: profiledTimes}); err != nil {
		return err
	}
	include := map[bool]string{true: "yes", false: "no"}[inclusive]
	annotate := exec.CommandContext(ctx, "callgrind_annotate", "--threshold=97", "--inclusive="+include, file)
	annotate.Stdout, annotate.Stderr = os.Stdout, os.Stderr
	return annotate.Run()
}
