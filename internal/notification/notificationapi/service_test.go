package notificationapi_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/aws/config"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationapi"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/notification/webhook"
	"aviso/internal/owner"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/apitest"
	"aviso/localstack/tests/clocktest"
	"aviso/localstack/tests/testenv"
)

const prefix = "/webhooks/v1"

// service is the area as app wires it, behind the Lambda adapter and with the real
// stores.
type service struct {
	*testing.T
	edge    *apitest.Edge
	handler lambda.Handler
	clock   *clocktest.Clock
	store   *notificationdb.Store
	outbox  string
}

func newService(t *testing.T, stage config.Stage) *service {
	t.Helper()
	s := &service{T: t, clock: clocktest.New(), outbox: testenv.Table(t, "OutboxTable")}
	s.edge = apitest.NewEdge(t, "notification", s.clock.Now)
	keys, err := keyring.Root{Current: "root of the sealing keys of the tests"}.Sealer("webhook")
	require.NoError(t, err)
	s.store = notificationdb.New(s.edge.DB, testenv.Table(t, "NotificationTable"), s.outbox, keys, s.clock.Now, uuid.NewString)
	newID := func() string { return uuid.Must(uuid.NewV7()).String() }
	s.handler = s.edge.Handler(func(router *api.Router) {
		notificationapi.Register(router, notificationapi.Services{
			Subscriptions: notification.NewSubscriptions(s.store,
				webhook.New(webhook.Options{Stage: stage, Now: s.clock.Now}).Check, s.clock.Now, newID),
			Simulator: notification.NewSimulator(s.store, s.edge.Agreements.AdmitAny, stage == config.Production,
				s.clock.Now, uuid.NewString),
		})
	})
	return s
}

// members returns the names of an object's members, sorted.
func members(o map[string]any) []string { return slices.Sorted(maps.Keys(o)) }

// as sends a request as a partner; a nil body sends none.
func (s *service) as(partner owner.PartnerID, method, path string, body any, extra ...string) apitest.Response {
	s.Helper()
	h := map[string]string{"Authorization": s.edge.Token(partner, "webhook")}
	text := ""
	if body != nil {
		b, err := json.Marshal(body)
		require.NoError(s, err)
		text, h["Content-Type"] = string(b), "application/json"
	}
	for i := 0; i < len(extra); i += 2 {
		h[extra[i]] = extra[i+1]
	}
	return apitest.Call(s.T, s.handler, apitest.Request{Method: method, Path: prefix + path, Header: h, Body: text})
}

func (s *service) get(path string) apitest.Response {
	s.Helper()
	return s.as("p", http.MethodGet, path, nil)
}

func (s *service) post(path string, body any, extra ...string) apitest.Response {
	s.Helper()
	return s.as("p", http.MethodPost, path, body, extra...)
}

// wish returns the body of a valid subscription with changes; nil removes a member.
func wish(changes map[string]any) map[string]any {
	body := map[string]any{
		"serverUrl":   "https://partner.example/aviso",
		"events":      []string{"connection.expired", "cancellation.sent", "connection.expired"},
		"description": "production",
	}
	for name, v := range changes {
		if v == nil {
			delete(body, name)
		} else {
			body[name] = v
		}
	}
	return body
}

// subscribe creates a subscription and returns its ID.
func (s *service) subscribe(partner owner.PartnerID) string {
	s.Helper()
	a := s.as(partner, http.MethodPost, "/subscriptions", wish(nil))
	require.Equal(s, http.StatusCreated, a.StatusCode, a.Body)
	return a.Text("data", "subscription", "subscriptionId")
}
