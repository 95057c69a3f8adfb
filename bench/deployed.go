package main

import (
	"context"
	"errors"
	"fmt"

	"aviso/bench/world"
)

// runDeployed starts every function in the build that is deployed, and calls each
// of its routes twice. What an emulator takes says nothing, so nothing is measured.
func runDeployed(ctx context.Context, w *world.World) error {
	m, err := begin(ctx, w, deployed())
	if err != nil {
		return err
	}
	for _, name := range w.Functions() {
		if err := m.answers(ctx, name); err != nil {
			return err
		}
		fmt.Printf("%s: started, routes answered: %d\n", name, len(m.on(name)))
	}
	return nil
}

// answers starts a function and calls its routes: as new, and once more.
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
