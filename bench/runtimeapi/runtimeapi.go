// Package runtimeapi plays Lambda for a function: it serves the Runtime API (2018-06-01) on
// loopback, starts the function's bootstrap as a process, and passes it one invocation at a
// time.
package runtimeapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

const (
	// stopWithin is how long a function may take to exit before it is killed.
	stopWithin = 20 * time.Second
	// deadline is how long a function may take for an invocation, according to the API.
	deadline = 5 * time.Minute
	prefix   = "/2018-06-01/runtime/"
)

// Function is a function that has started.
type Function struct {
	// Init is the time from starting the process to its first request for an
	// invocation.
	Init time.Duration

	cmd     *exec.Cmd
	server  *http.Server
	pending chan []byte
	answers chan Answer
	ready   chan time.Time
	running context.Context
	fail    context.CancelCauseFunc // keeps the first error
	closing chan struct{}
	ended   chan struct{}
	number  int
	handed  time.Time
}

// Answer is the response to an invocation.
type Answer struct {
	Body []byte
	// Took is the time from sending the event to having read the response.
	Took time.Duration

	failed bool
}

// Start starts a function, and returns when the function asks for its first invocation or
// fails. The command is the bootstrap, or a program that runs it, with its arguments. The
// environment is complete, but for AWS_LAMBDA_RUNTIME_API. The log gets the function's output.
func Start(ctx context.Context, command []string, env map[string]string, log io.Writer) (*Function, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	f := &Function{
		pending: make(chan []byte), answers: make(chan Answer), ready: make(chan time.Time, 1),
		closing: make(chan struct{}), ended: make(chan struct{}), cmd: exec.Command(command[0], command[1:]...),
	}
	f.running, f.fail = context.WithCancelCause(ctx)
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+prefix+"invocation/next", f.next)
	mux.HandleFunc("POST "+prefix+"invocation/{id}/{kind}", f.take)
	f.server = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() { _ = f.server.Serve(listener) }()
	f.cmd.Stdout, f.cmd.Stderr = log, log
	f.cmd.Env = []string{"AWS_LAMBDA_RUNTIME_API=" + listener.Addr().String()}
	for name, value := range env {
		f.cmd.Env = append(f.cmd.Env, name+"="+value)
	}
	began := time.Now()
	if err := f.cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("start: %w", err), f.server.Close())
	}
	go func() {
		f.fail(fmt.Errorf("the function has exited: %w", f.cmd.Wait()))
		close(f.ended)
	}()
	select {
	case at := <-f.ready:
		f.Init = at.Sub(began)
		return f, nil
	case <-f.running.Done():
		return nil, errors.Join(context.Cause(f.running), f.Stop())
	}
}

// next blocks until there is an invocation for the function.
func (f *Function) next(w http.ResponseWriter, r *http.Request) {
	select {
	case f.ready <- time.Now():
	default: // not the first time
	}
	var payload []byte
	select {
	case payload = <-f.pending:
	case <-f.closing:
		w.WriteHeader(http.StatusGone)
		return
	case <-r.Context().Done():
		return
	}
	f.number++
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Lambda-Runtime-Aws-Request-Id", f.id())
	h.Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(deadline).UnixMilli(), 10))
	h.Set("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:eu-central-1:000000000000:function:bench")
	h.Set("Lambda-Runtime-Trace-Id", "Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=0")
	f.handed = time.Now()
	_, _ = w.Write(payload)
}

func (f *Function) id() string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", f.number) }

// take receives a response or an error.
func (f *Function) take(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	took := time.Since(f.handed)
	if err != nil || r.PathValue("id") != f.id() {
		w.WriteHeader(http.StatusBadRequest)
		f.fail(fmt.Errorf("unexpected response: %s", r.URL.Path))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusAccepted)
	_, _ = io.WriteString(w, `{"status":"OK"}`)
	f.answers <- Answer{Body: body, Took: took, failed: r.PathValue("kind") == "error"}
}

// Invoke sends an event and waits for the response. It is not for concurrent use, because a
// Lambda instance handles one event at a time.
func (f *Function) Invoke(payload []byte) (Answer, error) {
	pending := f.pending
	for {
		select {
		case pending <- payload:
			pending = nil
		case a := <-f.answers:
			if a.failed {
				return Answer{}, fmt.Errorf("the function returned an error: %s", a.Body)
			}
			return a, nil
		case <-f.running.Done():
			return Answer{}, context.Cause(f.running)
		}
	}
}

// PeakRSS returns the peak resident memory of the process, in bytes.
func (f *Function) PeakRSS() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", f.cmd.Process.Pid))
	if err != nil {
		return 0, fmt.Errorf("read the status of the process: %w", err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kilobytes, err := strconv.ParseInt(strings.Fields(rest + " -")[0], 10, 64)
	return kilobytes << 10, err
}

// Stop closes the Runtime API, which makes the function exit, and waits for the process.
func (f *Function) Stop() error {
	close(f.closing)
	select {
	case <-f.ended:
	case <-time.After(stopWithin):
		_ = f.cmd.Process.Kill()
		<-f.ended
	}
	return f.server.Close()
}
