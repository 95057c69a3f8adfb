package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
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
	// Handled, if not nil, is called when all functions have handled the event, or have
	// failed on it for good.
	Handled func()
}

// errClosed is returned when the host accepts nothing more.
var errClosed = errors.New("the stack is stopping")

// Publish passes an event in EventBridge's envelope to the functions whose rules match,
// without waiting for them. After an error, some or all of them will not see the event,
// and it never counts as handled.
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
	var left atomic.Int64
	left.Store(1) // for this loop
	handled := func() {
		if left.Add(-1) == 0 && e.Handled != nil {
			e.Handled()
		}
	}
	for _, r := range h.rules {
		if !r.pattern.matches(event) {
			continue
		}
		left.Add(1)
		if !h.callLater(e.DetailType, r.function, payload, handled) {
			return fmt.Errorf("publish %s: %w", e.DetailType, errClosed)
		}
	}
	handled()
	return nil
}
