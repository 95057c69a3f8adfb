package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"aviso/localstack/emulator"
)

const (
	// readyWithin is how long the stack may take to start.
	readyWithin = 60 * time.Second
	stopWithin  = 20 * time.Second
	// maxFailedStarts is how often in a row the stack may fail to start while its
	// emulators are being killed.
	maxFailedStarts = 20
)

// service is the local stack as a process of its own, which can be killed and starts again
// on the same data.
type service struct {
	program, checkout string
	port              int
	dataDir           string
	// environment is added to this process's.
	environment []string
	log         *os.File

	// ahead is how far the clock of the next start is ahead.
	ahead atomic.Int64
	// running is true while the stack serves requests.
	running atomic.Bool

	mu      sync.Mutex
	command *exec.Cmd
	ended   chan struct{}
	// expected is true once the present process was told to end.
	expected bool
	// died holds what was found when the stack ended although nobody had killed it.
	died []string
}

// start starts the stack and returns once it serves requests.
func (s *service) start(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for range maxFailedStarts {
		if err = s.startLocked(ctx); err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func (s *service) startLocked(ctx context.Context) error {
	cmd := exec.Command(s.program)
	cmd.Dir = s.checkout
	cmd.Env = append(os.Environ(), s.environment...)
	cmd.Env = append(cmd.Env,
		"PORT="+strconv.Itoa(s.port), "DATA_DIR="+s.dataDir, "LOG=console",
		aheadVariable+"="+strconv.FormatInt(s.ahead.Load(), 10), "GORACE=halt_on_error=1",
	)
	cmd.SysProcAttr = emulator.ProcessAttributes()
	ready := make(chan struct{})
	output := &watcher{file: s.log, text: "Aviso is ready at", seen: ready}
	cmd.Stdout, cmd.Stderr = output, output
	ended, started := make(chan struct{}), make(chan error, 1)
	go func() {
		// The kernel kills the child when the thread that started it ends.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
			s.running.Store(false)
			close(ended)
		}
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("start the stack: %w", err)
	}
	s.command, s.ended, s.expected = cmd, ended, false
	timer := time.NewTimer(readyWithin)
	defer timer.Stop()
	var err error
	select {
	case <-ready:
		s.running.Store(true)
		go s.watch(ended, output)
		return nil
	case <-ended:
		return fmt.Errorf("the stack ended at once: %s", output.end())
	case <-timer.C:
		err = errors.New("the stack does not start")
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	s.killLocked()
	return err
}

// watch notes a stack that ends by itself.
func (s *service) watch(ended <-chan struct{}, output *watcher) {
	<-ended
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended == ended && !s.expected {
		s.died = append(s.died, output.end())
	}
}

// kill kills the stack and everything that it started. It returns when they have ended.
func (s *service) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.killLocked()
}

func (s *service) killLocked() {
	if s.gone() {
		return
	}
	s.running.Store(false)
	s.expected = true
	_ = syscall.Kill(-s.command.Process.Pid, syscall.SIGKILL) // it may have ended just now
	<-s.ended
}

// gone reports whether there is no process.
func (s *service) gone() bool {
	if s.command == nil {
		return true
	}
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// stop ends the stack as Ctrl-C does.
func (s *service) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone() {
		return
	}
	s.expected = true
	_ = syscall.Kill(s.command.Process.Pid, syscall.SIGTERM) // it may have ended just now
	select {
	case <-s.ended:
	case <-time.After(stopWithin):
		s.killLocked()
	}
	s.running.Store(false)
}

// deaths returns what the stack printed when it ended by itself.
func (s *service) deaths() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.died
}

// noted returns an address that the running stack has left in its data folder.
func (s *service) noted(name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(s.dataDir, name))
	return strings.TrimSpace(string(text)), err
}

// watcher writes output to a file and waits for a text in it.
type watcher struct {
	mu   sync.Mutex
	file *os.File
	text string
	seen chan<- struct{}
	tail []byte
}

const tailLength = 4096

func (w *watcher) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tail = append(w.tail, b...)
	if w.seen != nil && bytes.Contains(w.tail, []byte(w.text)) {
		close(w.seen)
		w.seen = nil
	}
	if len(w.tail) > 2*tailLength {
		w.tail = append([]byte(nil), w.tail[len(w.tail)-tailLength:]...)
	}
	return w.file.Write(b)
}

// end returns the end of the output.
func (w *watcher) end() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.tail[max(0, len(w.tail)-tailLength/4):])
}
