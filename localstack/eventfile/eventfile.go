// Package eventfile reads the sample events of events/<function>/ and hands them
// to functions over Lambda's API. They have the members that AWS sends, and
// nobody's data.
package eventfile

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
	"os"
	"path/filepath"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"aviso/localstack/template"
)

// tokenMark stands where an event wants an access token: one of a stack's is
// good for an hour and for that stack only.
const tokenMark = "ACCESS-TOKEN"

// tokenEvent is the event that is answered with a token.
const tokenEvent = "identity/token.json"

// File is one event.
type File struct {
	// Name is its path below the folder of events: identity/token.json.
	Name string
	// Function is the name of the function that it is for.
	Function string
	// Event is what the file says.
	Event []byte
}

// All reads every event below the folder, function by function.
func All(folder string) ([]File, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*", "*.json"))
	if err != nil {
		return nil, fmt.Errorf("look for events: %w", err)
	}
	files := make([]File, 0, len(paths))
	for _, path := range paths {
		f, err := Read(path)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// Read reads one event. Its folder is named after its function.
func Read(path string) (File, error) {
	event, err := os.ReadFile(path)
	if err != nil {
		return File{}, fmt.Errorf("read an event: %w", err)
	}
	if !json.Valid(event) {
		return File{}, fmt.Errorf("%s is no JSON", path)
	}
	function := filepath.Base(filepath.Dir(path))
	return File{Name: function + "/" + filepath.Base(path), Function: function, Event: event}, nil
}

// WantsToken tells whether the event is complete only with an access token.
func (f File) WantsToken() bool { return bytes.Contains(f.Event, []byte(tokenMark)) }

// With is the event with the token where it wants one.
func (f File) With(token string) []byte {
	return bytes.ReplaceAll(f.Event, []byte(tokenMark), []byte(token))
}

// Token lets the stack whose Lambda API is at endpoint issue an access token, by
// the event for that in folder.
func Token(ctx context.Context, endpoint, folder string) (string, error) {
	f, err := Read(filepath.Join(folder, tokenEvent))
	if err != nil {
		return "", err
	}
	answer, err := Invoke(ctx, endpoint, f.Function, f.Event)
	if err != nil {
		return "", err
	}
	var response struct{ Body string }
	var body struct {
		AccessToken string `json:"access_token"`
	}
	if err := errors.Join(json.Unmarshal(answer, &response), json.Unmarshal([]byte(response.Body), &body)); err != nil {
		return "", fmt.Errorf("read the answer to %s: %w", f.Name, err)
	}
	return body.AccessToken, nil
}

// invokeWithin is a little more than the longest time-out of a function on AWS.
const invokeWithin = 16 * time.Minute

// Failure is what a function failed with.
type Failure struct {
	Message string `json:"errorMessage"`
}

func (f *Failure) Error() string { return f.Message }

// Invoke calls a function over the Lambda API at endpoint, with a request signed
// as AWS wants it. What the function fails with is a Failure.
func Invoke(ctx context.Context, endpoint, function string, event []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, invokeWithin)
	defer cancel()
	address := endpoint + "/2015-03-31/functions/" + function + "/invocations"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(event))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(event)
	key := aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}
	err = v4.NewSigner().SignHTTP(ctx, key, req, hex.EncodeToString(sum[:]), "lambda", template.Region, time.Now())
	if err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("the stack does not answer: %w", err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, fmt.Errorf("read the answer of %s: %w", function, err)
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("invoke %s: the stack answers %s: %s", function, res.Status, bytes.TrimSpace(answer))
	}
	if res.Header.Get("X-Amz-Function-Error") == "" {
		return answer, nil
	}
	var failure Failure
	if err := json.Unmarshal(answer, &failure); err != nil || failure.Message == "" {
		return nil, fmt.Errorf("the function failed: %s", bytes.TrimSpace(answer))
	}
	return nil, fmt.Errorf("invoke %s: %w", function, &failure)
}
