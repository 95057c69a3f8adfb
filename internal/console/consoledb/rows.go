package consoledb

import (
	"encoding/json"
	"time"

	"aviso/internal/console/feed"
	"aviso/internal/dynamo"
	"aviso/internal/dynamo/owner"
	"aviso/internal/observe"
)

type requestRow struct {
	feed.Request
	Micros int64 `dynamodbav:"micros"`
	// TraceKey puts the row into the index byTrace, and IDKey into byId, if the request's ID does
	// not lead to the trace.
	TraceKey  string `dynamodbav:"traceKey,omitempty"`
	IDKey     string `dynamodbav:"idKey,omitempty"`
	ExpiresAt int64  `dynamodbav:"expiresAt"`
}

type eventRow struct {
	feed.Event
	Data string `dynamodbav:"data"`
	// TraceKey and IDKey put the row into the indexes byTrace and byId.
	TraceKey string `dynamodbav:"traceKey,omitempty"`
	IDKey    string `dynamodbav:"idKey"`
	// ListKey and ListAt put it into byTime, in the order in which it was seen.
	ListKey   string `dynamodbav:"listKey,omitempty"`
	ListAt    string `dynamodbav:"listAt,omitempty"`
	ExpiresAt int64  `dynamodbav:"expiresAt"`
}

func (r requestRow) position() string { return dynamo.Time(r.At.Time()) + "#" + r.ID }

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
		Request: r, Micros: r.Duration.Microseconds(), TraceKey: traceKey(partner, r.TraceID),
		ExpiresAt: dynamo.Expiry(r.At.Add(keep).Time()),
	}
	if string(observe.TraceOf(r.RequestID)) != r.TraceID { // the client has begun the trace
		row.IDKey = requestIDKey(partner, r.RequestID)
	}
	return row
}

func (r requestRow) request() feed.Request {
	r.Duration = time.Duration(r.Micros) * time.Microsecond
	return r.Request
}

func toEventRow(partner owner.PartnerID, e feed.Event) eventRow {
	return eventRow{
		Event: e, Data: string(e.Data), TraceKey: traceKey(partner, e.TraceID),
		IDKey: eventPartition(partner, e.ID), ListAt: e.Position(),
		ListKey:   listPartition(partner, feed.IsRoutine(e.Type), dynamo.Shard(e.ID, shards)),
		ExpiresAt: dynamo.Expiry(e.SeenAt.Add(keepHistory).Time()),
	}
}

func (r eventRow) event() feed.Event {
	r.Event.Data = json.RawMessage(r.Data)
	return r.Event
}

// traceKey returns "" without a trace: then the row is not in the index.
func traceKey(partner owner.PartnerID, traceID string) string {
	if traceID == "" {
		return ""
	}
	return tracePartition(partner, traceID)
}
