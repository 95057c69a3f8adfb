// Package emulator runs the local stand-ins of DynamoDB, SQS and SES, each as a
// process of its own on a loopback port that was free at the start. They never
// outlive the process that started them.
package emulator

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"sync"
	"syscall"
	"time"

	"aviso/localstack/template"
)

const (
	startWithin = 30 * time.Second
	stopWithin  = 5 * time.Second
)

// Process is a running emulator.
type Process struct {
	// URL is its address, http://127.0.0.1:port.
	URL string
	// PID is the id of the process, which leads a group of its own.
	PID int

	name   string
	stdin  io.Closer
	output *Tail
	ended  chan struct{}
	stop   sync.Once
}

// address is what every emulator prints once it listens.
var address = regexp.MustCompile(`http://127\.0\.0\.1:[1-9][0-9]*`)

// start runs a command and returns once it has printed its address. An emulator
// that ends before gives an error with the last of what it printed.
func start(ctx context.Context, name string, command []string, dir string) (*Process, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "AWS_REGION="+template.Region)
	cmd.SysProcAttr = processAttributes()
	p := &Process{name: name, output: &Tail{}, ended: make(chan struct{})}
	ready := make(chan string, 1)
	output := &announcer{next: p.output, ready: ready}
	cmd.Stdout, cmd.Stderr = output, output
	// A child left behind by the emulator must not hold up Wait.
	cmd.WaitDelay = time.Second
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p.stdin = stdin

	started := make(chan error, 1)
	go func() {
		// The kernel ends the child with the thread that started it, so this
		// thread stays for as long as the child runs.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
			close(p.ended)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	p.PID = cmd.Process.Pid

	timer := time.NewTimer(startWithin)
	defer timer.Stop()
	select {
	case p.URL = <-ready:
		return p, nil
	case <-p.ended:
		return nil, fmt.Errorf("%s ended at once: %s", name, p.output)
	case <-timer.C:
		err = fmt.Errorf("%s did not answer within %s: %s", name, startWithin, p.output)
	case <-ctx.Done():
		err = fmt.Errorf("start %s: %w", name, context.Cause(ctx))
	}
	return nil, errors.Join(err, p.Stop())
}

// Ended is closed when the process has ended, for whatever reason.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Output is the last of what the emulator printed.
func (p *Process) Output() string { return p.output.String() }

// Stop asks the emulator to end, kills its whole process group if it does not,
// and returns when it has ended. It may be called more than once.
func (p *Process) Stop() error {
	p.stop.Do(func() {
		_ = p.stdin.Close()
		_ = syscall.Kill(-p.PID, syscall.SIGTERM)
	})
	select {
	case <-p.ended:
		return nil
	case <-time.After(stopWithin):
	}
	_ = syscall.Kill(-p.PID, syscall.SIGKILL)
	select {
	case <-p.ended:
		return nil
	case <-time.After(stopWithin):
		return fmt.Errorf("%s (process %d) does not end", p.name, p.PID)
	}
}

// announcer passes output on and looks for the first address in it.
type announcer struct {
	next    io.Writer
	ready   chan<- string
	pending []byte
}

func (a *announcer) Write(b []byte) (int, error) {
	if a.ready != nil {
		a.pending = append(a.pending, b...)
		// Whole lines only, so that no port is cut short.
		lines := bufio.NewScanner(bytes.NewReader(a.pending[:bytes.LastIndexByte(a.pending, '\n')+1]))
		for lines.Scan() {
			if found := address.FindString(lines.Text()); found != "" {
				a.ready <- found
				a.ready, a.pending = nil, nil
				break
			}
		}
	}
	return a.next.Write(b)
}
