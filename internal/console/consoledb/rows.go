package consoledb

import (
	"aviso/internal/console/feed"
	"aviso/internal/dynamo"
	"aviso/internal/observe"
	"aviso/internal/owner"
)

type requestRow struct {
	feed.Request
	// TraceKey puts the row into the index byTrace. IDKey puts it into byId, if the request's ID does not give the
	// trace ID.
	TraceKey  string `dynamodbav:"traceKey,omitempty"`
	IDKey     string `dynamodbav:"idKey,omitempty"`
	ExpiresAt int64  `dynamodbav:"expiresAt"`
}

type eventRow struct {
	feed.Event
	// TraceKey and IDKey put the row into the indexes byTrace and byId.
	TraceKey string `dynamodbav:"traceKey,omitempty"`
	IDKey    string `dynamodbav:"idKey"`
	// ListKey and ListAt put the row into byTime, in the order of arrival.
	ListKey   string `dynamodbav:"listKey,omitempty"`
	ListAt    string `dynamodbav:"listAt,omitempty"`
	ExpiresAt int64  `dynamodbav:"expiresAt"`
}

func toRequestRow(partner owner.PartnerID, r feed.Request) requestRow {
	keep := keepRequest
	if r.Failed() {
		keep = keepFailed
	}
	row := requestRow{
		Request: r, TraceKey: traceKey(partner, r.TraceID), ExpiresAt: dynamo.Expiry(r.At.Add(keep).Time()),
	}
	if string(observe.TraceOf(r.RequestID)) != r.TraceID { // the client started the trace
		row.IDKey = requestIDKey(partner, r.RequestID)
	}
	return row
}

func toEventRow(partner owner.PartnerID, e feed.Event) eventRow {
	kind := listed
	if feed.IsRoutine(e.Type) {
		kind = routine
	}
	return eventRow{
		Event: e, TraceKey: traceKey(partner, e.TraceID), IDKey: eventIDKey(partner, e.ID), ListAt: e.Position(),
		ListKey:   shardKey(partner, kind, dynamo.Shard(e.ID, shards)),
		ExpiresAt: dynamo.Expiry(e.SeenAt.Add(keepHistory).Time()),
	}
}
