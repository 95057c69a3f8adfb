package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"aviso/localstack/template"
)

// rule sends the events that match its pattern to a function.
type rule struct {
	pattern  pattern
	function *function
}

// Event is an event on the account's default bus.
type Event struct {
	Source, DetailType string
	// Resources are the ARNs of what the event is about.
	Resources []string
	Time      time.Time
	// Detail becomes a JSON object.
	Detail any
}

// errClosed is returned when the host accepts nothing more.
var errClosed = errors.New("the stack is stopping")

// Publish passes an event in EventBridge's envelope to the functions whose rules match,
// without waiting for them. After an error, some or all of them will not see the event.
func (h *Host) Publish(e Event) error {
	payload, err := json.Marshal(map[string]any{
		"version":     "0",
		"id":          h.NewID(),
		"detail-type": e.DetailType,
		"source":      e.Source,
		"account":     template.Account,
		"time":        e.Time.UTC().Format(time.RFC3339),
		"region":      template.Region,
		"resources":   e.Resources,
		"detail":      e.Detail,
	})
	if err != nil {
		return fmt.Errorf("publish %s: %w", e.DetailType, err)
	}
	var event any
	if err := json.Unmarshal(payload, &event); err != nil {
		return fmt.Errorf("publish %s: %w", e.DetailType, err)
	}
	for _, r := range h.rules {
		if !r.pattern.matches(event) {
			continue
		}
		if !h.callLater(e.DetailType, r.function, payload) {
			return fmt.Errorf("publish %s: %w", e.DetailType, errClosed)
		}
	}
	return nil
}
