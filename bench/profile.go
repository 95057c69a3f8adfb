package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"aviso/bench/route"
	"aviso/bench/world"
)

// profiledTimes is how often a route is called for its profile: often enough for
// the start not to matter.
const profiledTimes = 100

// profile counts the instructions of one route, by its key, or of a function's
// start, by its name, and says which code they are in: a table of
// callgrind_annotate's. With inclusive each line counts what it calls as well.
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
	if wanted != nil {
		name = wanted.Function
	}
	s, known := m.subjects[name]
	if !known {
		return fmt.Errorf("there is no route and no function %q", key)
	}
	// As the function is built, but for the names of what is in it.
	s.binary = filepath.Join(w.Checkout(), ".build", "bench", "named", name)
	err = command(ctx, w.Checkout(), []string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-tags", "lambda.norpc", "-ldflags", "-w",
		"-o", s.binary, "./functions/"+name)
	if err != nil {
		return err
	}
	file := filepath.Join(w.Checkout(), ".build", "bench", "callgrind.out")
	if _, err := m.countInto(ctx, file, process{subject: s, more: wanted, times: profiledTimes}); err != nil {
		return err
	}
	annotate := exec.CommandContext(ctx, "callgrind_annotate", "--threshold=97", fmt.Sprintf("--inclusive=%v", map[bool]string{true: "yes", false: "no"}[inclusive]), file)
	annotate.Stdout, annotate.Stderr = os.Stdout, os.Stderr
	return annotate.Run()
}
