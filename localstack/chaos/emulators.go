package main

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"aviso/localstack/emulator"
)

// store is an emulator that can be killed. It starts again with the same data, at another
// address.
type store struct {
	name    string
	file    string
	begin   func(context.Context, emulator.Options) (*emulator.Process, error)
	address atomic.Pointer[string]

	mu      sync.Mutex
	process *emulator.Process
}

func newStore(folder, name, file string, begin func(context.Context, emulator.Options) (*emulator.Process, error)) *store {
	return &store{name: name, file: filepath.Join(folder, file), begin: begin}
}

// at returns the emulator's present address.
func (s *store) at() string { return *s.address.Load() }

func (s *store) start(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.startLocked(ctx)
}

func (s *store) startLocked(ctx context.Context) error {
	var err error
	for range 5 { // another process may have the port or still hold the file
		if s.process, err = s.begin(ctx, emulator.Options{DBPath: s.file}); err == nil {
			s.address.Store(&s.process.URL)
			return nil
		}
	}
	return fmt.Errorf("start %s: %w", s.name, err)
}

// kill kills the emulator and starts it again after the pause.
func (s *store) kill(ctx context.Context, pause time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = syscall.Kill(-s.process.PID, syscall.SIGKILL) // it may have ended just now
	<-s.process.Ended()
	time.Sleep(pause)
	return s.startLocked(ctx)
}

// restart ends the emulator as a developer does and starts it again.
func (s *store) restart(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.process.Stop(); err != nil {
		return err
	}
	return s.startLocked(ctx)
}

func (s *store) stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return nil
	}
	return s.process.Stop()
}
