package webhookdeliveryfn

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/notification"
	"aviso/internal/owner"
)

// Production keeps what a receiver answers only if the partner has switched it on, and apart from the attempts.
func TestAnswersAreKeptIfThePartnerWants(t *testing.T) {
	for keeps, want := range map[bool]string{true: "no disk", false: ""} {
		synctest.Test(t, func(t *testing.T) {
			w := newWebhooks(t, func(notification.Call) (notification.Outcome, time.Duration) {
				return notification.OutcomeHTTPError, 0
			})
			keepPayloads(w.deliverer, config.Production)
			s := w.subscribe(t)
			_, err := w.subscriptions.Update(t.Context(), s.Partner, s.ID, notification.SubscriptionInput{KeepsAnswers: &keeps})
			require.NoError(t, err)
			require.NoError(t, w.dispatch(t.Context(), anEvent()))
			w.pass(t, 80*time.Minute)
			tried := w.tried(t, s)
			require.Len(t, tried, 3)
			for _, a := range tried {
				assert.Empty(t, a.Answer, "not in the list")
				one, err := w.subscriptions.Attempt(t.Context(), s.Partner, s.ID, a.ID)
				require.NoError(t, err)
				assert.Equal(t, want, one.Answer)
			}
		})
	}
}

// The interface says that what is exhausted cannot be retrieved. In production nothing is left
// of it; elsewhere attempts keep it, for partners who test.
func TestAttemptsKeepWhatWasSent(t *testing.T) {
	for name, c := range map[string]struct {
		stage   config.Stage
		kind    string
		user    owner.UserID
		message string
		want    bool
	}{
		"of an event about a user":                {stage: config.Test, kind: "webhook.ping", user: "u", want: true},
		"of an event about nobody":                {stage: config.Acceptance, kind: "webhook.ping", want: true},
		"not in production":                       {stage: config.Production, kind: "webhook.ping", user: "u"},
		"not about a user who is gone":            {stage: config.Local, kind: notification.EventUserErased, user: "u"},
		"not if a page of them would be too much": {stage: config.Local, kind: "webhook.ping", message: strings.Repeat("x", 16<<10)},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWebhooks(t, func(notification.Call) (notification.Outcome, time.Duration) {
					return notification.OutcomeHTTPError, 0
				})
				keepPayloads(w.deliverer, c.stage)
				s := w.subscribe(t)
				e := anEvent()
				e.Type, e.User, e.Data = c.kind, c.user, []byte(`{"message":"`+c.message+`"}`)
				require.NoError(t, w.dispatch(t.Context(), e))
				w.pass(t, 80*time.Minute)
				assert.Equal(t, notification.DeliveryExhausted, w.only(t).Status)
				assert.Empty(t, w.only(t).Payload)
				tried := w.tried(t, s)
				require.Len(t, tried, 3)
				if c.want {
					assert.Equal(t, string(w.receivers.Calls()[0].Body), string(tried[0].Payload))
					assert.Equal(t, c.user, tried[0].User)
					return
				}
				for _, a := range tried {
					assert.Empty(t, a.Payload)
					assert.Empty(t, a.User)
				}
			})
		})
	}
}
