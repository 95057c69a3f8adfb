package contract

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// callback is what the document says about the callbacks of an event type.
type callback struct {
	headers map[string]header
	body    *jsonschema.Schema
}

// CheckCallback returns everything that is wrong with a callback that a partner received,
// or nil.
func (c *Contract) CheckCallback(sent http.Header, body []byte) error {
	value, err := decode(body)
	if err != nil {
		return fmt.Errorf("the callback is not JSON: %w", err)
	}
	event, _ := value.(map[string]any)
	name, _ := event["eventType"].(string)
	described, known := c.callbacks[name]
	if !known {
		return fmt.Errorf("the document does not have the event %q", name)
	}
	faults := []error{checkHeaders(described.headers, sent, isTransport)}
	if id := sent.Get("webhook-id"); event["eventId"] != id {
		faults = append(faults, fmt.Errorf("/eventId is %v, the header webhook-id is %q", event["eventId"], id))
	}
	if err := errors.Join(append(faults, described.body.Validate(value))...); err != nil {
		return fmt.Errorf("callback %s: %w", name, err)
	}
	return nil
}

// isTransport reports whether HTTP clients set the header of a request by themselves.
func isTransport(name string) bool {
	switch name {
	case "Accept", "Accept-Encoding", "Connection", "Content-Length", "Content-Type":
		return true
	}
	return false
}
