package letterdispatchfn

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/clock"
	"aviso/internal/notification"
	"aviso/internal/outcome"
)

func TestMessagesAreAboutLettersOrAlerts(t *testing.T) {
	var letters []cancellation.Job
	var alerts []notification.Alert
	work := Work(
		func(_ context.Context, job cancellation.Job, _ int) error { letters = append(letters, job); return nil },
		func(_ context.Context, a notification.Alert) error { alerts = append(alerts, a); return nil })
	for _, body := range []string{
		`{"kind":"send","partner":"p","user":"u","cancellationId":"c"}`,
		`{"alert":{"partner":"p","subscriptionId":"s","failingSince":"2026-03-02T12:00:00Z"}}`,
	} {
		var m Message
		require.NoError(t, json.Unmarshal([]byte(body), &m))
		require.NoError(t, work(t.Context(), m, 1))
	}
	assert.Equal(t, []cancellation.Job{{Kind: cancellation.JobSend, Partner: "p", User: "u", CancellationID: "c"}}, letters)
	since := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	assert.Equal(t, []notification.Alert{{Partner: "p", SubscriptionID: "s", FailingSince: clock.Real(since)}}, alerts)
}

func TestAnAlertIsGivenUpBeforeItIsADeadLetter(t *testing.T) {
	refused, later := errors.New("refused"), &outcome.Later{After: time.Minute}
	for _, c := range []struct {
		err     error
		attempt int
		want    error
	}{{nil, 1, nil}, {refused, 3, refused}, {refused, 4, nil}, {later, 3, later}, {later, 4, later}} {
		work := Work(nil, func(context.Context, notification.Alert) error { return c.err })
		assert.Equal(t, c.want, work(t.Context(), Message{Alert: &notification.Alert{}}, c.attempt))
	}
}
