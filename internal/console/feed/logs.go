package feed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"aviso/internal/dynamo/owner"
)

// line is the log line of a request; internal/api writes it.
type line struct {
	Message   string          `json:"msg"`
	Partner   owner.PartnerID `json:"partner"`
	Service   string          `json:"Service"`
	Route     string          `json:"Route"`
	Operation string          `json:"operation"`
	Problem   string          `json:"problem"`
	Status    int             `json:"status"`
	Duration  float64         `json:"Duration"`
	TraceID   string          `json:"traceId"`
	RequestID string          `json:"requestId"`
	Replayed  bool            `json:"replayed"`
}

// HandleLogs takes the lines of one log stream. Lambda and CloudWatch Logs repeat an event
// that failed as it is.
func (f *Feed) HandleLogs(ctx context.Context, e events.CloudwatchLogsEvent) error {
	data, err := e.AWSLogs.Parse()
	if err != nil {
		f.skip(ctx, "logs", "")
		return nil //nolint:nilerr // it is logged, and the same again next time
	}
	if data.MessageType != "DATA_MESSAGE" { // CloudWatch Logs checks the subscription
		return nil
	}
	requests := map[owner.PartnerID][]Request{}
	for _, event := range data.LogEvents {
		var l line
		if err := json.Unmarshal([]byte(event.Message), &l); err != nil {
			f.skip(ctx, data.LogGroup, event.ID)
			continue
		}
		if l.Message != "request" || l.Partner == "" {
			continue
		}
		requests[l.Partner] = append(requests[l.Partner], Request{
			ID: event.ID, Source: data.LogStream, At: time.UnixMilli(event.Timestamp).UTC(), TraceID: l.TraceID,
			RequestID: l.RequestID, Service: l.Service, Route: l.Route, Operation: l.Operation, Problem: l.Problem, Status: l.Status,
			Duration: time.Duration(l.Duration * float64(time.Millisecond)), Replayed: l.Replayed,
		})
	}
	var failed error
	for partner, all := range requests {
		if err := f.store.AddRequests(ctx, partner, all); err != nil {
			failed = errors.Join(failed, fmt.Errorf("add requests: %w", err))
		}
	}
	return failed
}
