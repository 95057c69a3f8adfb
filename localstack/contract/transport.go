package contract

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Transport checks every response that passes through it.
type Transport struct {
	Contract *Contract
	// Base makes the calls. It defaults to http.DefaultTransport.
	Base http.RoundTripper
	// OnViolation is called with everything wrong about a response, which is then passed
	// on. If it is nil, the call fails instead.
	OnViolation func(error)
}

// RoundTrip implements http.RoundTripper.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	base := t.Base
	if base == nil {
		base = http.DefaultTransport
	}
	resp, err := base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err := errors.Join(err, resp.Body.Close()); err != nil {
		return nil, fmt.Errorf("read the response: %w", err)
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	if err := t.Contract.Check(req, resp.StatusCode, resp.Header, body); err != nil {
		if t.OnViolation == nil {
			return nil, err
		}
		t.OnViolation(err)
	}
	return resp, nil
}
