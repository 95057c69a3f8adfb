package notificationapi_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/notification"
	"aviso/localstack/tests/notificationtest"
)

// tried writes attempts of two deliveries and returns their IDs, newest first.
func (s *service) tried(subscriptionID string) []string {
	s.Helper()
	var ids []string
	for range 2 {
		d := notification.Delivery{
			DeliveryKey: notification.DeliveryKey{Partner: "p", SubscriptionID: subscriptionID, DeliveryID: uuid.NewString()},
			EventID:     uuid.NewString(), EventType: "webhook.ping", Status: notification.DeliveryPending,
		}
		_, err := notificationtest.Create(s.Context(), s.store, d)
		require.NoError(s, err)
		for i, r := range []notification.Result{
			{Outcome: notification.OutcomeConnectionError, Detail: "nobody listens", Milliseconds: 3},
			{Outcome: notification.OutcomeHTTPError, HTTPStatus: 500, Detail: "status 500", Milliseconds: 1000},
			{Outcome: notification.OutcomeAcknowledged, HTTPStatus: 200},
		} {
			a := notification.Attempt{
				ID: uuid.Must(uuid.NewV7()).String(), EventID: d.EventID, EventType: d.EventType, Number: i + 1,
				Result: r, StartedAt: clock.Real(s.clock.Now()),
			}
			if i < 2 {
				a.NextAttemptAt = a.StartedAt.Add(15 * time.Minute)
			}
			require.NoError(s, s.store.SaveAttempt(s.Context(), notification.Subscription{Partner: d.Partner, ID: d.SubscriptionID}, d, a))
			d.Version++
			ids = append([]string{a.ID}, ids...)
			s.clock.Advance(time.Second)
		}
	}
	return ids
}

func TestAttempts(t *testing.T) {
	s := newService(t, config.Test)
	id := s.subscribe("p")
	path := "/subscriptions/" + id + "/attempts"
	assert.Equal(t, []any{}, s.get(path).Member("data", "attempts"))
	ids := s.tried(id)

	t.Run("have the members of the interface", func(t *testing.T) {
		a := s.get(path)
		require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
		assert.Equal(t, 2, s.edge.Calls())
		list := a.List("data", "attempts")
		require.Len(t, list, 6)
		first, middle, last := list[5], list[4], list[3]
		assert.Equal(t, map[string]any{
			"attemptId":     ids[5],
			"eventId":       first["eventId"],
			"eventType":     "webhook.ping",
			"attemptNumber": json.Number("1"),
			"outcome":       "ConnectionError",
			"detail":        "nobody listens",
			"httpStatus":    nil,
			"durationMs":    json.Number("3"),
			"startedAt":     "2026-03-02T12:00:00Z",
			"nextAttemptAt": "2026-03-02T12:15:00Z",
		}, first)
		assert.Equal(t, json.Number("500"), middle["httpStatus"])
		assert.Equal(t, "Acknowledged", last["outcome"])
		assert.Nil(t, last["nextAttemptAt"])
		assert.Empty(t, last["detail"])
	})

	t.Run("have what was sent, byte by byte, where it is kept", func(t *testing.T) {
		sent := `{"z":"<&>ü","a":1234567.890,"userId":"u"}`
		other := s.subscribe("p")
		sub := notification.Subscription{Partner: "p", ID: other}
		d, err := notificationtest.Create(t.Context(), s.store, notificationtest.SampleDelivery(sub))
		require.NoError(t, err)
		a := notification.Attempt{
			ID: uuid.NewString(), EventID: d.EventID, EventType: d.EventType, Number: 1, StartedAt: clock.Real(s.clock.Now()),
			Result:  notification.Result{Outcome: notification.OutcomeAcknowledged, HTTPStatus: http.StatusOK},
			Payload: []byte(sent), User: "u",
		}
		require.NoError(t, s.store.SaveAttempt(t.Context(), sub, d, a))
		assert.Contains(t, s.get("/subscriptions/"+other+"/attempts").Body, `"payload":`+sent)
		assert.NotContains(t, s.get(path).Body, "payload")
	})

	t.Run("can be paged while more are made", func(t *testing.T) {
		var seen []string
		next := ""
		for range 6 {
			page := s.get(path + "?limit=2&nextToken=" + next)
			require.Equal(t, http.StatusOK, page.StatusCode, page.Body)
			assert.LessOrEqual(t, s.edge.Calls(), 2)
			for _, a := range page.List("data", "attempts") {
				attemptID, _ := a["attemptId"].(string)
				seen = append(seen, attemptID)
			}
			if seen[len(seen)-1] == ids[1] {
				s.tried(id)
			}
			if next, _ = page.Object("meta", "pagination")["nextToken"].(string); next == "" {
				break
			}
		}
		assert.Equal(t, ids, seen)
	})

	t.Run("are kept for 30 days", func(t *testing.T) {
		s.clock.Advance(31 * 24 * time.Hour)
		assert.Empty(t, s.get(path).Member("data", "attempts"))
	})
}
