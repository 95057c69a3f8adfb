// Command samlocal runs the service's API on sam local, in containers like Lambda's
// (make sam-local). In this process, the local stack runs what sam local lacks: queues,
// streams, schedules and mail, with the emulators or the services at AWS_ENDPOINT_URL.
// Given event files as arguments, it has sam local invoke the function of each and then
// exits (make sam-local EVENT=…).
//
// It reads the same variables as make run (PORT, DATA_DIR, the template's parameters),
// and passes SAM_ARGS to sam, such as --skip-pull-image. The functions must have been
// built by make build for this machine's processor.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"aviso/internal/app"
	"aviso/localstack/emulator"
	"aviso/localstack/stack"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(events []string) error {
	folder, err := emulator.Folder()
	if err != nil {
		return err
	}
	checkout := filepath.Dir(folder)
	port, err := strconv.ParseUint(cmp.Or(os.Getenv("PORT"), "3000"), 10, 16)
	if err != nil {
		return fmt.Errorf("PORT must be a port number, but is %q", os.Getenv("PORT"))
	}
	if isTaken(port) {
		return fmt.Errorf("PORT cannot be %d, because every sam local container listens there itself", port)
	}
	dataDir, err := filepath.Abs(cmp.Or(os.Getenv("DATA_DIR"), filepath.Join(checkout, ".data")))
	if err != nil {
		return fmt.Errorf("DATA_DIR: %w", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// After the first signal, a second one ends the process at once.
	context.AfterFunc(ctx, stop)
	s := &sam{checkout: checkout, dataDir: dataDir, port: int(port)}
	if err := s.checkRequirements(ctx); err != nil {
		return err
	}
	return s.withWorkers(ctx, func(ctx context.Context, around stack.Surroundings) error {
		if err := s.prepare(around); err != nil {
			return err
		}
		if err := s.forwardFromContainers(ctx, around); err != nil {
			return err
		}
		if len(events) > 0 {
			return s.invoke(ctx, around, events)
		}
		return s.serve(ctx)
	})
}

// withWorkers runs the stack without its API, and do, until either ends. The stack
// stops last, because what do started may still need it.
func (s *sam) withWorkers(ctx context.Context, do func(context.Context, stack.Surroundings) error) error {
	functions := map[string]stack.Constructor{}
	for name, constructor := range app.Functions() {
		functions[name] = stack.Constructor(constructor)
	}
	ready, ended := make(chan stack.Surroundings, 1), make(chan error, 1)
	workers, stopWorkers := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorkers()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		defer stop()
		ended <- stack.Run(workers, stack.Options{
			Port: s.port, DataDir: s.dataDir, Template: filepath.Join(s.checkout, "template.yaml"),
			WorkersOnly: true, LogToConsole: os.Getenv("LOG") == "console",
			Functions: functions, Seed: app.SeedLocal, Getenv: os.Getenv, Console: os.Stdout,
			Ready: func(around stack.Surroundings) { ready <- around },
		})
	}()
	var err error
	select {
	case <-ctx.Done():
	case around := <-ready:
		err = do(ctx, around)
	}
	stopWorkers()
	return errors.Join(err, <-ended)
}
