package host

import (
	"context"
	"encoding/json"
	"time"

	"aviso/localstack/template"
)

// scheduler calls a function by the clock, one call at a time. A rate of
// EventBridge Scheduler fires at once, as on AWS when the schedule is made.
func (h *Host) scheduler(s template.Schedule) func(context.Context) {
	f := h.functions[s.Function]
	return func(intake context.Context) {
		at := h.Now()
		if !s.Scheduler || s.Expression.IsCron() {
			at = s.Expression.Next(at)
		}
		for !at.IsZero() {
			if wait := at.Sub(h.Now()); wait > 0 && !pause(intake, wait) {
				return
			}
			if intake.Err() != nil {
				return
			}
			if payload, err := scheduleEvent(s, at, h.NewID()); err != nil {
				h.failed("schedule "+s.Name, f.Name, err)
			} else if _, err := f.call(h.calls, payload); err != nil {
				h.failed("schedule "+s.Name, f.Name, err)
			}
			// What a long call or a sleeping laptop missed is left out.
			next := s.Expression.Next(at)
			for now := h.Now(); !next.IsZero() && next.Before(now); {
				next = s.Expression.Next(next)
			}
			at = next
		}
	}
}

func scheduleEvent(s template.Schedule, at time.Time, id string) ([]byte, error) {
	if s.Input != "" {
		return []byte(s.Input), nil
	}
	source, resource, detail := "aws.events", "events", any(map[string]any{})
	if s.Scheduler {
		// EventBridge Scheduler gives the empty detail as a text.
		source, resource, detail = "aws.scheduler", "scheduler", "{}"
	}
	return json.Marshal(map[string]any{
		"version":     "0",
		"id":          id,
		"detail-type": "Scheduled Event",
		"source":      source,
		"account":     template.Account,
		"time":        at.UTC().Format(time.RFC3339),
		"region":      template.Region,
		"resources":   []string{"arn:aws:" + resource + ":" + template.Region + ":" + template.Account + ":schedule/" + s.Name},
		"detail":      detail,
	})
}
