package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"aviso/bench/memstats"
	"aviso/bench/route"
)

// reporting is added to the package main of a function, so that it can be asked what it has allocated.
const reporting = `package main

import "aviso/bench/memstats"

var _ = func() any {
	if err := memstats.Serve(); err != nil {
		panic(err)
	}
	return nil
}()
`

// allocations records what an invocation of each hot route allocates. The garbage collector is off,
// because it empties pools, and the invocations are as many as those whose instructions count.
func (m *measurement) allocations(ctx context.Context, names []string, into *figures) error {
	for _, name := range names {
		hot := hotOf(m.on(name))
		if len(hot) == 0 {
			continue
		}
		s, err := m.reporting(ctx, name)
		if err != nil {
			return err
		}
		for _, r := range hot {
			spent, err := m.spend(ctx, s, r)
			if err != nil {
				return err
			}
			into.add(r.Key(), objects, float64(spent.Objects)/countedInvokes)
			into.add(r.Key(), kilobytes, float64(spent.Bytes)/countedInvokes/1e3)
		}
	}
	return nil
}

// reporting builds a subject as it is deployed, but so that it can be asked what it has allocated.
func (m *measurement) reporting(ctx context.Context, name string) (subject, error) {
	s := m.subjects[name]
	dir := filepath.Join(m.world.Checkout(), ".build", "bench", "reporting", s.folder)
	s.binary = filepath.Join(dir, "bootstrap")
	added, overlay := filepath.Join(dir, "reporting.go"), filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{
		"Replace": {filepath.Join(m.world.Checkout(), s.folder, "reporting.go"): added},
	})
	if err != nil {
		return s, err
	}
	err = os.MkdirAll(dir, 0o755)
	for file, text := range map[string][]byte{added: []byte(reporting), overlay: list} {
		err = errors.Join(err, os.WriteFile(file, text, 0o644))
	}
	if err != nil {
		return s, fmt.Errorf("write what is built: %w", err)
	}
	return s, command(ctx, m.world.Checkout(), []string{"CGO_ENABLED=0"}, "go", "build", "-overlay", overlay,
		"-pgo=functions/default.pgo", "-trimpath", "-buildvcs=false", "-tags", "lambda.norpc", "-o", s.binary, "./"+s.folder)
}

// spend returns what the counted invocations of a warm function allocate.
func (m *measurement) spend(ctx context.Context, s subject, r route.Route) (spent memstats.Report, err error) {
	dir, err := os.MkdirTemp("", "aviso-memstats")
	if err != nil {
		return spent, fmt.Errorf("create a folder for the socket: %w", err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "socket")
	f, err := s.start(ctx, append(counted(), memstats.Socket+"="+socket)...)
	if err != nil {
		return spent, err
	}
	defer func() { err = errors.Join(err, f.Stop()) }()
	if err := m.invokeAll(ctx, f, process{more: &r, times: warmInvokes}); err != nil {
		return spent, err
	}
	before, err := memstats.Read(socket)
	if err != nil {
		return spent, err
	}
	if err := m.invokeAll(ctx, f, process{more: &r, times: countedInvokes}); err != nil {
		return spent, err
	}
	after, err := memstats.Read(socket)
	return memstats.Report{Objects: after.Objects - before.Objects, Bytes: after.Bytes - before.Bytes}, err
}
