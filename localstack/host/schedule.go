package host

import (
	"context"
	"encoding/json"
	"time"

	"aviso/internal/clock"
	"aviso/localstack/template"
)

// scheduler returns a poller that calls a function on a schedule, one call at a time. The
// first call is immediate, as when a schedule is created on AWS.
func (h *Host) scheduler(s template.Schedule) func(context.Context) {
	f := h.functions[s.Function]
	return func(intake context.Context) {
		for at := h.Now(); ; {
			if wait := at.Sub(h.Now()); wait > 0 && !clock.Wait(intake, wait) || intake.Err() != nil {
				return
			}
			if _, err := f.call(h.calls, scheduleEvent(s, at, h.NewID())); err != nil {
				h.failed("schedule "+s.Name, f.Name, err)
			}
			// Skip the calls missed during a long call or while the laptop was asleep.
			at = at.Add(s.Every)
			if late := h.Now().Sub(at); late > 0 {
				at = at.Add(late.Truncate(s.Every) + s.Every)
			}
		}
	}
}

// scheduleEvent returns the template's input, or else EventBridge Scheduler's event, whose
// detail is a string.
func scheduleEvent(s template.Schedule, at time.Time, id string) []byte {
	if s.Input != "" {
		return []byte(s.Input)
	}
	arn := "arn:aws:scheduler:" + template.Region + ":" + template.Account + ":schedule/" + s.Name
	event, _ := json.Marshal(map[string]any{ // cannot fail: strings only
		"version":     "0",
		"id":          id,
		"detail-type": "Scheduled Event",
		"source":      "aws.scheduler",
		"account":     template.Account,
		"time":        at.UTC().Format(time.RFC3339),
		"region":      template.Region,
		"resources":   []string{arn},
		"detail":      "{}",
	})
	return event
}
