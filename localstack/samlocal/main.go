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
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"aviso/localstack/stack"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(events []string) error {
	options, err := stack.Local()
	if err != nil {
		return err
	}
	if options.Port == 8080 || options.Port == 9001 { // for sam's runtime emulator, or the function
		return fmt.Errorf("PORT cannot be %d, because every sam local container listens there itself", options.Port)
	}
	options.WorkersOnly = true
	ctx, stop := stack.UntilInterrupted()
	defer stop()
	s := &sam{checkout: filepath.Dir(options.Template), dataDir: options.DataDir, port: options.Port}
	if err := s.checkRequirements(ctx); err != nil {
		return err
	}
	return withWorkers(ctx, options, func(ctx context.Context, around stack.Surroundings) error {
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
func withWorkers(ctx context.Context, o stack.Options, do func(context.Context, stack.Surroundings) error) error {
	ready, ended := make(chan stack.Surroundings, 1), make(chan error, 1)
	workers, stopWorkers := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorkers()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		defer stop()
		o.Ready = func(around stack.Surroundings) { ready <- around }
		ended <- stack.Run(workers, o)
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
