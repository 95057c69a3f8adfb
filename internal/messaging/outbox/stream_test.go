package outbox_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/messaging/outbox"
)

// Each event passes here, so what decoding one costs is worth a test.
func TestDecodingARecord(t *testing.T) {
	batch := []byte(`{"Records":[{"eventID":"9d0b8ddc","eventName":"INSERT","eventVersion":"1.1","eventSource":"aws:dynamodb",
		"awsRegion":"eu-central-1","eventSourceARN":"arn:aws:dynamodb:eu-central-1:123456789012:table/T/stream/S","dynamodb":{
		"ApproximateCreationDateTime":1772443800.0,"Keys":{"pk":{"S":"a"}},"SequenceNumber":"42","SizeBytes":181,
		"StreamViewType":"NEW_IMAGE","NewImage":{"pk":{"S":"a"},"queue":{"S":"sync"},"body":{"S":"{}"},"held":{"BOOL":true},
		"createdAt":{"S":"2026-03-02T09:30:00.000Z"},"traceId":{"S":"0195f3a26c1e7d409b8a000000000108"}}}}]}`)
	var got outbox.Stream
	require.NoError(t, json.Unmarshal(batch, &got))
	assert.Equal(t, outbox.Stream{Records: []outbox.Record{{EventName: "INSERT", Change: outbox.Change{
		SequenceNumber: "42",
		NewImage: map[string]outbox.Text{
			"pk": {S: "a"}, "queue": {S: "sync"}, "body": {S: "{}"}, "held": {}, "createdAt": {S: "2026-03-02T09:30:00.000Z"},
			"traceId": {S: "0195f3a26c1e7d409b8a000000000108"},
		},
	}}}}, got)
}
