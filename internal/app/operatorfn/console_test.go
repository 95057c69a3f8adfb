package operatorfn

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/request"
	"aviso/internal/clock"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/owner"
	"aviso/internal/secret/keyring"
	"aviso/localstack/stack/provision"
	"aviso/localstack/stack/secrets"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/testenv"
)

// console is the operator function as Lambda runs it, on tables and queues of
// its own, with the examples of events/operator.
type console struct {
	*testing.T
	env      map[string]string
	db       *dynamodb.Client
	handler  lambda.Handler
	log      *bytes.Buffer
	examples map[string]json.RawMessage // by command
}

// secretText is in every value that must not be returned or logged.
const secretText = "Erika Mustermann"

func newConsole(t *testing.T) *console {
	t.Helper()
	c := &console{
		T: t, db: testenv.DynamoDB(t), log: &bytes.Buffer{}, examples: map[string]json.RawMessage{},
		env: map[string]string{"ENVIRONMENT": "local"},
	}
	for name, id := range map[string]string{
		"IDENTITY_TABLE": "IdentityTable", "PFM_TABLE": "PfmTable", "CANCELLATION_TABLE": "CancellationTable",
		"NOTIFICATION_TABLE": "NotificationTable", "OUTBOX_TABLE": "OutboxTable",
	} {
		c.env[name] = testenv.Table(t, id)
	}
	for _, name := range []string{"Sync", "Letter", "Delivery", "Reply", "Sandbox"} {
		c.env[strings.ToUpper(name)+"_QUEUE_URL"] = testenv.Queue(t, name+"Queue")
		c.env[strings.ToUpper(name)+"_DEAD_LETTERS_URL"] = testenv.Queue(t, name+"DeadLetters")
	}
	c.env["RELAY_DEAD_LETTERS_URL"] = testenv.Queue(t, "RelayDeadLetters")
	store, err := secrets.Open(filepath.Join(t.TempDir(), "secrets.json"))
	require.NoError(t, err)
	server := httptest.NewServer(store)
	t.Cleanup(server.Close)
	arns, err := provision.Secrets(t.Context(), secretsmanager.NewFromConfig(testenv.Config(server.URL)), testenv.Template(t))
	require.NoError(t, err)
	c.env["SEALING_SECRET"], c.env["WEBHOOK_SECRET"] = arns["SealingSecret"], arns["WebhookSecret"]
	maps.Copy(c.env, map[string]string{
		"AWS_ENDPOINT_URL_SECRETS_MANAGER": server.URL,
		"AWS_REGION":                       "eu-central-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
		"AWS_ENDPOINT_URL_DYNAMODB": *c.db.Options().BaseEndpoint, "AWS_ENDPOINT_URL_SQS": *testenv.SQS(t).Options().BaseEndpoint,
	})
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(c.log, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	c.handler, err = New(t.Context(), func(name string) string { return c.env[name] })
	require.NoError(t, err)

	files, err := filepath.Glob("../../../events/operator/*")
	require.NoError(t, err)
	for _, file := range files {
		c.examples[strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".json"), "-for-real")], err = os.ReadFile(file)
		require.NoError(t, err)
	}
	return c
}

// member returns a text member of a command's example.
func (c *console) member(command, name string) string {
	c.Helper()
	var members map[string]any
	require.NoError(c, json.Unmarshal(c.examples[command], &members), command)
	text, ok := members[name].(string)
	require.True(c, ok, "%s of the example of %s", name, command)
	return text
}

// call sends the function an event. Neither answer nor log may have a secret.
func (c *console) call(event string) (answer map[string]any) {
	c.Helper()
	ctx := lambdacontext.NewContext(c.Context(), &lambdacontext.LambdaContext{AwsRequestID: "request-1"})
	out, err := c.handler.Invoke(ctx, []byte(event))
	require.NoError(c, err, event)
	require.NoError(c, json.Unmarshal(out, &answer))
	assert.NotContains(c, string(out), secretText)
	return answer
}

// refused sends an event that must fail, and returns the error.
func (c *console) refused(event string) string {
	c.Helper()
	_, err := c.handler.Invoke(c.Context(), []byte(event))
	require.Error(c, err, event)
	return err.Error()
}

// audited returns and clears the log lines of commands.
func (c *console) audited() (lines []map[string]any) {
	c.Helper()
	for line := range strings.Lines(c.log.String()) {
		var l map[string]any
		require.NoError(c, json.Unmarshal([]byte(line), &l))
		if l["msg"] == "operator command" {
			lines = append(lines, l)
		}
	}
	c.log.Reset()
	return lines
}

// cancelled stores a cancellation whose letter was sent.
func (c *console) cancelled(id string, status cancellation.Status) {
	c.Helper()
	store := cancellationdb.New(c.db, c.env["CANCELLATION_TABLE"], c.env["OUTBOX_TABLE"], time.Now, uuid.NewString)
	at := time.Now().UTC().Truncate(time.Millisecond)
	address := &cancellation.PostalAddress{
		Recipient: []string{secretText}, Street: secretText, PostalCode: "50667", City: "Köln", CountryCode: "DE",
	}
	require.NoError(c, store.CreateCancellation(c.Context(), cancellation.Cancellation{
		ID:             id,
		Owner:          owner.User{Partner: "acme", ID: "6f9a1d7e-0000-4000-8000-000000000001"},
		ExternalID:     secretText + id,
		OrganizationID: uuid.NewString(),
		ProductID:      uuid.NewString(),
		Locale:         "de-DE",
		Status:         status,
		CreatedAt:      at,
		UpdatedAt:      at,
		LetterSHA256:   "abc",
		History:        []cancellation.Step{{Status: cancellation.StatusCreated, At: at}},
		Channels: []cancellation.Channel{
			{Kind: cancellation.ChannelFax, Fax: secretText},
			{Kind: cancellation.ChannelMail, Address: address},
		},
		Delivery:       cancellation.Delivery{ShipmentID: "s-1", Tries: 2, Since: at, Reference: "fax-1"},
		TrackingNumber: "RR1",
		AtCarriers:     []cancellation.CarrierLetter{{Channel: cancellation.ChannelFax, Reference: "fax-1"}},
	}, cancellation.StoredLetter{Document: cancellation.Document{PDF: []byte(secretText)}, SenderName: secretText,
		ReplyTo: secretText}, "digest", request.Earlier{}, nil))
}

// subscribed stores a subscription, and a delivery of the event if one is named.
func (c *console) subscribed(command, eventID string) {
	c.Helper()
	sealer, err := keyring.Root{Current: "root of the sealing keys of the tests"}.Sealer(keyring.WebhookKeys)
	require.NoError(c, err)
	store := notificationdb.New(c.db, c.env["NOTIFICATION_TABLE"], c.env["OUTBOX_TABLE"], sealer, time.Now, uuid.NewString)
	now := time.Now().UTC().Truncate(time.Millisecond)
	partner := owner.PartnerID(c.member(command, "partner"))
	err = store.CreateSubscription(c.Context(), notification.Subscription{
		ID:          c.member(command, "subscriptionId"),
		Partner:     partner,
		ServerURL:   "https://" + secretText,
		Events:      []string{notification.AllEvents},
		Status:      notification.SubscriptionActive,
		CreatedAt:   clock.Real(now),
		UpdatedAt:   clock.Real(now),
		ActiveSince: clock.Real(now),
	}, notification.Secret{ID: uuid.NewString(), Key: "whsec_" + secretText, CreatedAt: clock.Real(now)}, nil)
	require.NoError(c, err)
	fanOut := notification.NewFanOut(store, "test", nil, time.Now)
	_, err = notificationtest.Dispatch(c.Context(), fanOut, outbox.Event{
		ID: eventID, Type: "webhook.ping", OccurredAt: clock.OfUser(now), Partner: partner, Data: json.RawMessage(`{"message":"` + secretText + `"}`),
	})
	require.NoError(c, err)
}

func (c *console) send(url, body string) {
	c.Helper()
	_, err := testenv.SQS(c).SendMessage(c.Context(), &sqs.SendMessageInput{QueueUrl: &url, MessageBody: &body})
	require.NoError(c, err)
}

// bodies receives the visible messages of a queue.
func (c *console) bodies(url string) []string {
	c.Helper()
	out, err := testenv.SQS(c).ReceiveMessage(c.Context(), &sqs.ReceiveMessageInput{QueueUrl: &url, MaxNumberOfMessages: 10})
	require.NoError(c, err)
	bodies := []string{}
	for _, m := range out.Messages {
		bodies = append(bodies, *m.Body)
	}
	return bodies
}

// told returns the types of the events in the outbox.
func (c *console) told() (kinds []string) {
	c.Helper()
	table := c.env["OUTBOX_TABLE"]
	out, err := c.db.Scan(c.Context(), &dynamodb.ScanInput{TableName: &table})
	require.NoError(c, err)
	for _, item := range out.Items {
		var e outbox.Event
		require.NoError(c, json.Unmarshal([]byte(dynamo.Text(item, "body")), &e))
		kinds = append(kinds, e.Type)
	}
	return kinds
}

// leaveInOutbox writes a message that has been unsent for an hour.
func (c *console) leaveInOutbox() {
	c.Helper()
	var x dynamo.Transaction
	box := outbox.Box{Table: dynamo.NewTable(c.db, c.env["OUTBOX_TABLE"])}
	outbox.Put(c.Context(), &x, box, outbox.Message{ID: "old", Queue: outbox.SyncQueue, Body: "job"}, time.Now().Add(-time.Hour))
	require.NoError(c, x.Commit(c.Context()))
}

// emptyOutbox deletes the message, as housekeeping does after sending it.
func (c *console) emptyOutbox() {
	c.Helper()
	table := c.env["OUTBOX_TABLE"]
	_, err := c.db.DeleteItem(c.Context(), &dynamodb.DeleteItemInput{TableName: &table, Key: dynamo.Item{"pk": dynamo.S("old")}})
	require.NoError(c, err)
}
