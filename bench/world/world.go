// Package world is the environment in which functions are measured: the local emulators
// with the template's tables, queues and secrets, seeded like the local stack, and with
// data of a known size.
package world

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"golang.org/x/sync/errgroup"

	"aviso/internal/app"
	"aviso/localstack/emulator"
	"aviso/localstack/host"
	"aviso/localstack/provision"
	"aviso/localstack/secrets"
	"aviso/localstack/ses"
	"aviso/localstack/template"
)

// BaseURL is the API's address for partners.
const BaseURL = "http://localhost:3000"

// dummyKey is accepted by emulators, and would be refused by AWS.
const dummyKey = "local"

// Endpoints are the emulators' addresses, by the service's name in the SDK's environment
// variables.
type Endpoints map[string]string

// World is a set of emulators with seeded tables.
type World struct {
	Endpoints Endpoints
	DynamoDB  *dynamodb.Client

	checkout  string
	template  *template.Template
	resources *provision.Resources
	closers   []func() error
}

// Start starts the emulators, and creates and seeds the template's resources.
func Start(ctx context.Context) (*World, error) {
	folder, err := emulator.Folder()
	if err != nil {
		return nil, err
	}
	w := &World{Endpoints: Endpoints{}, checkout: filepath.Dir(folder)}
	if err := w.start(ctx); err != nil {
		return nil, errors.Join(err, w.Stop())
	}
	return w, nil
}

func (w *World) start(ctx context.Context) error {
	var dynamoDB, queues *emulator.Process
	group, starting := errgroup.WithContext(ctx)
	begin := func(p **emulator.Process, start func(context.Context, emulator.Options) (*emulator.Process, error)) {
		group.Go(func() (err error) {
			*p, err = start(starting, emulator.Options{})
			return err
		})
	}
	begin(&dynamoDB, emulator.StartDynamoDB)
	begin(&queues, emulator.StartSQS)
	err := group.Wait()
	for service, p := range map[string]*emulator.Process{"DYNAMODB": dynamoDB, "SQS": queues} {
		if p != nil {
			w.Endpoints[service] = p.URL
			w.closers = append(w.closers, p.Stop)
		}
	}
	if err != nil {
		return err
	}
	if err := w.serveSecrets(ctx); err != nil {
		return err
	}
	if err := w.provision(ctx); err != nil {
		return err
	}
	return w.seed(ctx)
}

func (w *World) serveSecrets(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "aviso-bench")
	if err != nil {
		return fmt.Errorf("create a folder for the secrets: %w", err)
	}
	w.closers = append(w.closers, func() error { return os.RemoveAll(dir) })
	store, err := secrets.Open(filepath.Join(dir, "secrets.json"))
	if err != nil {
		return err
	}
	return w.serve(ctx, "SECRETS_MANAGER", store)
}

func (w *World) serve(ctx context.Context, service string, handler http.Handler) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("serve %s: %w", service, err)
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(listener) }()
	w.closers = append(w.closers, server.Close)
	w.Endpoints[service] = "http://" + listener.Addr().String()
	return nil
}

func (w *World) provision(ctx context.Context) (err error) {
	parameters := map[string]string{"Environment": "local", "BaseUrl": BaseURL, "RateLimitPerMinute": "1000000000"}
	w.template, err = template.Load(filepath.Join(w.checkout, "template.yaml"), func(name string) (string, bool) {
		value, ok := parameters[name]
		return value, ok
	})
	if err != nil {
		return err
	}
	mail := ses.New(ses.Options{ConfigurationSets: w.template.ConfigurationSets, Tell: func(string) {}, Now: time.Now})
	mail.Start(func(host.Event) error { return nil })
	if err := w.serve(ctx, "SESV2", mail); err != nil {
		return err
	}
	clients := provision.Connect(w.Endpoints["DYNAMODB"], w.Endpoints["SQS"], w.Endpoints["SECRETS_MANAGER"])
	w.DynamoDB = clients.DynamoDB
	w.resources, err = provision.All(ctx, clients, w.template, BaseURL, "")
	return err
}

// seed does what the local stack does before it opens its port.
func (w *World) seed(ctx context.Context) error {
	all := credentialsAndEndpoints(w.Endpoints)
	for _, f := range w.template.Functions {
		own, err := w.resources.Environment(f)
		if err != nil {
			return fmt.Errorf("function %s: %w", f.Name, err)
		}
		maps.Copy(all, own)
	}
	// Like functions, the seed creates its clients from the process's environment.
	for name, value := range all {
		if err := os.Setenv(name, value); err != nil {
			return fmt.Errorf("set %s: %w", name, err)
		}
	}
	return app.SeedLocal(ctx, func(name string) string { return all[name] }, BaseURL)
}

// Environment returns a function's complete environment, with the AWS services at the given
// endpoints.
func (w *World) Environment(function string, at Endpoints) (map[string]string, error) {
	for _, f := range w.template.Functions {
		if f.Name != function {
			continue
		}
		env, err := w.resources.Environment(f)
		if err != nil {
			return nil, fmt.Errorf("function %s: %w", f.Name, err)
		}
		maps.Copy(env, credentialsAndEndpoints(at))
		delete(env, "CLOCK_TABLE") // as in production, where nobody's clock can be moved
		return env, nil
	}
	return nil, fmt.Errorf("the template has no function %q", function)
}

// Functions returns the names of all functions, in the template's order.
func (w *World) Functions() []string {
	var names []string
	for _, f := range w.template.Functions {
		names = append(names, f.Name)
	}
	return names
}

func credentialsAndEndpoints(at Endpoints) map[string]string {
	env := map[string]string{
		"AWS_REGION": template.Region, "AWS_ACCESS_KEY_ID": dummyKey, "AWS_SECRET_ACCESS_KEY": dummyKey,
	}
	for service, url := range at {
		env["AWS_ENDPOINT_URL_"+service] = url
	}
	return env
}

// Checkout returns the project's folder.
func (w *World) Checkout() string { return w.checkout }

// Table returns the name of the table with this logical ID.
func (w *World) Table(logicalID string) string { return w.resources.Tables[logicalID] }

// Stop stops everything that was started.
func (w *World) Stop() error {
	var errs []error
	for _, closer := range w.closers {
		errs = append(errs, closer())
	}
	return errors.Join(errs...)
}
