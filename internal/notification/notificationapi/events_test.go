package notificationapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/owner"
)

// left returns the events in the outbox by ID.
func (s *service) left() map[string]outbox.Event {
	s.Helper()
	out, err := s.edge.DB.Scan(s.Context(), &dynamodb.ScanInput{TableName: &s.outbox})
	require.NoError(s, err)
	found := map[string]outbox.Event{}
	for _, item := range out.Items {
		var row struct {
			Body string `dynamodbav:"body"`
		}
		require.NoError(s, attributevalue.UnmarshalMap(item, &row))
		var e outbox.Event
		require.NoError(s, json.Unmarshal([]byte(row.Body), &e), row.Body)
		found[e.ID] = e
	}
	return found
}

func TestEventTypes(t *testing.T) {
	s := newService(t, config.Test)
	a := s.get("/event-types")
	require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
	assert.Zero(t, s.edge.Calls())
	var names []string
	for _, kind := range a.List("data", "eventTypes") {
		assert.Equal(t, []string{"description", "eventType", "example", "schema"}, members(kind))
		assert.NotEmpty(t, kind["description"])
		assert.NotContains(t, kind["schema"], "additionalProperties", "members may be added")
		name, _ := kind["eventType"].(string)
		example, err := json.Marshal(kind["example"])
		require.NoError(t, err)
		assert.NoError(t, notification.ValidateData(name, example), name)
		names = append(names, name)
	}
	assert.Equal(t, []string{
		"connection.activated",
		"connection.failed",
		"connection.refreshed",
		"connection.sync_failed",
		"connection.sync_recovered",
		"connection.action_required",
		"connection.expiring",
		"connection.data_expiring",
		"connection.expired",
		"connection.revoked",
		"connection.deleted",
		"transactions.updated",
		"contract.deadline_approaching",
		"contract.price_increased",
		"cancellation.created",
		"cancellation.queued",
		"cancellation.sent",
		"cancellation.delivered",
		"cancellation.confirmed",
		"cancellation.replied",
		"cancellation.delivery_failed",
		"cancellation.rejected",
		"cancellation.withdrawn",
		"cancellation.debit_after_end",
		"cancellation.effective",
		"objection.sent",
		"objection.delivered",
		"objection.delivery_failed",
		"user.erased",
		"subscription.failing",
		"webhook.ping",
	}, names)
}

func TestSimulateEvents(t *testing.T) {
	s := newService(t, config.Test)
	user := owner.User{Partner: "p", ID: "6f9a1d7e-0000-4000-8000-000000000001"}
	s.edge.AddUser(user)
	id := s.post("/subscriptions", wish(map[string]any{"events": []string{"*"}})).Text("data", "subscription", "subscriptionId")
	deaf := s.subscribe("p")

	t.Run("with the type's example, without a user", func(t *testing.T) {
		a := s.post("/events", map[string]any{"eventType": "connection.expired"})
		require.Equal(t, http.StatusAccepted, a.StatusCode, a.Body)
		assert.Equal(t, []string{"eventId", "eventType"}, members(a.Object("data", "event")))
		assert.Equal(t, "connection.expired", a.Member("data", "event", "eventType"))
		e := s.left()[a.Text("data", "event", "eventId")]
		kind, _ := notification.FindEventType("connection.expired")
		assert.JSONEq(t, string(kind.Example), string(e.Data))
		assert.True(t, e.IsSimulated)
		assert.Empty(t, string(e.User)+e.SubscriptionID)
		assert.Equal(t, owner.PartnerID("p"), e.Partner)
	})
	t.Run("with data, a user and a subscription", func(t *testing.T) {
		a := s.post("/events", map[string]any{
			"eventType":      "webhook.ping",
			"subscriptionId": strings.ToUpper(id),
			"userId":         strings.ToUpper(string(user.ID)),
			"data":           map[string]any{"message": "hello"},
		})
		require.Equal(t, http.StatusAccepted, a.StatusCode, a.Body)
		e := s.left()[a.Text("data", "event", "eventId")]
		assert.JSONEq(t, `{"message":"hello"}`, string(e.Data))
		assert.Equal(t, user.ID, e.User)
		assert.Equal(t, id, e.SubscriptionID)
	})
	assert.Len(t, s.left(), 2)

	s.edge.AddUser(owner.User{Partner: "q", ID: "6f9a1d7e-0000-4000-8000-000000000002"})
	for name, tt := range map[string]struct {
		body     map[string]any
		status   int
		code     string
		pointers []string
	}{
		"no type":                  {map[string]any{}, 422, "validation_failed", nil},
		"an unknown type":          {map[string]any{"eventType": "eCh0"}, 422, "validation_failed", []string{"/eventType"}},
		"all types":                {map[string]any{"eventType": "*"}, 422, "validation_failed", []string{"/eventType"}},
		"an unknown member":        {map[string]any{"eventType": "webhook.ping", "eCh0": 1}, 422, "validation_failed", nil},
		"data of another type":     {map[string]any{"eventType": "webhook.ping", "data": map[string]any{"erasureId": uuid.NewString()}}, 422, "validation_failed", []string{"/data/erasureId", "/data/message"}},
		"data of a wrong type":     {map[string]any{"eventType": "webhook.ping", "data": map[string]any{"message": 17}}, 422, "validation_failed", []string{"/data/message"}},
		"empty data":               {map[string]any{"eventType": "webhook.ping", "data": map[string]any{}}, 422, "validation_failed", []string{"/data/message"}},
		"data not an object":       {map[string]any{"eventType": "webhook.ping", "data": "eCh0"}, 422, "validation_failed", []string{"/data"}},
		"a bad subscription ID":    {map[string]any{"eventType": "webhook.ping", "subscriptionId": "eCh0"}, 422, "validation_failed", nil},
		"an unknown subscription":  {map[string]any{"eventType": "webhook.ping", "subscriptionId": uuid.NewString()}, 404, "not_found", nil},
		"a deaf subscription":      {map[string]any{"eventType": "webhook.ping", "subscriptionId": deaf}, 409, "subscription_not_listening", nil},
		"a bad user ID":            {map[string]any{"eventType": "webhook.ping", "userId": "eCh0"}, 422, "validation_failed", nil},
		"an unknown user":          {map[string]any{"eventType": "webhook.ping", "userId": uuid.NewString()}, 404, "user_not_found", nil},
		"another partner's user":   {map[string]any{"eventType": "webhook.ping", "userId": "6f9a1d7e-0000-4000-8000-000000000002"}, 404, "user_not_found", nil},
		"an impossible status":     {map[string]any{"eventType": "cancellation.sent", "data": map[string]any{"cancellationId": uuid.NewString(), "externalCancellationRequestIdentifier": "", "status": "Rejected", "statusReason": "", "channel": "Fax"}}, 422, "validation_failed", []string{"/data/status"}},
		"a malformed ID":           {map[string]any{"eventType": "user.erased", "data": map[string]any{"erasureId": "eCh0"}}, 422, "validation_failed", []string{"/data/erasureId"}},
		"a member of another type": {map[string]any{"eventType": "user.erased", "data": map[string]any{"erasureId": uuid.NewString(), "eventId": "x"}}, 422, "validation_failed", []string{"/data/eventId"}},
	} {
		t.Run(name, func(t *testing.T) {
			a := s.post("/events", tt.body)
			a.Refused(tt.status, tt.code, tt.pointers...)
			if name != "an unknown member" {
				assert.NotContains(t, a.Body, "eCh0")
			}
		})
	}
	assert.Len(t, s.left(), 2, "a refused request writes nothing")
}

func TestProductionRefusesSimulation(t *testing.T) {
	s := newService(t, config.Production)
	for _, body := range []map[string]any{{"eventType": "webhook.ping"}, {"eventType": "unknown"}} {
		s.post("/events", body).Refused(http.StatusForbidden, "not_available_in_production")
	}
	assert.Empty(t, s.left())
	assert.Equal(t, http.StatusOK, s.get("/event-types").StatusCode)
}
