package feeddb

import (
	"encoding/json"
	"time"

	"aviso/internal/clock"
	"aviso/internal/console/feed"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
	"aviso/internal/observe"
)

type requestRow struct {
	ID        string `dynamodbav:"id"`
	At        int64  `dynamodbav:"at"`
	TraceID   string `dynamodbav:"traceId"`
	RequestID string `dynamodbav:"requestId"`
	Service   string `dynamodbav:"service"`
	Route     string `dynamodbav:"route"`
	Operation string `dynamodbav:"operation,omitempty"`
	Problem   string `dynamodbav:"problem,omitempty"`
	Status    int    `dynamodbav:"status"`
	Micros    int64  `dynamodbav:"micros"`
	Replayed  bool   `dynamodbav:"replayed,omitempty"`
	// TraceKey puts the row into the index byTrace, and IDKey into byId, if the request's ID does
	// not lead to the trace.
	TraceKey  string `dynamodbav:"traceKey,omitempty"`
	IDKey     string `dynamodbav:"idKey,omitempty"`
	ExpiresAt int64  `dynamodbav:"expiresAt"`
}

type eventRow struct {
	ID         string       `dynamodbav:"id"`
	Type       string       `dynamodbav:"type"`
	OccurredAt clock.OfUser `dynamodbav:"occurredAt"`
	SeenAt     clock.Real   `dynamodbav:"seenAt"`
	User       owner.UserID `dynamodbav:"user,omitempty"`
	TraceID    string       `dynamodbav:"traceId,omitempty"`
	Simulated  bool         `dynamodbav:"simulated,omitempty"`
	Data       string       `dynamodbav:"data"`
	// TraceKey and IDKey put the row into the indexes byTrace and byId.
	TraceKey string `dynamodbav:"traceKey,omitempty"`
	IDKey    string `dynamodbav:"idKey"`
	// ListKey and ListAt put it into byTime, in the order in which it was seen.
	ListKey   string `dynamodbav:"listKey,omitempty"`
	ListAt    string `dynamodbav:"listAt,omitempty"`
	ExpiresAt int64  `dynamodbav:"expiresAt"`
}

func (r requestRow) position() string { return dynamo.Time(dynamo.FromMillis(r.At)) + "#" + r.ID }

func (r eventRow) position() string { return dynamo.Time(r.OccurredAt.Time()) + "#" + r.ID }

// listedRow is an event in the index byTime.
type listedRow struct{ eventRow }

func (r listedRow) position() string { return r.ListAt }

func toRequestRow(partner owner.PartnerID, r feed.Request) requestRow {
	keep := keepRequest
	if r.Failed() {
		keep = keepFailed
	}
	row := requestRow{
		ID: r.ID, At: dynamo.Millis(r.At), TraceID: r.TraceID, RequestID: r.RequestID, Service: r.Service, Route: r.Route,
		Operation: r.Operation, Problem: r.Problem, Status: r.Status, Micros: r.Duration.Microseconds(), Replayed: r.Replayed,
		TraceKey:  traceKey(partner, r.TraceID),
		ExpiresAt: dynamo.Expiry(r.At.Add(keep)),
	}
	if string(observe.TraceOf(r.RequestID)) != r.TraceID { // the client has begun the trace
		row.IDKey = requestIDKey(partner, r.RequestID)
	}
	return row
}

func (r requestRow) request() feed.Request {
	return feed.Request{
		ID: r.ID, At: dynamo.FromMillis(r.At), TraceID: r.TraceID, RequestID: r.RequestID, Service: r.Service,
		Route: r.Route, Operation: r.Operation, Problem: r.Problem, Status: r.Status,
		Duration: time.Duration(r.Micros) * time.Microsecond, Replayed: r.Replayed,
	}
}

func toEventRow(partner owner.PartnerID, e feed.Event) eventRow {
	return eventRow{
		ID: e.ID, Type: e.Type, OccurredAt: e.OccurredAt, SeenAt: e.SeenAt, User: e.User,
		TraceID: e.TraceID, Simulated: e.IsSimulated, Data: string(e.Data), TraceKey: traceKey(partner, e.TraceID),
		IDKey: eventPartition(partner, e.ID), ListAt: e.Position(),
		ListKey:   listPartition(partner, feed.IsRoutine(e.Type), dynamo.Shard(e.ID, shards)),
		ExpiresAt: dynamo.Expiry(e.SeenAt.Add(keepHistory).Time()),
	}
}

func (r eventRow) event() feed.Event {
	return feed.Event{
		ID: r.ID, Type: r.Type, OccurredAt: r.OccurredAt, SeenAt: r.SeenAt,
		User: r.User, TraceID: r.TraceID, IsSimulated: r.Simulated, Data: json.RawMessage(r.Data),
	}
}

// traceKey returns "" without a trace: then the row is not in the index.
func traceKey(partner owner.PartnerID, traceID string) string {
	if traceID == "" {
		return ""
	}
	return tracePartition(partner, traceID)
}
