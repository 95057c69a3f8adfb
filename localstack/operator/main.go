// Command operator calls the local stack's operator function (make operator).
// docs/operator.md lists the commands.
//
// CMD is the command, and ARGS a JSON object with its members. FILE is a file with an
// event, such as those in events/operator; CMD and ARGS override its members. If the
// member file is @ and a path, the content of that file is sent. DATA_DIR (.data) is the
// stack's data folder.
//
// The response is printed as JSON. The exit status is 1 if the function refuses.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"aviso/localstack/emulator"
	"aviso/localstack/eventfile"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Getenv, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, getenv func(string) string, out io.Writer) error {
	event, err := readEvent(getenv("CMD"), getenv("ARGS"), getenv("FILE"))
	if err != nil {
		return err
	}
	folder, err := emulator.Folder()
	if err != nil {
		return err
	}
	endpoint, err := findStack(cmp.Or(getenv("DATA_DIR"), filepath.Join(filepath.Dir(folder), ".data")))
	if err != nil {
		return err
	}
	answer, err := eventfile.Invoke(ctx, endpoint, "operator", event)
	if failure, ok := errors.AsType[*eventfile.Failure](err); ok {
		return failure // the function's own words
	}
	if err != nil {
		return err
	}
	var readable bytes.Buffer
	if err := json.Indent(&readable, answer, "", "  "); err != nil {
		return fmt.Errorf("the response is not JSON: %w", err)
	}
	fmt.Fprintln(out, readable.String())
	var refused struct {
		ErrorCount int `json:"errorCount"`
	}
	if err := json.Unmarshal(answer, &refused); err == nil && refused.ErrorCount > 0 {
		return fmt.Errorf("operator: nothing was changed, because the file has %d errors", refused.ErrorCount)
	}
	return nil
}

// findStack returns the address of the running stack's Lambda API.
func findStack(dataDir string) (string, error) {
	endpoint, err := os.ReadFile(filepath.Join(dataDir, "lambda-endpoint"))
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("no stack runs on %s; start one with make run, or set DATA_DIR to its folder", dataDir)
	}
	if err != nil {
		return "", err
	}
	return string(bytes.TrimSpace(endpoint)), nil
}
