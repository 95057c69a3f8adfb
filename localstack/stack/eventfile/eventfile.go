// Package eventfile sends events to functions over Lambda's API. Its tests send the samples in events/<function>/,
// which have the same members as events from AWS, and no real data.
package eventfile

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"aviso/localstack/stack/emulator"
)

// invokeWithin is a little more than the longest timeout of a function on AWS.
const invokeWithin = 16 * time.Minute

// Invoke calls a function over the Lambda API at endpoint.
func Invoke(ctx context.Context, endpoint, function string, event []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, invokeWithin)
	defer cancel()
	address := endpoint + "/2015-03-31/functions/" + function + "/invocations"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(event))
	if err != nil {
		return nil, err
	}
	// The local stack checks no signature.
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=local/20260101/eu-central-1/lambda/aws4_request")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("the stack does not answer: %w", err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, fmt.Errorf("read the response of %s: %w", function, err)
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("invoke %s: the stack answered %s: %s", function, res.Status, bytes.TrimSpace(answer))
	}
	if res.Header.Get("X-Amz-Function-Error") != "" {
		return nil, failed(answer)
	}
	return answer, nil
}

// failed returns the error in the answer of a failed function, in its own words if possible.
func failed(answer []byte) error {
	var failure struct{ ErrorMessage string }
	if err := json.Unmarshal(answer, &failure); err != nil || failure.ErrorMessage == "" {
		return fmt.Errorf("the function failed: %s", bytes.TrimSpace(answer))
	}
	return errors.New(failure.ErrorMessage)
}

// Invoker invokes the operator function and returns its answer.
type Invoker func(ctx context.Context, event []byte) ([]byte, error)

// Operator returns an invoker of the operator function: OPERATOR_FUNCTION on AWS, or the one of the local stack in
// DATA_DIR.
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
	if err != nil {
		return "", fmt.Errorf("no stack runs on %s; start one with make run, or set DATA_DIR to its folder: %w", dataDir, err)
	}
	return string(bytes.TrimSpace(endpoint)), nil
}

// onAWS invokes a function with the AWS CLI, which knows profiles, single sign-on and roles. It waits for the
// function's maximum timeout, and never retries by itself.
func onAWS(function string) Invoker {
	return func(ctx context.Context, event []byte) (answer []byte, err error) {
		folder, err := os.MkdirTemp("", "operator") // only we may read it: answers may have secrets
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
			return nil, failed(answer)
		}
		return answer, nil
	}
}
