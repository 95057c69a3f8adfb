package banksyncfn

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/messaging/queue"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/testenv"
)

func TestResend(t *testing.T) {
	url := testenv.Queue(t, "SyncWaitQueue")
	again := resend(queue.NewSender(testenv.SQS(t), map[string]string{waitQueue: url}))
	want := connection.SyncJob{
		Partner: "p", User: "u", ConnectionID: "c", ProviderID: "b", Tried: 2,
		WaitingSince: clock.Real(time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)),
	}
	require.NoError(t, again(t.Context(), want, 0))
	out, err := testenv.SQS(t).ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &url})
	require.NoError(t, err)
	require.Len(t, out.Messages, 1)
	var got connection.SyncJob
	require.NoError(t, json.Unmarshal([]byte(*out.Messages[0].Body), &got))
	assert.Equal(t, want, got)
	require.Error(t, again(t.Context(), want, time.Hour), "SQS delays by 15 minutes at most")
}

func TestOutagesAreLogged(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	logOutage(t.Context(), "b", true, nil)
	logOutage(t.Context(), "b", false, nil)
	logOutage(t.Context(), "b", true, errors.New("table gone"))
	assert.Contains(t, log.String(), `"level":"WARN","msg":"bank is down","provider":"b"`)
	assert.Contains(t, log.String(), `"level":"INFO","msg":"bank answers again","provider":"b"`)
	assert.Contains(t, log.String(), `"msg":"outage not stored","provider":"b","error":"table gone"`)
}
