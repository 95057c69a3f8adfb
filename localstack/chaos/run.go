package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"aviso/internal/clock"
	"aviso/localstack/chaos/history"
	"aviso/localstack/emulator"
)

const (
	// retryDelays are the waits between attempts, shortened: RETRY_DELAYS.
	firstRetry, secondRetry = 5 * time.Second, 10 * time.Second
	// lives is how many users are busy at the same time. With more, an hour of faults leaves
	// more work behind than the stack gets done soon after.
	lives = 4
	// maxConnections bounds the connections: each brings hundreds of rows.
	maxConnections = 120
	// stepsPerMinute bounds what the users and partners do.
	stepsPerMinute = 1500
)

// run is one run of the program.
type run struct {
	seed     uint64
	duration time.Duration
	folder   string
	checkout string

	begun    time.Time
	book     *history.Book
	weather  *weather
	service  *service
	dynamo   *store
	sqs      *store
	mail     *mailServer
	invoke   func(function string, body []byte) error
	closers  []func()
	failures lists[string]

	transport   *http.Transport
	clients     []*client
	receivers   *receivers
	receiverURL string
	products    []product
	banks       []string
	terms       []map[string]string

	// faults counts what was broken, counts what was done.
	faults, counts         *tally
	keys, steps, connected atomic.Int64
	// over is true once users and partners begin nothing more.
	over atomic.Bool
}

func (r *run) now() time.Duration { return time.Since(r.begun) }

// goesOn reports whether there is time for another step, and takes one of those that the
// run has.
func (r *run) goesOn(ctx context.Context) bool {
	return ctx.Err() == nil && !r.over.Load() && r.steps.Add(1) <= int64(r.duration/time.Minute+1)*stepsPerMinute
}

// serve serves handler on a loopback port until the run ends. Port 0 is any.
func (r *run) serve(handler http.Handler, port int) (url string, err error) {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return "", err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ErrorLog: quiet()}
	go func() { _ = server.Serve(listener) }()
	r.closers = append(r.closers, func() { _ = server.Close() })
	return "http://" + listener.Addr().String(), nil
}

// start starts everything, with nothing broken.
func (r *run) start(ctx context.Context) error {
	program, err := buildStack(ctx, r.checkout, r.folder)
	if err != nil {
		return err
	}
	dataDir := filepath.Join(r.folder, "data")
	if err := os.MkdirAll(dataDir, 0o700); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(r.folder, "stack.log"))
	if err != nil {
		return err
	}
	frontPort, err := emulator.FreePort()
	if err != nil {
		return err
	}
	port, err := emulator.FreePort()
	if err != nil {
		return err
	}
	r.service = &service{program: program, checkout: r.checkout, port: port, dataDir: dataDir, log: log}
	r.weather = &weather{up: r.service.running.Load}
	r.dynamo = newStore(dataDir, "the DynamoDB emulator", "dynamodb.sqlite", emulator.StartDynamoDB)
	r.sqs = newStore(dataDir, "the SQS emulator", "queues.json", emulator.StartSQS)
	r.closers = append(r.closers, r.service.kill, func() { _ = r.dynamo.stop() }, func() { _ = r.sqs.stop() })
	for _, s := range []*store{r.dynamo, r.sqs} {
		if err := s.start(ctx); err != nil {
			return err
		}
	}
	baseURL := fmt.Sprintf("http://localhost:%d", frontPort)
	if err := r.relays(ctx, frontPort, baseURL); err != nil {
		return err
	}
	if err := r.service.start(ctx); err != nil {
		return err
	}
	return r.prepare(ctx, baseURL)
}

// relays starts the proxies and the mail server, and points the stack to them.
func (r *run) relays(ctx context.Context, frontPort int, baseURL string) error {
	passed := &counter{
		book: r.book, since: func(at time.Time) time.Duration { return at.Sub(r.begun) },
		cancellationOf: map[string]string{}, noted: map[string]bool{}, refused: map[string]time.Time{},
	}
	r.invoke = invoker(func() (string, error) { return r.service.noted("lambda-endpoint") })
	var err error
	clock := func() time.Time { return time.Now().Add(time.Duration(r.service.ahead.Load()) * time.Second) }
	r.mail, err = newMailServer(ctx, r.checkout, newDice(r.seed, "mail"), r.weather, passed, uuid.NewString, r.invoke, clock)
	if err != nil {
		return err
	}
	mailURL, err := r.serve(r.mail.server, 0)
	if err != nil {
		return err
	}
	fixed := func(url string) func() string { return func() string { return url } }
	aws := newAWSFaults(newDice(r.seed, "aws"), r.weather)
	front := newFrontFaults(newDice(r.seed, "front"), r.weather)
	between := func(target func() string, pick func(message) fault, passed func(message, answer)) *relay {
		return &relay{target: target, pick: pick, passed: passed, kill: r.service.kill, counts: r.faults, client: newTransport()}
	}
	addresses := map[string]string{}
	for variable, proxy := range map[string]*relay{
		"AWS_ENDPOINT_URL_DYNAMODB": between(r.dynamo.at, aws.pick, aws.passed),
		"AWS_ENDPOINT_URL_SQS":      between(r.sqs.at, aws.pick, aws.passed),
		"AWS_ENDPOINT_URL_SESV2":    between(fixed(mailURL), r.mail.pick, nil),
	} {
		if addresses[variable], err = r.serve(proxy, 0); err != nil {
			return err
		}
	}
	stackURL := fmt.Sprintf("http://127.0.0.1:%d", r.service.port)
	if _, err := r.serve(between(fixed(stackURL), front.pick, passed.passed), frontPort); err != nil {
		return err
	}
	for variable, address := range addresses {
		r.service.environment = append(r.service.environment, variable+"="+address)
	}
	r.service.environment = append(r.service.environment, "PUBLIC_URL="+baseURL, "RATE_LIMIT_PER_MINUTE=100000",
		fmt.Sprintf("RETRY_DELAYS=%s,%s", firstRetry, secondRetry))
	return nil
}

// prepare makes what has to exist before anything breaks.
func (r *run) prepare(ctx context.Context, baseURL string) error {
	r.receivers = &receivers{
		dice: newDice(r.seed, "receivers"), weather: r.weather, book: r.book, now: r.now, counts: r.faults,
		at: map[string]*receiver{},
	}
	var err error
	if r.receiverURL, err = r.serve(r.receivers, 0); err != nil {
		return err
	}
	for _, name := range []string{"sandbox", "sandbox-2"} {
		r.clients = append(r.clients, &client{
			partner: name, baseURL: baseURL, book: r.book, now: r.now, counts: r.counts,
			http: &http.Client{Transport: r.transport}, dice: newDice(r.seed, "client "+name),
		})
	}
	if err := r.browse(ctx); err != nil {
		return err
	}
	return r.listen(ctx)
}

// storm lets users and partners work while things break.
func (r *run) storm(ctx context.Context) error {
	work, stop := context.WithTimeout(ctx, r.duration)
	defer stop()
	r.weather.set(true)
	var busy, breaking sync.WaitGroup
	var next atomic.Int64
	for range lives {
		busy.Go(func() {
			for r.goesOn(ctx) {
				r.live(ctx, int(next.Add(1)))
			}
		})
	}
	for _, c := range r.clients {
		busy.Go(func() { r.notify(ctx, c) })
		busy.Go(func() { r.flood(ctx, c) })
	}
	breaking.Go(func() { r.killStack(work) })
	breaking.Go(func() { r.keepUp(work) })
	for _, s := range []*store{r.dynamo, r.sqs} {
		breaking.Go(func() { r.killStore(work, s) })
	}
	breaking.Wait() // until the time is over
	r.weather.set(false)
	r.over.Store(true)
	if err := r.calm(ctx); err != nil {
		return err
	}
	busy.Wait() // what has begun ends without faults
	r.counts.addN("users", int(next.Load()))
	return ctx.Err()
}

// killStack kills the stack at random times. The proxies do so between calls.
func (r *run) killStack(ctx context.Context) {
	d := newDice(r.seed, "kill the stack")
	for clock.Wait(ctx, d.wait(15*time.Second, 60*time.Second)) {
		if r.weather.mayKill() {
			r.faults.add("stack killed")
			r.service.kill()
		}
	}
}

// keepUp starts the stack again after each kill, with its clock ahead by a little more.
func (r *run) keepUp(ctx context.Context) {
	d := newDice(r.seed, "clock")
	for clock.Wait(ctx, d.wait(100*time.Millisecond, time.Second)) {
		if r.service.running.Load() {
			continue
		}
		if d.in(2) {
			r.faults.add("clock jumped")
			r.service.ahead.Add(int64(d.between(1, 45)))
		}
		if err := r.service.start(ctx); err != nil && ctx.Err() == nil {
			r.failures.add(err.Error())
			return
		}
	}
}

func (r *run) killStore(ctx context.Context, s *store) {
	d := newDice(r.seed, "kill "+s.name)
	for clock.Wait(ctx, d.wait(20*time.Second, 90*time.Second)) {
		r.faults.add(s.name + " killed")
		if err := s.kill(context.WithoutCancel(ctx), d.wait(0, 2*time.Second)); err != nil {
			r.failures.add(err.Error())
			return
		}
	}
}

// calm starts the emulator of SQS and the stack once more, so that nothing waits for a
// worker that was killed.
func (r *run) calm(ctx context.Context) error {
	r.service.stop()
	if err := r.sqs.restart(ctx); err != nil {
		return err
	}
	return r.service.start(ctx)
}

// stop ends everything that the run has started.
func (r *run) stop() {
	if r.service != nil {
		r.service.stop()
	}
	for _, closer := range slices.Backward(r.closers) {
		closer()
	}
	r.transport.CloseIdleConnections()
}
