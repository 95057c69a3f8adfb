package webhookdeliveryfn

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo/owner"
	"aviso/internal/notification"
)

func TestAttemptsKeepWhatWasSent(t *testing.T) {
	for name, c := range map[string]struct {
		keep    bool
		kind    string
		user    owner.UserID
		message string
		want    bool
	}{
		"of an event about a user":                {keep: true, kind: "webhook.ping", user: "u", want: true},
		"of an event about nobody":                {keep: true, kind: "webhook.ping", want: true},
		"not in production":                       {kind: "webhook.ping", user: "u"},
		"not about a user who is gone":            {keep: true, kind: notification.EventUserErased, user: "u"},
		"not if a page of them would be too much": {keep: true, kind: "webhook.ping", message: strings.Repeat("x", 16<<10)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWebhooks(t, func(notification.Call) (notification.Outcome, time.Duration) {
					return notification.OutcomeHTTPError, 0
				})
				w.deliverer.KeepPayloads = c.keep
				s := w.subscribe(t)
				e := anEvent()
				e.Type, e.User, e.Data = c.kind, c.user, []byte(`{"message":"`+c.message+`"}`)
				require.NoError(t, w.dispatch(t.Context(), e))
				synctest.Wait()
				tried := w.tried(t, s)
				require.Len(t, tried, 1)
				if c.want {
					assert.Equal(t, string(w.receivers.Calls()[0].Body), string(tried[0].Payload))
					assert.Equal(t, c.user, tried[0].User)
				} else {
					assert.Empty(t, tried[0].Payload)
					assert.Empty(t, tried[0].User)
				}
			})
		})
	}
}
