package feed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"aviso/internal/clock"
	"aviso/internal/owner"
)

// line is a log line: of a request, from internal/api, or of an attempt of webhook-delivery.
type line struct {
	Request
	Message  string          `json:"msg"`
	Partner  owner.PartnerID `json:"partner"`
	Duration float64         `json:"Duration"`
	Outcome  string          `json:"outcome"`
}

// HandleLogs handles the lines of one log stream. Lambda and CloudWatch Logs repeat a failed event unchanged.
func (f *Feed) HandleLogs(ctx context.Context, e events.CloudwatchLogsEvent) error {
	data, err := e.AWSLogs.Parse()
	if err != nil {
		f.skip(ctx, "logs", "")
		return nil //nolint:nilerr // a retry would fail in the same way
	}
	if data.MessageType != "DATA_MESSAGE" { // CloudWatch Logs is checking the subscription
		return nil
	}
	lines := map[owner.PartnerID]*Lines{}
	for _, event := range data.LogEvents {
		var l line
		if err := json.Unmarshal([]byte(event.Message), &l); err != nil {
			f.skip(ctx, data.LogGroup, event.ID)
			continue
		}
		if l.Message != "request" && l.Message != "attempt" || l.Partner == "" {
			continue
		}
		of, at := lines[l.Partner], clock.Real(time.UnixMilli(event.Timestamp).UTC())
		if of == nil {
			of = &Lines{ID: event.ID, Source: data.LogStream, At: at, Callbacks: map[string]int{}}
			lines[l.Partner] = of
		}
		if l.Message == "attempt" {
			of.Callbacks[l.Outcome]++
			continue
		}
		l.ID, l.Source, l.At, l.Micros = event.ID, data.LogStream, at, int64(math.Round(l.Duration*1000))
		of.Requests = append(of.Requests, l.Request)
	}
	var failed error
	for partner, all := range lines {
		if err := f.store.AddLines(ctx, partner, *all); err != nil {
			failed = errors.Join(failed, fmt.Errorf("add lines: %w", err))
		}
	}
	return failed
}
