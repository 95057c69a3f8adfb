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

// readEvent puts the event together.
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
		return nil, errors.New(`which command? make operator CMD=show-partner ARGS='{"id":"sandbox"}'; docs/operator.md lists them`)
	}
	if text, ok := event["file"].(string); ok && strings.HasPrefix(text, "@") {
		encoded, err := enclose(text[1:])
		if err != nil {
			return nil, err
		}
		event["file"] = encoded
	}
	return json.Marshal(event)
}

// enclose is a file as events have it: in base64, and compressed, since an event
// may not be larger than 6 MB.
func enclose(path string) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if !bytes.HasPrefix(content, []byte{0x1f, 0x8b}) { // not compressed already
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
