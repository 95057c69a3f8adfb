// Package stack starts and stops the local stack: the emulators, the template's tables,
// queues, secrets and functions, and the port that a partner calls.
package stack

import (
	"cmp"
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
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/gofrs/flock"

	"aviso/internal/app"
	"aviso/internal/app/bootstrap"
	"aviso/internal/aws/config"
	"aviso/localstack/document/docsite"
	"aviso/localstack/stack/emulator"
	"aviso/localstack/stack/host"
	"aviso/localstack/stack/provision"
	"aviso/localstack/stack/seed"
	"aviso/localstack/template"
)

// AppPath is the path of the sample app.
const AppPath = "/app"

// drainWithin limits the wait for calls in flight when the stack stops.
const drainWithin = 10 * time.Second

// Options configure a stack.
type Options struct {
	Port int
	// Host is the address of this machine to listen on; 127.0.0.1 if empty.
	Host string
	// BaseURL is the public address of the API, if it is not the port itself, such as behind a proxy.
	BaseURL string
	DataDir string
	// InMemory keeps tables and messages in memory only, not in DataDir.
	InMemory bool
	// Memdb uses package memdb for the tables, for tests. Its calls cost little, but share this process.
	Memdb    bool
	Template string
	// WorkersOnly runs queues, streams and schedules without the HTTP API, which sam local serves.
	WorkersOnly bool
	// Ready is called once everything runs, with the surroundings for running the functions elsewhere. It may be nil.
	Ready func(Surroundings)
	// LogToConsole also prints the functions' log lines on Console.
	LogToConsole bool
	// Functions are the constructors by function name, such as bank-sync.
	Functions map[string]app.Constructor
	// Seed fills the tables before the port opens. It may be nil.
	Seed func(ctx context.Context, env config.Env, baseURL string) error
	// Docs serves the documentation site, and App the sample app. Either may be nil.
	Docs, App http.Handler
	// Getenv reads the caller's environment.
	Getenv  func(string) string
	Console io.Writer
}

// Local returns the options of the service in this checkout, from PORT, DATA_DIR and LOG.
func Local() (Options, error) {
	folder, err := emulator.Folder()
	if err != nil {
		return Options{}, err
	}
	if os.Getenv("ENVIRONMENT") == "production" {
		return Options{}, errors.New("ENVIRONMENT=production does not run on this machine: it has no sandbox, and real banks, " +
			"carriers and certificates. Deploy it with: make deploy ENV=production")
	}
	checkout := filepath.Dir(folder)
	port, err := strconv.ParseUint(cmp.Or(os.Getenv("PORT"), "3000"), 10, 16)
	if err != nil {
		return Options{}, fmt.Errorf("PORT must be a port number, but is %q", os.Getenv("PORT"))
	}
	dataDir, err := filepath.Abs(cmp.Or(os.Getenv("DATA_DIR"), filepath.Join(checkout, ".data")))
	if err != nil {
		return Options{}, fmt.Errorf("DATA_DIR: %w", err)
	}
	return Options{
		Port: int(port), DataDir: dataDir, Template: filepath.Join(checkout, "template.yaml"),
		LogToConsole: os.Getenv("LOG") == "console", Functions: app.Functions(), Seed: seed.Local,
		Getenv: os.Getenv, Console: os.Stdout,
	}, nil
}

// Surroundings are the dependencies of a running stack's functions.
type Surroundings struct {
	Functions []template.Function
	// Variables are each function's variables, by its logical ID.
	Variables map[string]map[string]string
	// AWS are the variables that make an AWS SDK use the stack's services.
	AWS map[string]string
	// Lambda is the address of the API that invokes functions.
	Lambda string
}

// Run runs the stack until ctx ends or something fails. It returns nil when ctx ends. It stops everything that it
// started.
func Run(ctx context.Context, o Options) (err error) {
	begun := time.Now()
	say := &console{out: o.Console}
	if !o.WorkersOnly {
		// Check this first, because the port opens only when everything is ready.
		free, err := o.listen()
		if err != nil {
			return err
		}
		_ = free.Close()
	}
	baseURL := cmp.Or(o.BaseURL, "http://localhost:"+strconv.Itoa(o.Port))
	tpl, err := template.Load(o.Template, parameters(baseURL, o.Getenv))
	if err != nil {
		return err
	}
	for _, f := range tpl.Functions {
		if o.Functions[f.Name] == nil {
			return fmt.Errorf("%s is in the template, but internal/app has no function %q", f.ID, f.Name)
		}
	}
	if err := os.MkdirAll(o.DataDir, 0o700); err != nil {
		return fmt.Errorf("create the data folder: %w", err)
	}
	// The lock ends with the process, however that ends.
	lock := flock.New(filepath.Join(o.DataDir, "lock"))
	if free, err := lock.TryLock(); err != nil {
		return fmt.Errorf("lock the data folder: %w", err)
	} else if !free {
		return fmt.Errorf(
			"another stack uses the data folder %s; stop it, or run DATA_DIR=<another folder> make run", o.DataDir)
	}
	defer func() { _ = lock.Close() }()
	log, lines, closeLog, err := openLog(o, say)
	if err != nil {
		return err
	}
	defer closeLog()
	slog.SetDefault(log)

	say.line("Starting the emulators …")
	b, err := startBackends(ctx, o, tpl, say.line)
	if err != nil {
		return interrupted(ctx, err)
	}
	defer func() { err = errors.Join(err, b.stop()) }()
	clients := provision.Connect(b.endpoints.dynamoDB, b.endpoints.sqs, b.endpoints.secrets)
	resources, err := provision.All(ctx, clients, tpl)
	if err != nil {
		return interrupted(ctx, b.withCause(err))
	}
	proxy, err := guard(tpl, resources, say.line)
	if err != nil {
		return err
	}
	variables, err := resources.Environments()
	if err != nil {
		return err
	}
	invocations, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen on loopback: %w", err)
	}
	defer func() { _ = invocations.Close() }()
	functions, seedEnv, err := build(ctx, tpl, o.Functions, variables, proxy, b.endpoints, invocations.Addr())
	if err != nil {
		return interrupted(ctx, err)
	}
	if o.Seed != nil {
		say.line("Seeding the tables …")
		if err := o.Seed(ctx, seedEnv, baseURL); err != nil {
			return interrupted(ctx, fmt.Errorf("seed: %w", err))
		}
	}
	h, err := host.New(host.Options{
		Template:  tpl,
		Functions: functions,
		Tables:    resources.Tables,
		Queues:    resources.Queues,
		DynamoDB:  clients.DynamoDB,
		Streams:   dynamodbstreams.NewFromConfig(provision.Config(b.endpoints.streams)),
		SQS:       clients.SQS,
		Positions: filepath.Join(o.DataDir, "streams"),
		Tell:      say.line,
		Log:       log,
		Lines:     lines,
	})
	if err != nil {
		return err
	}
	lambdaURL := b.serveOn(invocations, h.Invocations())
	err = b.saveAddresses(o.DataDir, map[string]string{
		"lambda-endpoint": lambdaURL, "dynamodb-endpoint": b.endpoints.dynamoDB,
		"secrets-endpoint": b.endpoints.secrets, "inbox": b.endpoints.inbox,
	})
	if err != nil {
		return err
	}
	if b.mail != nil {
		b.mail.Start(h.Publish)
	}
	h.Start()
	defer func() {
		drain, cancel := context.WithTimeout(context.Background(), drainWithin)
		defer cancel()
		h.Stop(drain)
	}()
	if o.Ready != nil {
		o.Ready(Surroundings{
			Functions: tpl.Functions, Variables: variables,
			AWS: b.endpoints.variables(dummyKey), Lambda: lambdaURL,
		})
	}
	if o.WorkersOnly {
		say.line(fmt.Sprintf("The workers are ready (started in %s). Lambda is at %s. Stop with Ctrl-C.",
			since(begun), lambdaURL))
		return wait(ctx, b, nil, say)
	}
	served, shutdown, err := o.serve(o.withPages(h))
	if err != nil {
		return err
	}
	defer shutdown()
	if err := b.saveAddresses(o.DataDir, map[string]string{"base-url": baseURL}); err != nil {
		return err
	}
	inbox := ""
	if b.endpoints.inbox != "" {
		inbox = "\n  SES        " + b.endpoints.inbox
	}
	say.line(fmt.Sprintf(`
Aviso is ready at %[1]s (started in %[2]s).

Get an access token:
    curl -s -u sandbox:sandbox-secret -d grant_type=client_credentials %[1]s/oauth2/token

  Start here %[1]s/
  Sample app %[1]s/app/
  DynamoDB   %[3]s
  SQS        %[4]s
  Secrets    %[5]s
  Lambda     %[6]s%[7]s
  Data, logs %[8]s

Stop with Ctrl-C.
`, baseURL, since(begun), b.endpoints.dynamoDB, b.endpoints.sqs, b.endpoints.secrets, lambdaURL, inbox, o.DataDir))
	return wait(ctx, b, served, say)
}

// console prints lines for the developer, one at a time.
type console struct {
	mu  sync.Mutex
	out io.Writer
}

func (c *console) line(text string) { _, _ = c.Write([]byte(text + "\n")) }

// Write implements io.Writer for log lines, each of which arrives in one call.
func (c *console) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.Write(b)
}

// wait waits until ctx ends, or until the server or an emulator stops.
func wait(ctx context.Context, b *backends, served <-chan error, say *console) error {
	select {
	case <-ctx.Done():
		say.line("Stopping …")
		return nil
	case err := <-served:
		return fmt.Errorf("serve: %w", err)
	case err := <-b.failed:
		return err
	}
}

// interrupted drops the error of a startup that Ctrl-C stopped.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return nil
}

func (o Options) listen() (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(cmp.Or(o.Host, "127.0.0.1"), strconv.Itoa(o.Port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("port %d is taken; stop the program that uses it, or run PORT=%d make run", o.Port, o.Port+1)
	}
	if err != nil {
		return nil, fmt.Errorf("open the port: %w", err)
	}
	return listener, nil
}

// withPages adds the documentation and the sample app to the API's port. Nothing else there is missing from the
// template: no environment on AWS has these two.
func (o Options) withPages(api http.Handler) http.Handler {
	// A ServeMux would clean the paths, but the API must see them as they were sent.
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case o.Docs != nil && docsite.Serves(r.URL.Path):
			o.Docs.ServeHTTP(w, r)
		case o.App != nil && strings.HasPrefix(r.URL.Path, AppPath+"/"):
			o.App.ServeHTTP(w, r)
		default:
			api.ServeHTTP(w, r)
		}
	})
}

// serve opens the port. shutdown closes it and waits for the requests in flight.
func (o Options) serve(h http.Handler) (served <-chan error, shutdown func(), err error) {
	listener, err := o.listen()
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

// Architecture is this machine's architecture in Lambda's spelling.
func Architecture() string {
	if runtime.GOARCH == "arm64" {
		return "arm64"
	}
	return "x86_64"
}

// parameters returns the local values of the template's parameters. Those without a fixed
// value come from the environment: RATE_LIMIT_PER_MINUTE sets RateLimitPerMinute.
func parameters(baseURL string, getenv func(string) string) template.Override {
	fixed := map[string]string{"Environment": "local", "BaseUrl": baseURL, "Architecture": Architecture()}
	return func(parameter string) (string, bool) {
		if value, ok := fixed[parameter]; ok {
			return value, true
		}
		value := getenv(template.UpperSnake(parameter))
		return value, value != ""
	}
}

// openLog returns the functions' logger and its tap. It keeps the previous run's lines in a second file.
func openLog(o Options, say *console) (*slog.Logger, *host.LineTap, func(), error) {
	path := filepath.Join(o.DataDir, "functions.log")
	err := os.Rename(path, filepath.Join(o.DataDir, "functions.previous.log"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, nil, nil, fmt.Errorf("keep the previous log: %w", err)
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("open the log: %w", err)
	}
	var out io.Writer = &limited{File: file, most: 64 << 20}
	if o.LogToConsole {
		out = io.MultiWriter(out, say)
	}
	lines := host.NewLineTap(out)
	return bootstrap.NewLog(lines, string(config.Local)), lines, func() { _ = file.Close() }, nil
}

// limited is a log that restarts before it exceeds most bytes.
type limited struct {
	*os.File
	size, most int
}

// Write implements io.Writer.
func (l *limited) Write(line []byte) (int, error) {
	if l.size += len(line); l.size > l.most {
		_ = l.Truncate(0)
		l.size = len(line)
	}
	return l.File.Write(line)
}

func since(begun time.Time) string { return time.Since(begun).Round(10 * time.Millisecond).String() }
