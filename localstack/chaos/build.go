package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// aheadVariable holds the seconds by which the stack's clock is ahead of the machine's.
const aheadVariable = "CHAOS_CLOCK_AHEAD"

// The stack is the product's code, but built with a package time whose Now can be ahead.
// Only what is read of the calendar jumps; timers and timeouts go on as they do when a
// machine's clock is set.
const (
	nowBefore = "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {"
	nowAfter  = "\tsec, nsec, mono := runtimeNow()\n\tsec += chaosAhead\n\tif mono == 0 {"
	aheadFile = `package time

import "syscall"

var chaosAhead = readChaosAhead()

func readChaosAhead() (seconds int64) {
	text, _ := syscall.Getenv("` + aheadVariable + `")
	for _, digit := range []byte(text) {
		seconds = 10*seconds + int64(digit-'0')
	}
	return seconds
}
`
)

// buildStack compiles the local stack into folder and returns the program's path. With a C
// compiler it has the race detector, and a data race ends it (service.start sets that).
func buildStack(ctx context.Context, checkout, folder string) (string, error) {
	overlay, err := writeOverlay(ctx, folder)
	if err != nil {
		return "", err
	}
	program := filepath.Join(folder, "localstack")
	args := []string{"build", "-overlay", overlay, "-o", program}
	cmd := exec.CommandContext(ctx, "go")
	if _, err := exec.LookPath("cc"); err == nil {
		args, cmd.Env = append(args, "-race"), append(os.Environ(), "CGO_ENABLED=1")
	}
	cmd.Args, cmd.Dir = append(append(cmd.Args, args...), "./localstack"), checkout
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the stack: %w\n%s", err, output)
	}
	return program, nil
}

// writeOverlay writes the changed files of package time, and the list of them for go
// build.
func writeOverlay(ctx context.Context, folder string) (path string, err error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("find Go's sources: %w", err)
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	text, err := os.ReadFile(filepath.Join(source, "time.go"))
	if err != nil {
		return "", fmt.Errorf("find Go's sources: %w", err)
	}
	if strings.Count(string(text), nowBefore) != 1 {
		return "", errors.New("time.Now of this Go version is not the one that localstack/chaos/build.go changes")
	}
	replaced := map[string]string{}
	for name, content := range map[string]string{
		"time.go":        strings.Replace(string(text), nowBefore, nowAfter, 1),
		"chaos_ahead.go": aheadFile,
	} {
		replaced[filepath.Join(source, name)] = filepath.Join(folder, name)
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			return "", fmt.Errorf("write an overlay: %w", err)
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", fmt.Errorf("write an overlay: %w", err)
	}
	path = filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(path, list, 0o600); err != nil {
		return "", fmt.Errorf("write an overlay: %w", err)
	}
	return path, nil
}
