// Command chaos runs a local stack of its own, lets partners and users work with it, and
// breaks things at random meanwhile (make chaos): it kills the stack, loses and delays answers
// between everybody, and lets receivers fail. Then everything settles, and check judges what
// there is. docs/development.md explains how to read what it prints.
//
// MINUTES (2) is how long things break, SEED the number that all random choices follow
// from. The order of things that happen at the same time is the machine's.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	aviso "aviso.example/client"

	"aviso/localstack/stack/command"
	"aviso/localstack/stack/emulator"
	"aviso/localstack/stack/eventfile"
)

func main() { command.Main("chaos: ", chaos) }

// run is one run of the program.
type run struct {
	seed     uint64
	duration time.Duration
	// stack has the folder with its data and log, and the record.
	stack     *stack
	partners  []*partnerSide
	receivers *receivers
	products  []aviso.CreateCancellationRequest
	bank      string
	// breaking is true while things break, and partners begin something new.
	breaking atomic.Bool

	mu     sync.Mutex
	record record
	// mailed are the letters by e-mail, by the files of the stack's mail server.
	mailed map[string]letter
}

// chaos is the whole run.
func chaos(ctx context.Context) (err error) {
	r := &run{seed: uint64(rand.Uint32()), mailed: map[string]letter{}} // #nosec G404 -- any will do
	r.duration, err = time.ParseDuration(cmp.Or(os.Getenv("MINUTES"), "2") + "m")
	if given := os.Getenv("SEED"); err == nil && given != "" {
		r.seed, err = strconv.ParseUint(given, 10, 64)
	}
	if err != nil {
		return err
	}
	r.stack = &stack{}
	if r.stack.folder, err = os.MkdirTemp("", "aviso-chaos-"); err != nil {
		return err
	}
	fmt.Printf("seed %d, %s of faults; everything is kept in %s\n", r.seed, r.duration, r.stack.folder)
	defer func() { err = errors.Join(err, r.stack.end(syscall.SIGTERM)) }()
	if err := r.start(ctx); err != nil {
		return err
	}
	if err := r.storm(ctx); err != nil {
		return err
	}
	fmt.Println("The faults have stopped. Waiting until all has settled …")
	found, err := r.settle(ctx)
	if err != nil {
		return err
	}
	if err := errors.Join(r.stack.end(syscall.SIGTERM), r.report(found)); err != nil {
		return err
	}
	return os.RemoveAll(r.stack.folder)
}

// start starts everything, with nothing broken.
func (r *run) start(ctx context.Context) error {
	port, err := emulator.FreePort()
	if err != nil {
		return err
	}
	r.stack.port = port
	r.receivers = &receivers{run: r, dice: newDice(r.seed, "receivers"), keys: map[string]key{}}
	r.receivers.url = httptest.NewServer(r.receivers).URL
	// The user's cookies are for https and for localhost.
	baseURL := strings.Replace(httptest.NewServer(newProxy(r)).URL, "127.0.0.1", "localhost", 1)
	r.stack.environment = []string{"PUBLIC_URL=" + baseURL, "RATE_LIMIT_PER_MINUTE=100000", "RETRY_DELAYS=3s,6s"}
	if err := r.stack.start(ctx); err != nil {
		return err
	}
	return r.prepare(ctx, baseURL)
}

// storm lets partners and users work while things break.
func (r *run) storm(ctx context.Context) error {
	r.record.Broken = map[string]int{}
	r.breaking.Store(true)
	busy := r.work(ctx)
	d := newDice(r.seed, "kill the stack")
	for end := time.Now().Add(r.duration); time.Now().Before(end) && ctx.Err() == nil; {
		time.Sleep(min(d.wait(4*time.Second, 20*time.Second), time.Until(end)))
		r.count("stack killed")
		if err := errors.Join(r.stack.end(syscall.SIGKILL), r.mails(), r.stack.start(ctx)); err != nil {
			return err
		}
	}
	r.breaking.Store(false)
	busy.Wait() // what has begun ends without faults
	return ctx.Err()
}

// settle lets the service finish what the faults have interrupted, until nothing is found or
// its time is over. It returns what is found then.
func (r *run) settle(ctx context.Context) (found []finding, err error) {
	for begun := time.Now(); ; time.Sleep(5 * time.Second) {
		// The service waits for up to 15 minutes, such as for SES to say whether it has sent a mail.
		if err := r.look(ctx, time.Since(begun) > 30*time.Second); err != nil {
			return nil, err
		}
		before := len(found)
		r.note(func(all *record) { found = check(all) })
		if len(found) != before {
			fmt.Printf("  %d findings, which may pass\n", len(found))
		}
		if len(found) == 0 || time.Since(begun) > max(6*time.Minute, r.duration/2) {
			return found, nil
		}
		_ = r.stack.housekeeping(ctx) // the clock calls it, too
	}
}

// count counts something that was broken.
func (r *run) count(name string) { r.note(func(all *record) { all.Broken[name]++ }) }

// note reads or changes the record.
func (r *run) note(change func(*record)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.record)
}

// report prints what was broken and found. It fails if anything was found.
func (r *run) report(found []finding) error {
	fmt.Printf("%d requests under a key, %d letters, %d callbacks, %d erasures. What was broken, and how often:\n",
		len(r.record.Requests), len(r.record.Letters), len(r.record.Callbacks), len(r.record.Erasures))
	for _, name := range slices.Sorted(maps.Keys(r.record.Broken)) {
		fmt.Printf("  %6d  %s\n", r.record.Broken[name], name)
	}
	kinds := map[string]int{}
	for i, f := range found {
		if kinds[f.kind]++; i < 20 { // the record has what is behind all of them
			fmt.Printf("  %s: %s\n", f.promise, f.text)
		}
	}
	fmt.Printf("lost %d, doubled %d, findings %d\n", kinds[isLost], kinds[isDoubled], len(found))
	if len(found) == 0 {
		return nil
	}
	text, err := json.MarshalIndent(r.record, "", " ")
	return errors.Join(err, os.WriteFile(filepath.Join(r.stack.folder, "record.json"), text, 0o600),
		fmt.Errorf("look into %s; again: make chaos SEED=%d MINUTES=%g", r.stack.folder, r.seed, r.duration.Minutes()))
}

// stack is the local stack as a process of its own. It starts again on the same data.
type stack struct {
	folder      string
	port        int
	environment []string
	process     *os.Process
	ended       <-chan error
}

// start starts the stack and returns once it serves requests.
func (s *stack) start(ctx context.Context) error {
	log, err := os.OpenFile(filepath.Join(s.folder, "stack.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	cmd := exec.Command(".build/localstack-race") // make starts us in the checkout
	cmd.Env = append(append(os.Environ(), s.environment...), "PORT="+strconv.Itoa(s.port),
		"DATA_DIR="+filepath.Join(s.folder, "data"), "LOG=console", "GORACE=halt_on_error=1")
	cmd.Stdout, cmd.Stderr = log, log
	ended := make(chan error, 1)
	if err := emulator.Run(cmd, func(err error) { ended <- err }); err != nil {
		return fmt.Errorf("start the stack: %w", err)
	}
	s.process, s.ended = cmd.Process, ended
	ready := fmt.Sprintf("http://127.0.0.1:%d/.well-known/jwks.json", s.port)
	for end := time.Now().Add(90 * time.Second); time.Now().Before(end) && ctx.Err() == nil && len(ended) == 0; {
		if answer, err := http.Get(ready); err == nil { // #nosec G107 -- a loopback address
			return answer.Body.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
	return errors.Join(context.Cause(ctx), errors.New("the stack does not start; see stack.log"))
}

// end ends the stack. If that is a kill, the kernel kills its emulators with it.
func (s *stack) end(signal syscall.Signal) error {
	process := s.process
	if s.process = nil; process == nil {
		return nil
	}
	if len(s.ended) > 0 {
		return fmt.Errorf("the stack ended by itself: %w; see stack.log", <-s.ended)
	}
	_ = process.Signal(signal) // it may have ended just now
	<-s.ended                  //nolint:errcheck // its error is the signal
	return nil
}

// housekeeping does at once what the stack's clock does every minute.
func (s *stack) housekeeping(ctx context.Context) error {
	address, err := os.ReadFile(filepath.Join(s.folder, "data", "lambda-endpoint"))
	if err == nil {
		_, err = eventfile.Invoke(ctx, strings.TrimSpace(string(address)), "housekeeping", []byte("{}"))
	}
	return err
}
