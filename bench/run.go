package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"aviso/localstack/emulator"
)

// runTimes runs make run several times on data of its own, and records how long it takes until the
// service is ready. The first time does not count: it may compile, and it fills the tables.
func (m *measurement) runTimes(ctx context.Context, n int, into *figures) (err error) {
	data, err := os.MkdirTemp("", "aviso-bench-run")
	if err != nil {
		return fmt.Errorf("make run: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(data)) }()
	var took []time.Duration
	for range 1 + n {
		port, err := emulator.FreePort()
		if err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, "make", "--no-print-directory", "run", "PORT="+strconv.Itoa(port), "DATA_DIR="+data)
		cmd.Dir, cmd.Stderr = m.world.Checkout(), os.Stderr
		// The world's emulators are in this process's environment, and make run starts its own.
		cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "AWS_") })
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		ready, err := untilReady(cmd)
		if err != nil {
			return fmt.Errorf("make run: %w", err)
		}
		took = append(took, ready)
	}
	into.add(makeRun, leastReady, slices.Min(took[1:]).Seconds())
	return nil
}

// untilReady starts the service, measures how long that takes, and stops it.
func untilReady(cmd *exec.Cmd) (took time.Duration, err error) {
	output, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	var said strings.Builder
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "Aviso is ready") {
			took = time.Since(began)
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
		}
		fmt.Fprintln(&said, lines.Text())
	}
	if err = cmd.Wait(); took == 0 {
		return 0, errors.Join(err, errors.New(said.String()))
	}
	return took, nil
}
