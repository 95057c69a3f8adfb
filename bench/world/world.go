// Package world is the environment in which functions are measured: the local stack's services
// with its tables, queues, secrets and seed, and with data of a known size.
package world

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"aviso/internal/app"
	"aviso/internal/awsclient"
	"aviso/internal/config"
	"aviso/localstack/stack"
	"aviso/localstack/template"
)

// baseURL is the API's address for partners.
const baseURL = "http://localhost:3000"

// World is a local stack whose functions do nothing, so that only the measured ones do.
type World struct {
	Functions []template.Function
	// AWS are the variables that make an AWS SDK use the stack's services.
	AWS map[string]string

	dynamoDB  *dynamodb.Client
	variables map[string]map[string]string
	tables    map[string]string // by the variable's name
	stop      context.CancelFunc
	ended     chan error
	dir       string
}

// nothing is the handler of each of the stack's own functions.
type nothing struct{}

func (nothing) Invoke(context.Context, []byte) ([]byte, error) { return []byte("{}"), nil }

// getenv is the environment of the stack: no limit gets in the way.
func getenv(name string) string {
	return map[string]string{"RATE_LIMIT_PER_MINUTE": "1000000000"}[name]
}

// Start starts the stack of the checkout that is the current folder, and seeds its tables.
func Start(ctx context.Context) (*World, error) {
	dir, err := os.MkdirTemp("", "aviso-bench")
	if err != nil {
		return nil, fmt.Errorf("create a folder for the stack: %w", err)
	}
	w := &World{ended: make(chan error, 1), dir: dir, tables: map[string]string{}}
	functions := map[string]app.Constructor{}
	for name := range app.Functions() {
		functions[name] = func(context.Context, config.Env) (lambda.Handler, error) { return nothing{}, nil }
	}
	ready := make(chan stack.Surroundings, 1)
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	w.stop = stop
	go func() {
		w.ended <- stack.Run(running, stack.Options{
			Port: 3000, DataDir: dir, InMemory: true, WorkersOnly: true, Template: "template.yaml",
			Functions: functions, Seed: app.SeedLocal, Getenv: getenv,
			Console: io.Discard, Ready: func(around stack.Surroundings) { ready <- around },
		})
	}()
	select {
	case around := <-ready:
		w.Functions, w.AWS, w.variables = around.Functions, around.AWS, around.Variables
	case err := <-w.ended:
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	for _, own := range w.variables {
		maps.Copy(w.tables, own)
	}
	cfg, err := awsclient.Load(func(name string) string { return w.AWS[name] })
	if err != nil {
		return nil, errors.Join(err, w.Stop())
	}
	w.dynamoDB = dynamodb.NewFromConfig(cfg)
	return w, nil
}

// Environment returns a function's complete environment.
func (w *World) Environment(f template.Function) map[string]string {
	env := maps.Clone(w.AWS)
	maps.Copy(env, w.variables[f.ID])
	delete(env, "CLOCK_TABLE") // as in production, where nobody's clock can be moved
	return env
}

// Stop stops everything that was started.
func (w *World) Stop() error {
	w.stop()
	return errors.Join(<-w.ended, os.RemoveAll(w.dir))
}
