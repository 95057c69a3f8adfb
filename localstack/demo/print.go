package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
)

// printer prints each call as a command, and what came back. A call that is repeated while
// something is awaited is printed once.
type printer struct {
	next    http.RoundTripper
	out     io.Writer
	baseURL string
	quiet   bool
	last    string
}

// RoundTrip implements http.RoundTripper.
func (p *printer) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.GetBody != nil {
		again, _ := req.GetBody() // it is in memory
		body, _ = io.ReadAll(again)
	}
	resp, err := p.next.RoundTrip(req)
	command := p.command(req, string(body))
	if err != nil || p.quiet || command == p.last {
		return resp, err
	}
	p.last = command
	answer, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(answer))
	text := fmt.Sprintf("%s\n→ %d %s", command, resp.StatusCode, readable(answer))
	fmt.Fprintf(p.out, "    %s\n\n", strings.ReplaceAll(text, "\n", "\n    "))
	return resp, nil
}

// secrets match what nobody should read on a screen, or cannot.
var secrets = regexp.MustCompile(`"(access_token|key|pdf)":\s*"[^"]*"`)

// shown is how many lines of an answer are shown.
const shown = 14

// readable returns the beginning of an answer, in lines.
func readable(answer []byte) string {
	var envelope struct{ Data json.RawMessage }
	if json.Unmarshal(answer, &envelope) == nil && envelope.Data != nil {
		answer = envelope.Data
	}
	var text bytes.Buffer
	if json.Indent(&text, bytes.TrimSpace(answer), "", "  ") != nil {
		return fmt.Sprintf("(%d bytes)", len(answer))
	}
	lines := strings.Split(secrets.ReplaceAllString(text.String(), `"$1": "…"`), "\n")
	if len(lines) > shown {
		lines = append(lines[:shown], "…")
	}
	return strings.Join(lines, "\n")
}

// command returns the call as a command for a shell that has BASE_URL and TOKEN.
func (p *printer) command(req *http.Request, body string) string {
	parts := []string{strings.TrimSuffix("curl -X "+req.Method, " -X GET")}
	if id, _, ok := req.BasicAuth(); ok {
		parts[0] += " -u " + id + ":<secret>"
	} else if req.Header.Get("Authorization") != "" {
		parts[0] += ` -H "Authorization: Bearer $TOKEN"`
	}
	for _, name := range []string{"X-User-Id", "Idempotency-Key", "Content-Type"} {
		if value := req.Header.Get(name); value != "" {
			parts = append(parts, "-H '"+name+": "+value+"'")
		}
	}
	if body != "" {
		parts = append(parts, "-d '"+strings.ReplaceAll(body, "'", `'\''`)+"'")
	}
	return strings.Join(append(parts, `"$BASE_URL`+strings.TrimPrefix(req.URL.String(), p.baseURL)+`"`), " \\\n  ")
}
