package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
)

// readEvent builds the event from CMD, ARGS and FILE.
func readEvent(command, args, file string) ([]byte, error) {
	event := map[string]any{}
	if file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &event); err != nil || event == nil {
			return nil, fmt.Errorf("%s is not a JSON object", file)
		}
	}
	if args != "" {
		members := map[string]any{}
		if err := json.Unmarshal([]byte(args), &members); err != nil {
			return nil, fmt.Errorf("ARGS is not a JSON object: %w", err)
		}
		maps.Copy(event, members)
	}
	if command != "" {
		event["command"] = command
	}
	if event["command"] == nil {
		return nil, errors.New(`no command given; try make operator CMD=show-partner ARGS='{"id":"sandbox"}' ` +
			`(docs/operator.md lists the commands)`)
	}
	if text, ok := event["file"].(string); ok && strings.HasPrefix(text, "@") {
		encoded, err := encodeFile(text[1:])
		if err != nil {
			return nil, err
		}
		event["file"] = encoded
	}
	return json.Marshal(event)
}

// encodeFile returns a file as base64, gzipped because an event cannot be larger than
// 6 MB.
func encodeFile(path string) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if !bytes.HasPrefix(content, []byte{0x1f, 0x8b}) { // not yet gzipped
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		if _, err := w.Write(content); err != nil {
			return "", err
		}
		if err := w.Close(); err != nil {
			return "", err
		}
		content = zipped.Bytes()
	}
	return base64.StdEncoding.EncodeToString(content), nil
}
