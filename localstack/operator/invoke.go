package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"aviso/localstack/template"
)

// functionTimeout is the function's own, with a little more.
const functionTimeout = 16 * time.Minute

// invoke calls the function and gives back what it answers. What it fails with is
// the error.
func invoke(ctx context.Context, endpoint string, event []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, functionTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint+"/2015-03-31/functions/operator/invocations", bytes.NewReader(event))
	if err != nil {
		return nil, err
	}
	// The stack wants a signature and takes any.
	sum := sha256.Sum256(event)
	key := aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}
	if err := v4.NewSigner().SignHTTP(ctx, key, req, hex.EncodeToString(sum[:]), "lambda", template.Region, time.Now()); err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("the stack does not answer: %w", err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the stack answers %d: %s", res.StatusCode, bytes.TrimSpace(answer))
	}
	if res.Header.Get("X-Amz-Function-Error") == "" {
		return answer, nil
	}
	var failure struct {
		Message string `json:"errorMessage"`
	}
	if err := json.Unmarshal(answer, &failure); err != nil || failure.Message == "" {
		return nil, fmt.Errorf("the function failed: %s", bytes.TrimSpace(answer))
	}
	return nil, errors.New(failure.Message)
}
