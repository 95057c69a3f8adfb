// Command operator calls the operator function of the local stack, or of a stack on AWS
// (make operator). docs/operator.md lists the commands.
//
// CMD is the command, and ARGS a JSON object with its members. FILE is a file with an
// event, such as those in events/operator; CMD and ARGS override its members. If the
// member file is @ and a path, the content of that file is sent. DATA_DIR (.data) is the
// stack's data folder. OPERATOR_FUNCTION is the name of a function on AWS, which the AWS
// CLI invokes. The command seed-sandbox also needs BASE_URL, the address of the API.
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
	"syscall"

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
	invoke, err := eventfile.Operator(getenv)
	if err != nil {
		return err
	}
	if getenv("CMD") == "seed-sandbox" {
		return seedSandbox(ctx, cmp.Or(getenv("BASE_URL"), "http://localhost:3000"), invoke, out)
	}
	event, err := readEvent(getenv("CMD"), getenv("ARGS"), getenv("FILE"))
	if err != nil {
		return err
	}
	return send(ctx, invoke, event, out)
}

// send sends an event and prints the answer.
func send(ctx context.Context, invoke eventfile.Invoker, event []byte, out io.Writer) error {
	answer, err := invoke(ctx, event)
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
