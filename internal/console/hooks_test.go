package console_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/console"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/notification/webhook"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/clocktest"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/testenv"
)

// hooks is the notification area over tables in memory, with a server that ends calls as a
// test says.
type hooks struct {
	store         *notificationdb.Store
	db            *dynamodb.Client
	outbox        string
	clock         *clocktest.Clock
	subscriptions *notification.Subscriptions
	keepPayloads  bool
	woken         map[notification.DeliveryKey]bool
}

func newHooks(t *testing.T, db *dynamodb.Client, clock *clocktest.Clock) *hooks {
	t.Helper()
	h := &hooks{db: db, outbox: testenv.Table(t, "OutboxTable"), clock: clock, woken: map[notification.DeliveryKey]bool{}}
	h.store = notificationdb.New(db, testenv.Table(t, "NotificationTable"), h.outbox, notificationtest.Sealer{}, clock.Now, newID)
	h.subscriptions = notification.NewSubscriptions(h.store, refuseFTP, clock.Now, newID)
	return h
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

func refuseFTP(address string) error {
	if len(address) > 4 && address[:4] == "ftp:" {
		return &notification.AddressError{Reason: "its scheme is neither http nor https"}
	}
	return nil
}

func (h *hooks) services(people *identitydb.Store) console.Webhooks {
	admit := identity.NewAgreements(people, h.clock.Now).AdmitAny
	return console.Webhooks{
		Subscriptions: h.subscriptions, Deliveries: notification.NewSupervision(h.store, h.clock.Now),
		Sign: webhook.Sign, Simulator: notification.NewSimulator(h.store, admit, false, h.clock.Now, uuid.NewString),
	}
}

func (h *hooks) subscribe(t *testing.T, partner owner.PartnerID, description string) notification.Subscription {
	t.Helper()
	sub, _, err := h.subscriptions.Create(t.Context(), partner, notification.SubscriptionInput{
		ServerURL: new("https://partner.example/webhooks"), Events: []string{"*"}, Description: &description,
	}, nil)
	require.NoError(t, err)
	return sub
}

// send puts an event and makes its first attempt, which ends with the outcome.
func (h *hooks) send(t *testing.T, sub notification.Subscription, kind string, end notification.Outcome) (eventID string) {
	t.Helper()
	e := outbox.Event{
		ID: uuid.NewString(), Type: kind, OccurredAt: clock.OfUser(h.clock.Now()),
		Partner: sub.Partner, Data: []byte(`{}`), SubscriptionID: sub.ID,
	}
	require.NoError(t, h.store.PutEvent(t.Context(), e, nil))
	result := notification.Result{Outcome: end, Detail: "what went wrong", Milliseconds: 84}
	if end == notification.OutcomeAcknowledged {
		result.HTTPStatus = 200
	}
	h.deliver(t, result)
	return e.ID
}

// events returns what is in the outbox.
func (h *hooks) events(t *testing.T) (all []outbox.Event) {
	t.Helper()
	out, err := h.db.Scan(t.Context(), &dynamodb.ScanInput{TableName: &h.outbox})
	require.NoError(t, err)
	for _, row := range out.Items {
		if dynamo.Text(row, "queue") == outbox.EventQueue {
			var e outbox.Event
			require.NoError(t, json.Unmarshal([]byte(dynamo.Text(row, "body")), &e))
			all = append(all, e)
		}
	}
	return all
}

// deliver makes the attempts that are due, which end with the result.
func (h *hooks) deliver(t *testing.T, result notification.Result) {
	t.Helper()
	fanOut := notification.NewFanOut(h.store, "test", nil, h.clock.Now)
	for _, e := range h.events(t) {
		wake, err := notificationtest.Dispatch(t.Context(), fanOut, e)
		require.NoError(t, err)
		for _, k := range wake {
			h.woken[k] = true
		}
	}
	post := func(context.Context, notification.Call) notification.Result { return result }
	delays, err := notification.ParseRetryDelays(notification.RetryDelays)
	require.NoError(t, err)
	deliverer := notification.NewDeliverer(h.store, h.store, post, delays, h.clock.Now, newID)
	deliverer.KeepPayloads = h.keepPayloads
	for k := range h.woken {
		err := deliverer.Deliver(t.Context(), k, 1)
		if _, later := errors.AsType[*outcome.Later](err); !later {
			require.NoError(t, err)
		}
	}
}

// exhaust makes all attempts of an event fail.
func (h *hooks) exhaust(t *testing.T, sub notification.Subscription, kind string, end notification.Outcome) (eventID string) {
	t.Helper()
	eventID = h.send(t, sub, kind, end)
	for range 2 {
		h.clock.Advance(time.Hour)
		h.deliver(t, notification.Result{Outcome: end})
	}
	return eventID
}

func (h *hooks) newest(t *testing.T, sub notification.Subscription) notification.Attempt {
	t.Helper()
	page, _, err := h.subscriptions.Attempts(t.Context(), sub.Partner, sub.ID, 1, "")
	require.NoError(t, err)
	require.NotEmpty(t, page)
	return page[0]
}
