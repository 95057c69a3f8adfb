package host

import (
	"context"
	"encoding/json"
	"time"

	"aviso/localstack/template"
)

// scheduler calls a function by the clock, one call at a time, and at once at
// the beginning, as EventBridge Scheduler does when the schedule is made.
func (h *Host) scheduler(s template.Schedule) func(context.Context) {
	f := h.functions[s.Function]
	return func(intake context.Context) {
		for at := h.Now(); ; {
			if wait := at.Sub(h.Now()); wait > 0 && !pause(intake, wait) || intake.Err() != nil {
				return
			}
			if _, err := f.call(h.calls, scheduleEvent(s, at, h.NewID())); err != nil {
				h.failed("schedule "+s.Name, f.Name, err)
			}
			// What a long call or a sleeping laptop missed is left out.
			at = at.Add(s.Every)
			if late := h.Now().Sub(at); late > 0 {
				at = at.Add(late.Truncate(s.Every) + s.Every)
			}
		}
	}
}

// scheduleEvent is the template's input, or what EventBridge Scheduler gives: the
// empty detail is a text.
func scheduleEvent(s template.Schedule, at time.Time, id string) []byte {
	if s.Input != "" {
		return []byte(s.Input)
	}
	event, _ := json.Marshal(map[string]any{ // texts only
		"version":     "0",
		"id":          id,
		"detail-type": "Scheduled Event",
		"source":      "aws.scheduler",
		"account":     template.Account,
		"time":        at.UTC().Format(time.RFC3339),
		"region":      template.Region,
		"resources":   []string{"arn:aws:scheduler:" + template.Region + ":" + template.Account + ":schedule/" + s.Name},
		"detail":      "{}",
	})
	return event
}
