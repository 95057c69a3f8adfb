package app

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/bootstrap"
	"aviso/internal/app/relay"
	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/request"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/owner"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmdb"
	"aviso/localstack/tests/apitest"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// switched is a service whose partner is disabled and enabled. Every call is the first of its instance, which
// so knows nothing from before: docs/operator.md promises a minute to those that do.
type switched struct {
	*rotation
	people *identitydb.Store
	user   owner.User
	token  string

	mu    sync.Mutex
	asked []string // what the functions asked of banks, carriers and receivers
}

func newSwitched(t *testing.T) *switched {
	t.Helper()
	s := &switched{rotation: newRotation(t)}
	outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Header.Get("X-Amz-Target"), "AmazonSQS.") {
			_, _ = w.Write([]byte("{}"))
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.asked = append(s.asked, r.URL.Path)
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(outside.Close)
	root := `{"current":"` + rootA + `"}`
	name := "carriers"
	_, err := s.secrets.CreateSecret(t.Context(), &secretsmanager.CreateSecretInput{Name: &name, SecretString: &root})
	require.NoError(t, err)
	s.env["CARRIER_SECRET"], s.env["CONSOLE_TABLE"] = name, testenv.Table(t, "ConsoleTable")
	s.env["CLOCK_TABLE"], s.env["AWS_ENDPOINT_URL_SQS"] = s.env["IDENTITY_TABLE"], outside.URL
	for _, queue := range []string{"SYNC", "SYNC_WAIT", "LETTER", "DELIVERY", "RETRY", "CLOCK"} {
		s.env[queue+"_QUEUE_URL"] = outside.URL + "/queues/" + queue
	}
	s.env["OUTSIDE"] = outside.URL
	s.people = identitydb.New(testenv.DynamoDB(t), s.env["IDENTITY_TABLE"])
	agreements := identity.NewAgreements(s.people, time.Now)
	u, _, err := identity.NewUsers(s.people, time.Now, uuid.NewString).Create(t.Context(), "sandbox", german(""), nil)
	require.NoError(t, err)
	s.user, s.token = u.Owner, s.rotation.token(s.identity[0])
	for _, terms := range identity.TermsTypes() {
		require.NoError(t, agreements.Publish(t.Context(), identity.Terms{Type: terms, Version: "1", URL: "https://aviso.example/terms"}))
		_, err := agreements.Accept(t.Context(), s.user, terms, "1", nil)
		require.NoError(t, err)
	}
	return s
}

// disable disables or enables the partner as the operator does.
func (s *switched) disable(yes bool) {
	s.Helper()
	partners := identity.NewRegistrar(s.people, time.Now, uuid.NewString)
	_, err := partners.SetDisabled(s.Context(), "sandbox", yes)
	require.NoError(s, err)
}

// fresh returns a new instance of a function. Only workers get an address of ours at which there is something.
func (s *switched) fresh(function string) lambda.Handler {
	s.Helper()
	handler, err := Functions()[function](s.Context(), func(name string) string {
		if name == "BASE_URL" && strings.HasPrefix(function, "letter-") {
			return s.env["OUTSIDE"]
		}
		return s.env[name]
	})
	require.NoError(s, err)
	return handler
}

func (s *switched) send(function, method, path, body string) apitest.Response {
	s.Helper()
	header := map[string]string{"Authorization": "Bearer " + s.token, "X-User-Id": string(s.user.ID), "Cookie": ""}
	switch {
	case strings.HasPrefix(body, "{"):
		header["Content-Type"] = "application/json"
	case body != "":
		header = map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	case strings.HasPrefix(path, "/connect"):
		header = nil
	}
	return apitest.Call(s.T, s.fresh(function), apitest.Request{Method: method, Path: path, Header: header, Body: body})
}

// work gives a message to a new instance of a worker, which must be done with it.
func (s *switched) work(function, queue string, body any) {
	s.Helper()
	text, err := json.Marshal(body)
	require.NoError(s, err)
	event, err := json.Marshal(events.SQSEvent{Records: []events.SQSMessage{{
		MessageId: "m", ReceiptHandle: "r", Body: string(text), EventSourceARN: "arn:aws:sqs:eu-central-1:1:" + queue,
		Attributes: map[string]string{"ApproximateReceiveCount": "1"},
	}}})
	require.NoError(s, err)
	out, err := s.fresh(function).Invoke(s.Context(), event)
	require.NoError(s, err)
	assert.JSONEq(s, `{"batchItemFailures":null}`, string(out), "a message that waits must not use up its receives")
}

func TestCallsOfADisabledPartner(t *testing.T) {
	s := newSwitched(t)
	calls := map[string]string{
		"identity": "/identity/v1/users/" + string(s.user.ID), "pfm": "/openbanking/v1/providers",
		"cancellation": "/cancellations/v1/categories", "search": "/cancellations/v1/search?searchQuery=x",
		"notification": "/webhooks/v1/event-types",
	}
	s.disable(true)
	for function, path := range calls {
		res := s.send(function, http.MethodGet, path, "")
		assert.Equal(t, http.StatusUnauthorized, res.StatusCode, "%s: %s", function, res.Body)
		assert.Equal(t, `Bearer error="invalid_token"`, res.Headers["Www-Authenticate"], function)
	}
	asksToken := "grant_type=client_credentials&client_id=sandbox&client_secret=sandbox-secret"
	assert.Equal(t, http.StatusUnauthorized, s.send("identity", http.MethodPost, "/oauth2/token", asksToken).StatusCode)

	s.disable(false)
	for function, path := range calls {
		if function != "search" { // there is no catalogue
			assert.Equal(t, http.StatusOK, s.send(function, http.MethodGet, path, "").StatusCode, function)
		}
	}
}

func TestLinksOfADisabledPartner(t *testing.T) {
	s := newSwitched(t)
	link := func() string {
		made := s.send("pfm", http.MethodPost, "/openbanking/v1/connections", `{"providerId":"`+pfmtest.ID(1)+`"}`)
		to, err := url.Parse(made.Text("data", "redirectUrl"))
		require.NoError(t, err)
		return to.RequestURI()
	}()
	s.disable(true)
	res := s.send("pfm", http.MethodGet, link, "")
	assert.Equal(t, http.StatusForbidden, res.StatusCode, res.Body)
	assert.Contains(t, res.Body, `<html lang="de"`)
	res = s.send("pfm", http.MethodGet, strings.Replace(link, "link=", "link=x", 1), "")
	assert.Equal(t, http.StatusNotFound, res.StatusCode, "a wrong link learns nothing")

	s.disable(false)
	res = s.send("pfm", http.MethodGet, link, "")
	assert.Equal(t, http.StatusServiceUnavailable, res.StatusCode, "the link still works, and only the bank does not answer")
}

func TestSyncsOfADisabledPartner(t *testing.T) {
	s := newSwitched(t)
	store := pfmdb.New(testenv.DynamoDB(t), s.env["PFM_TABLE"], s.env["OUTBOX_TABLE"], time.Now, uuid.NewString)
	bank := pfmtest.Provider()
	bank.Endpoint.BaseURL = s.env["OUTSIDE"]
	require.NoError(t, store.PutProvider(t.Context(), bank))
	now := time.Now().UTC().Truncate(time.Millisecond)
	c := connection.Connection{
		ID: uuid.NewString(), Owner: s.user, ProviderID: bank.ID, Status: connection.Active, ConsentID: "consent",
		CreatedAt: now, ConsentExpiresAt: now.AddDate(0, 6, 0), SyncRequestedAt: now,
	}
	require.NoError(t, store.CreateConnection(t.Context(), c, nil))
	s.disable(true)
	s.work("bank-sync", "SYNC", connection.SyncJob{
		Partner: s.user.Partner, User: s.user.ID, ConnectionID: c.ID, ProviderID: bank.ID,
	})
	got, err := store.Connection(t.Context(), s.user, c.ID)
	require.NoError(t, err)
	assert.Equal(t, now, got.SyncRequestedAt, "the sync is still outstanding")
	assert.Empty(t, got.Reason)
	assert.Empty(t, s.asked)
}

func TestLettersOfADisabledPartner(t *testing.T) {
	s := newSwitched(t)
	store := cancellationdb.New(testenv.DynamoDB(t), s.env["CANCELLATION_TABLE"], s.env["OUTBOX_TABLE"], time.Now, uuid.NewString)
	requests := &request.Requests{
		Store: store, Product: cancellationtest.NewProducts().OrganizationProduct, Gate: cancellationtest.Gate{},
		Writer: cancellationtest.Writer{}, Enabled: []cancellation.ChannelKind{cancellation.ChannelRegisteredMail},
		Now: time.Now, NewID: bootstrap.NewSortableID,
	}
	c, _, err := requests.Create(t.Context(), s.user, cancellationtest.Request("post"), nil)
	require.NoError(t, err)
	s.disable(true)
	s.work("letter-dispatch", "LETTER", cancellation.Job{
		Kind: cancellation.JobSend, Partner: s.user.Partner, User: s.user.ID, CancellationID: c.ID,
	})
	got, err := store.Cancellation(t.Context(), s.user, c.ID)
	require.NoError(t, err)
	assert.Equal(t, cancellation.StatusCreated, got.Status)
	assert.True(t, got.NextTryAt.After(time.Now()), "housekeeping wakes it")
	assert.Empty(t, s.asked)
}

func TestCallbacksOfADisabledPartner(t *testing.T) {
	s := newSwitched(t)
	res := s.send("notification", http.MethodPost, "/webhooks/v1/subscriptions", `{"serverUrl":"`+s.env["OUTSIDE"]+`","events":["*"]}`)
	require.Equal(t, http.StatusCreated, res.StatusCode, res.Body)
	store := notificationdb.New(testenv.DynamoDB(t), s.env["NOTIFICATION_TABLE"], s.env["OUTBOX_TABLE"], nil, time.Now, uuid.NewString)
	eventID := s.send("notification", http.MethodPost, "/webhooks/v1/events", `{"eventType":"webhook.ping"}`).Text("data", "event", "eventId")
	wake, err := notificationtest.Dispatch(t.Context(), notification.NewFanOut(store, "test", nil, time.Now), outbox.Event{
		ID: uuid.NewString(), Type: "webhook.ping", Partner: "sandbox", Data: json.RawMessage(`{}`),
	})
	require.NoError(t, err)
	require.Len(t, wake, 1)
	s.disable(true)

	s.work("webhook-delivery", "DELIVERY", wake[0])
	d, err := store.Delivery(t.Context(), wake[0])
	require.NoError(t, err)
	assert.Equal(t, notification.DeliveryExhausted, d.Status)
	assert.Equal(t, notification.ReasonSubscriptionPaused, d.Reason)
	assert.Empty(t, s.asked)

	env := func(name string) string { return s.env[name] }
	relayed, err := relay.New(t.Context(), env, config.NewReader(env))
	require.NoError(t, err)
	_, err = relayed.Resend(t.Context(), time.Now().Add(time.Hour))
	require.NoError(t, err)
	subscriptions, err := store.Subscriptions(t.Context(), "sandbox")
	require.NoError(t, err)
	_, err = notification.NewSupervision(store, time.Now).Delivery(t.Context(), "sandbox", subscriptions[0].ID, eventID)
	require.Error(t, err, "no delivery of an event of that time")
	assert.Equal(t, notification.SubscriptionActive, subscriptions[0].Status, "nothing is stored, so nothing is left to undo")
}
