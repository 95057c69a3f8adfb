package feed_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/console/feed"
	"aviso/internal/owner"
)

const seenAt = 1_772_443_800

// fakeStore remembers what was added, and fails for some partners.
type fakeStore struct {
	lines   map[owner.PartnerID][]feed.Lines
	events  map[owner.PartnerID][]feed.Event
	failing owner.PartnerID
}

func add[T any](s *fakeStore, to *map[owner.PartnerID][]T, partner owner.PartnerID, records []T) error {
	if partner == s.failing {
		return errors.New("throttled")
	}
	if *to == nil {
		*to = map[owner.PartnerID][]T{}
	}
	(*to)[partner] = append((*to)[partner], records...)
	return nil
}

func (s *fakeStore) AddLines(_ context.Context, p owner.PartnerID, l feed.Lines) error {
	return add(s, &s.lines, p, []feed.Lines{l})
}

func (s *fakeStore) AddEvents(_ context.Context, p owner.PartnerID, all []feed.Event) error {
	return add(s, &s.events, p, all)
}

type bench struct {
	*feed.Feed
	store fakeStore
	log   bytes.Buffer
}

func newBench() *bench {
	b := &bench{}
	b.Feed = feed.New(&b.store, slog.New(slog.NewJSONHandler(&b.log, nil)))
	return b
}

// stream decodes stream records from JSON as Lambda does. An image is "event <partner> <id>",
// "job" or raw attributes.
func stream(t *testing.T, images ...any) events.DynamoDBEvent {
	t.Helper()
	var records []any
	for i, image := range images {
		if words, ok := image.(string); ok {
			image = imageOf(strings.Fields(words))
		}
		records = append(records, map[string]any{
			"eventName": "INSERT", "eventSourceARN": "arn:stream", "dynamodb": map[string]any{
				"SequenceNumber": fmt.Sprint(i), "ApproximateCreationDateTime": seenAt, "NewImage": image,
			},
		})
	}
	text, err := json.Marshal(map[string]any{"Records": records})
	require.NoError(t, err)
	var e events.DynamoDBEvent
	require.NoError(t, json.Unmarshal(text, &e))
	return e
}

type attribute = map[string]string

func imageOf(words []string) map[string]attribute {
	switch words[0] {
	case "event":
		body := fmt.Sprintf(`{"eventId":%q,"eventType":"cancellation.sent","occurredAt":"2027-01-01T00:00:00Z","partner":%q,`+
			`"userId":"u","data":{"status":"Sent"}}`, words[2], words[1])
		return map[string]attribute{
			"pk": {"S": words[2]}, "queue": {"S": "events"}, "body": {"S": body}, "traceId": {"S": "t"},
		}
	case "erased":
		image := imageOf([]string{"event", words[1], "e"})
		image["body"]["S"] = strings.Replace(image["body"]["S"], "cancellation.sent", "user.erased", 1)
		return image
	}
	return map[string]attribute{"pk": {"S": "m"}, "queue": {"S": "sync"}, "body": {"S": "{}"}}
}

func TestStreamRecordsAreRead(t *testing.T) {
	t.Parallel()
	b := newBench()
	res, err := b.HandleStream(t.Context(), stream(t, "event acme e1", "job", "erased acme"))
	require.NoError(t, err)
	assert.Empty(t, res.BatchItemFailures)
	assert.Equal(t, map[owner.PartnerID][]feed.Event{"acme": {{
		ID: "e1", Type: "cancellation.sent", OccurredAt: clock.OfUser(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)),
		SeenAt: clock.Real(time.Unix(seenAt, 0).UTC()), User: "u", TraceID: "t", Data: `{"status":"Sent"}`,
	}}}, b.store.events)
	assert.Empty(t, b.log.String())
}

func TestChangedAndDeletedRowsAreNoEvents(t *testing.T) {
	t.Parallel()
	b := newBench()
	e := stream(t, "event acme e1", "event acme e2")
	e.Records[0].EventName, e.Records[1].EventName = "MODIFY", "REMOVE"
	_, err := b.HandleStream(t.Context(), e)
	require.NoError(t, err)
	assert.Empty(t, b.store.events)
}

func TestBrokenRecordsAreSkipped(t *testing.T) {
	t.Parallel()
	secret := attribute{"S": `{"secret`}
	for name, image := range map[string]map[string]attribute{
		"no JSON":            {"queue": {"S": "events"}, "body": secret},
		"no partner":         imageOf([]string{"event", "", "e"}),
		"no ID":              imageOf([]string{"event", "acme", ""}),
		"a body of a number": {"queue": {"S": "events"}, "body": {"N": "1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench()
			res, err := b.HandleStream(t.Context(), stream(t, "event acme e1", image, "event acme e2"))
			require.NoError(t, err)
			assert.Empty(t, res.BatchItemFailures)
			assert.Len(t, b.store.events["acme"], 2)
			assert.Contains(t, b.log.String(), `"record":"1"`)
			assert.NotContains(t, b.log.String(), "secret")
		})
	}
}

func TestOnePartnersFailureIsNotAnothers(t *testing.T) {
	t.Parallel()
	b := newBench()
	b.store.failing = "bad"
	res, err := b.HandleStream(t.Context(), stream(t, "event acme e1", "event bad e2", "event bad e3", "event acme e4"))
	require.NoError(t, err)
	assert.Equal(t, []events.DynamoDBBatchItemFailure{{ItemIdentifier: "1"}}, res.BatchItemFailures)
	assert.Len(t, b.store.events["acme"], 2)
	assert.Contains(t, b.log.String(), "throttled")
}

func logs(t *testing.T, data events.CloudwatchLogsData) events.CloudwatchLogsEvent {
	t.Helper()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	require.NoError(t, json.NewEncoder(z).Encode(data))
	require.NoError(t, z.Close())
	raw := events.CloudwatchLogsRawData{Data: base64.StdEncoding.EncodeToString(packed.Bytes())}
	return events.CloudwatchLogsEvent{AWSLogs: raw}
}

func lines(messages ...string) events.CloudwatchLogsData {
	data := events.CloudwatchLogsData{MessageType: "DATA_MESSAGE", LogGroup: "/aviso/local/pfm", LogStream: "stream"}
	for i, message := range messages {
		data.LogEvents = append(data.LogEvents, events.CloudwatchLogsLogEvent{
			ID: fmt.Sprint("l", i), Timestamp: 1772443800123 + int64(i), Message: message,
		})
	}
	return data
}

func requestLine(partner string) string {
	return `{"time":"2026-03-02T09:30:00Z","level":"ERROR","msg":"request","Environment":"local","requestId":"r",` +
		`"Service":"pfm","Route":"GET /openbanking/v1/accounts","method":"GET","status":404,"Duration":12.5,"AwsCalls":2,` +
		`"partner":"` + partner + `","replayed":true,"userDigest":"d","faults":["EMAIL format"],"operation":"listAccounts","problem":"not_found","error":"a cause","traceId":"t"}`
}

const attemptLine = `{"msg":"attempt","Service":"webhook-delivery","partner":"acme","outcome":"Timeout","status":0}`

func TestLogLinesAreRead(t *testing.T) {
	t.Parallel()
	b := newBench()
	require.NoError(t, b.HandleLogs(t.Context(), logs(t, lines(
		requestLine("acme"), requestLine(""), `{"msg":"something else","partner":"acme"}`, "START RequestId", requestLine("other"), attemptLine, attemptLine))))
	want := feed.Request{
		ID: "l0", Source: "stream", At: clock.Real(time.UnixMilli(1772443800123).UTC()), TraceID: "t", RequestID: "r", Service: "pfm",
		Route: "GET /openbanking/v1/accounts", Operation: "listAccounts", Problem: "not_found", Status: 404,
		Micros: 12500, Replayed: true, UserDigest: "d", Faults: []string{"EMAIL format"},
	}
	assert.Equal(t, []feed.Lines{{
		ID: "l0", Source: "stream", At: want.At, Requests: []feed.Request{want}, Callbacks: map[string]int{"Timeout": 2},
	}}, b.store.lines["acme"])
	assert.Len(t, b.store.lines["other"], 1)
	assert.Len(t, b.store.lines, 2, "requests without a partner have no owner")
	assert.Equal(t, 1, strings.Count(b.log.String(), "\n"))
	assert.Contains(t, b.log.String(), `"record":"l3"`)
}

func TestLogsThatAreNoLines(t *testing.T) {
	t.Parallel()
	control := lines(requestLine("acme"))
	control.MessageType = "CONTROL_MESSAGE"
	for name, e := range map[string]events.CloudwatchLogsEvent{
		"a control message": logs(t, control),
		"no data":           {},
		"no gzip":           {AWSLogs: events.CloudwatchLogsRawData{Data: "AAAA"}},
		"no base64":         {AWSLogs: events.CloudwatchLogsRawData{Data: "?"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench()
			require.NoError(t, b.HandleLogs(t.Context(), e))
			assert.Empty(t, b.store.lines)
		})
	}
}

func TestLogsThatCannotBeStoredComeAgain(t *testing.T) {
	t.Parallel()
	b := newBench()
	b.store.failing = "bad"
	require.Error(t, b.HandleLogs(t.Context(), logs(t, lines(requestLine("bad"), requestLine("acme")))))
	assert.Len(t, b.store.lines["acme"], 1)
}
