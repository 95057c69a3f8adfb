package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"

	"aviso/localstack/eventfile"
	"aviso/localstack/stack"
)

// shown is how many bytes of a response are printed.
const shown = 120

// invoke has sam local invoke the function of each event file, each in a new container.
// It continues after a failure.
func (s *sam) invoke(ctx context.Context, around stack.Surroundings, paths []string) error {
	ids := map[string]string{}
	for _, f := range around.Functions {
		ids[f.Name] = f.ID
	}
	token, err := eventfile.Token(ctx, around.Lambda, filepath.Join(s.checkout, "events"))
	if err != nil {
		return err
	}
	failed := 0
	for _, path := range paths {
		if ctx.Err() != nil {
			break
		}
		f, err := eventfile.Read(path)
		if err != nil {
			return err
		}
		answer, err := s.invokeOne(ctx, ids[f.Function], f.With(token))
		if err != nil && ctx.Err() == nil {
			failed++
			answer = "FAILED: " + err.Error()
		}
		fmt.Printf("%-45s %s\n", f.Name, answer)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d invocations failed", failed, len(paths))
	}
	return nil
}

func (s *sam) invokeOne(ctx context.Context, function string, event []byte) (answer string, err error) {
	if function == "" {
		return "", errors.New("the template has no function named like its folder")
	}
	var logs bytes.Buffer
	cmd := s.command(ctx, "invoke", function, "--event", "-")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(event), &logs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, logs.Bytes())
	}
	out = bytes.TrimSpace(out)
	var got struct {
		StatusCode      int
		Body            string
		IsBase64Encoded bool
		ErrorType       string
		ErrorMessage    string
	}
	if err := json.Unmarshal(out, &got); err != nil {
		return "", fmt.Errorf("the response is not JSON: %s", logs.Bytes())
	}
	switch {
	case got.ErrorType != "" || got.ErrorMessage != "":
		return "", errors.New(string(out))
	case got.IsBase64Encoded:
		body, err := base64.StdEncoding.DecodeString(got.Body)
		if err != nil {
			return "", fmt.Errorf("the body is not base64: %w", err)
		}
		return strconv.Itoa(got.StatusCode) + " " + start(string(body)), nil
	case got.StatusCode != 0:
		return strconv.Itoa(got.StatusCode) + " " + start(got.Body), nil
	}
	return start(string(out)), nil
}

// start returns the beginning of a text, on one line.
func start(text string) string {
	line := bytes.Join(bytes.Fields([]byte(text)), []byte(" "))
	if len(line) > shown {
		return string(line[:shown]) + "…"
	}
	return string(line)
}
