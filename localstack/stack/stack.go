// Package stack brings the local stack up and down: the emulators, the tables,
// queues and secrets of the template, its functions, and the one port that a
// partner would call.
package stack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/uuid"

	"aviso/internal/config"
	"aviso/internal/metric"
	"aviso/localstack/host"
	"aviso/localstack/template"
)

// drainWithin bounds the wait for calls in flight at the end.
const drainWithin = 10 * time.Second

// Constructor builds the handler of one function from its environment.
type Constructor func(ctx context.Context, env config.Env) (lambda.Handler, error)

// Options say what to run and where.
type Options struct {
	Port     int
	DataDir  string
	Template string
	// WorkersOnly runs queues, streams and schedules, and no HTTP: sam local
	// serves that.
	WorkersOnly bool
	// Ready is called once everything runs, with what somebody needs who runs the
	// functions elsewhere; nil is nobody.
	Ready func(Surroundings)
	// LogToConsole sends the functions' log lines to Console, too.
	LogToConsole bool
	// Functions are the constructors by the functions' names: bank-sync.
	Functions map[string]Constructor
	// Seed fills the tables before the port opens; nil leaves them as they are.
	Seed func(ctx context.Context, env config.Env, baseURL string) error
	// Getenv is the environment of the caller.
	Getenv  func(string) string
	Console io.Writer
}

// Surroundings are what the functions of a running stack see of it.
type Surroundings struct {
	Functions []template.Function
	// Variables are those of each function, by its logical id.
	Variables map[string]map[string]string
	// AWS are the variables by which an AWS SDK finds the stack's services.
	AWS map[string]string
	// Lambda is the address of the API that invokes functions.
	Lambda string
}

// Run runs the stack until ctx ends, which is a clean end, or until something
// fails. Nothing it started is left behind.
func Run(ctx context.Context, o Options) (err error) {
	begun := time.Now()
	say := newConsole(o.Console)
	if !o.WorkersOnly {
		if err := portFree(o.Port); err != nil {
			return err
		}
	}
	baseURL := "http://localhost:" + strconv.Itoa(o.Port)
	tpl, err := template.Load(o.Template, parameters(baseURL, o.Getenv))
	if err != nil {
		return err
	}
	if err := missing(tpl, o.Functions); err != nil {
		return err
	}
	release, err := claim(o.DataDir)
	if err != nil {
		return err
	}
	defer release()
	log, closeLog, err := openLog(o, say)
	if err != nil {
		return err
	}
	defer closeLog()
	slog.SetDefault(log)

	say.line("starting the emulators")
	b, err := startBackends(ctx, o, tpl, say.line)
	if err != nil {
		return interrupted(ctx, err)
	}
	defer func() { err = errors.Join(err, b.stop()) }()
	resources, err := b.provision(ctx, tpl, baseURL)
	if err != nil {
		return interrupted(ctx, b.because(err))
	}
	guarded, err := b.guard(tpl, resources, say.line)
	if err != nil {
		return err
	}
	variables, err := environments(tpl, resources)
	if err != nil {
		return err
	}
	functions, seedEnv, err := build(ctx, tpl, o.Functions, variables, guarded, b.endpoints)
	if err != nil {
		return interrupted(ctx, err)
	}
	if o.Seed != nil {
		say.line("seeding")
		if err := o.Seed(ctx, seedEnv, baseURL); err != nil {
			return interrupted(ctx, fmt.Errorf("seed: %w", err))
		}
	}
	h, err := host.New(host.Options{
		Template:  tpl,
		Functions: functions,
		Tables:    resources.Tables,
		Queues:    resources.Queues,
		DynamoDB:  b.dynamoDB(),
		Streams:   b.streams(),
		SQS:       b.sqs(),
		Positions: filepath.Join(o.DataDir, "streams"),
		Tell:      say.line,
		Log:       log,
		Now:       time.Now,
		NewID:     uuid.NewString,
	})
	if err != nil {
		return err
	}
	lambdaURL, err := b.serve(h.Invocations())
	if err != nil {
		return err
	}
	err = b.note(o.DataDir, map[string]string{
		"lambda-endpoint": lambdaURL, "dynamodb-endpoint": b.endpoints.dynamoDB,
		"secrets-endpoint": b.endpoints.secrets, "inbox": b.endpoints.inbox,
	})
	if err != nil {
		return err
	}
	b.mail.Start(h.Publish)
	h.Start()
	defer func() {
		drain, cancel := context.WithTimeout(context.Background(), drainWithin)
		defer cancel()
		b.mail.Hurry()
		h.Stop(drain)
	}()
	if o.Ready != nil {
		o.Ready(Surroundings{Functions: tpl.Functions, Variables: variables, AWS: b.endpoints.variables(dummyKey), Lambda: lambdaURL})
	}
	if o.WorkersOnly {
		say.line(fmt.Sprintf("the workers run (%s), Lambda answers at %s; stop with Ctrl-C", since(begun), lambdaURL))
		return wait(ctx, b, nil, say)
	}
	served, shutdown, err := serve(h, o.Port)
	if err != nil {
		return err
	}
	defer shutdown()
	say.ready(readiness{url: baseURL, after: since(begun), dataDir: o.DataDir, lambda: lambdaURL, endpoints: b.endpoints})
	return wait(ctx, b, served, say)
}

// wait returns at the end of ctx, or when the server or an emulator ends.
func wait(ctx context.Context, b *backends, served <-chan error, say *console) error {
	select {
	case <-ctx.Done():
		say.line("stopping")
		return nil
	case err := <-served:
		return fmt.Errorf("serve: %w", err)
	case err := <-b.failed:
		return err
	}
}

// interrupted makes an error of a start that was stopped by Ctrl-C a clean end.
func interrupted(ctx context.Context, err error) error {
	select {
	case <-ctx.Done():
		return nil
	default:
		return err
	}
}

// portFree looks before anything else is done; the port itself opens only when
// all is ready.
func portFree(port int) error {
	listener, err := listen(port)
	if err != nil {
		return err
	}
	return listener.Close()
}

func listen(port int) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("port %d is taken; stop what listens there or run PORT=%d make run", port, port+1)
	}
	return listener, nil
}

// serve opens the port. shutdown closes it and waits for the requests in flight.
func serve(h http.Handler, port int) (served <-chan error, shutdown func(), err error) {
	listener, err := listen(port)
	if err != nil {
		return nil, nil, err
	}
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    host.MaxHeaderBytes,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	return ended, func() {
		ctx, cancel := context.WithTimeout(context.Background(), drainWithin)
		defer cancel()
		if server.Shutdown(ctx) != nil {
			_ = server.Close()
		}
	}, nil
}

// parameters gives the template's parameters their local values. Those of no
// fixed value are taken from the environment: RATE_LIMIT_PER_MINUTE is
// RateLimitPerMinute.
func parameters(baseURL string, getenv func(string) string) template.Override {
	architecture := "x86_64"
	if runtime.GOARCH == "arm64" {
		architecture = "arm64"
	}
	fixed := map[string]string{"Environment": "local", "BaseUrl": baseURL, "Architecture": architecture}
	return func(parameter string) (string, bool) {
		if value, ok := fixed[parameter]; ok {
			return value, true
		}
		value := getenv(template.UpperSnake(parameter))
		return value, value != ""
	}
}

// openLog gives the logger of the functions. The last run's lines are kept beside
// the current ones.
func openLog(o Options, say *console) (*slog.Logger, func(), error) {
	path := filepath.Join(o.DataDir, "functions.log")
	if err := os.Rename(path, filepath.Join(o.DataDir, "functions.previous.log")); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, fmt.Errorf("keep the last log: %w", err)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("open the log: %w", err)
	}
	var out io.Writer = file
	if o.LogToConsole {
		out = io.MultiWriter(file, say)
	}
	return slog.New(slog.NewJSONHandler(out, nil)).With(metric.Environment, string(config.Local)), func() { _ = file.Close() }, nil
}

func since(begun time.Time) string { return time.Since(begun).Round(10 * time.Millisecond).String() }
