package housekeepingfn

import (
	"log/slog"
	"path"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/tests/metrictest"
	"aviso/localstack/tests/testenv"
)

func TestDeadLettersAreCounted(t *testing.T) {
	log, last := metrictest.Logger(t)
	before := slog.Default()
	slog.SetDefault(log)
	t.Cleanup(func() { slog.SetDefault(before) })
	d := deadLetters{testenv.SQS(t), []string{testenv.Queue(t, "SyncDeadLetters"), testenv.Queue(t, "LetterDeadLetters")}}
	n, err := d.count(t.Context())
	require.NoError(t, err)
	assert.Zero(t, n)
	assert.Nil(t, last())

	for i, url := range append(d.urls, d.urls[0]) {
		_, err := d.client.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: &url, MessageBody: new("message")})
		require.NoError(t, err)
		n, err := d.count(t.Context())
		require.NoError(t, err)
		assert.Equal(t, i+1, n)
		if i == 0 {
			line := last()
			assert.Equal(t, []any{"dead letters", path.Base(d.urls[0]), 1.0}, []any{line["msg"], line["queue"], line["messages"]})
		}
	}

	d.urls = append([]string{d.urls[0] + "-none"}, d.urls...)
	n, err = d.count(t.Context())
	require.Error(t, err)
	assert.Equal(t, 3, n, "the others are counted all the same")
}
