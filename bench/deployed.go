package main

import (
	"context"
	"errors"
	"fmt"

	"aviso/bench/world"
)

// runDeployed starts the deployed build of every function, and calls each route twice. It
// measures nothing, because times under an emulator mean nothing.
func runDeployed(ctx context.Context, w *world.World) error {
	m, err := begin(ctx, w, deployed())
	if err != nil {
		return err
	}
	for _, name := range w.Functions() {
		if err := m.answers(ctx, name); err != nil {
			return err
		}
		fmt.Printf("%s: started, and %d routes work\n", name, len(m.on(name)))
	}
	return nil
}

// answers starts a function and calls each route twice.
func (m *measurement) answers(ctx context.Context, name string) error {
	f, err := m.subjects[name].start(ctx)
	if err != nil {
		return err
	}
	for _, r := range append(m.on(name), m.on(name)...) {
		if _, err := m.invoke(ctx, f, r); err != nil {
			return errors.Join(err, f.Stop())
		}
	}
	return f.Stop()
}
