package eventfile

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"aviso/localstack/emulator"
)

// Invoker invokes the operator function and returns its answer.
type Invoker func(ctx context.Context, event []byte) ([]byte, error)

// Operator returns the operator function: OPERATOR_FUNCTION on AWS, or else that of the local
// stack in DATA_DIR.
func Operator(getenv func(string) string) (Invoker, error) {
	if function := getenv("OPERATOR_FUNCTION"); function != "" {
		return onAWS(function), nil
	}
	folder, err := emulator.Folder()
	if err != nil {
		return nil, err
	}
	endpoint, err := findStack(cmp.Or(getenv("DATA_DIR"), filepath.Join(filepath.Dir(folder), ".data")))
	return func(ctx context.Context, event []byte) ([]byte, error) {
		return Invoke(ctx, endpoint, "operator", event)
	}, err
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

// onAWS invokes a function with the AWS CLI, which knows profiles, single sign-on and
// roles. It waits as long as the function may run, and never tries again by itself.
func onAWS(function string) Invoker {
	return func(ctx context.Context, event []byte) (answer []byte, err error) {
		folder, err := os.MkdirTemp("", "operator") // answers may have secrets: only we may read it
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
		payload, result := filepath.Join(folder, "event.json"), filepath.Join(folder, "answer.json")
		if err := os.WriteFile(payload, event, 0o600); err != nil {
			return nil, err
		}
		aws := exec.CommandContext(ctx, "aws", "lambda", "invoke", "--function-name", function,
			"--cli-binary-format", "raw-in-base64-out", "--cli-read-timeout", "960", "--output", "json",
			"--payload", "file://"+payload, result)
		aws.Env = append(os.Environ(), "AWS_MAX_ATTEMPTS=1")
		aws.Stderr = os.Stderr
		printed, err := aws.Output()
		if err != nil {
			return nil, fmt.Errorf("aws lambda invoke: %w", err)
		}
		if answer, err = os.ReadFile(result); err != nil {
			return nil, err
		}
		var outcome struct{ FunctionError string }
		if err := json.Unmarshal(printed, &outcome); err != nil {
			return nil, fmt.Errorf("read the output of aws: %w", err)
		}
		if outcome.FunctionError != "" {
			return nil, Failed(function, answer)
		}
		return answer, nil
	}
}
