// Package lettertest has the parts of the cancellation area around a real store, with carriers and a
// clock that a test controls.
package lettertest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/objection"
	"aviso/internal/cancellation/request"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/overdue"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/clocktest"
	"aviso/localstack/tests/logtest"
	"aviso/localstack/tests/testenv"
)

// ContractID is the only recurring contract that users have.
const ContractID = "48a92ee8-a16b-5f61-85f4-b08c0dcc6bd2"

// World is the area of one test.
type World struct {
	*testing.T
	Clock            *clocktest.Clock
	Store            *cancellationdb.Store
	Requests         *request.Requests
	Objections       *objection.Objections
	Email, Fax, Post *cancellationtest.Carrier
	Work             *dispatch.Dispatcher
	Feedback         *dispatch.Feedback
	Chores           *overdue.Housekeeping
	Eraser           *dispatch.Eraser
	DB               *dynamodb.Client
	// Main and Outbox are the names of tables.
	Users        dynamo.Table
	Main, Outbox string
}

// NewWorld returns the area with empty tables and one user.
func NewWorld(t *testing.T) *World {
	t.Helper()
	logtest.Private("anna@example.org", "K-1") // of cancellationtest.Request
	w := &World{
		T: t, Clock: clocktest.New(), DB: testenv.DynamoDB(t), Main: testenv.Table(t, "CancellationTable"),
		Outbox: testenv.Table(t, "OutboxTable"), Email: &cancellationtest.Carrier{}, Fax: &cancellationtest.Carrier{},
		Post: &cancellationtest.Carrier{},
	}
	w.Store = cancellationdb.New(w.DB, w.Main, w.Outbox, w.Clock.Now, uuid.NewString)
	identity := testenv.Table(t, "IdentityTable")
	w.Users = dynamo.NewTable(w.DB, identity)
	require.NoError(t, w.Users.Put(t.Context(), dynamo.UserKey(cancellationtest.User()), dynamo.Item{}))
	w.Store.RequireUsers(identity)
	w.Requests = w.RequestsBehind(cancellationtest.Gate{})
	proofs := cancellationtest.Evidence(w.Store)
	w.Objections = &objection.Objections{Store: w.Store, Requests: w.Requests, Evidence: proofs}
	carriers := map[cancellation.ChannelKind]dispatch.Carrier{
		cancellation.ChannelEmail:          w.Email,
		cancellation.ChannelFax:            w.Fax,
		cancellation.ChannelMail:           w.Post,
		cancellation.ChannelRegisteredMail: w.Post,
	}
	erasers := map[cancellation.ChannelKind]dispatch.CarrierEraser{
		cancellation.ChannelEmail: w.Email, cancellation.ChannelFax: w.Fax,
		cancellation.ChannelMail: w.Post, cancellation.ChannelRegisteredMail: w.Post,
	}
	w.Feedback = &dispatch.Feedback{Store: w.Store, Now: w.Clock.Now}
	w.Work = &dispatch.Dispatcher{
		Store: w.Store, Carriers: carriers, Erasers: erasers, Outcomes: w.Feedback,
		Now: w.Clock.Now, NewID: uuid.NewString,
	}
	w.Chores = dispatch.NewHousekeeping(w.Store, w.Clock.Now)
	w.Eraser = &dispatch.Eraser{Store: w.Store, Now: w.Clock.Now}
	return w
}

// EraseUser does what the call does that erases the user.
func (w *World) EraseUser() {
	w.Helper()
	require.NoError(w, w.Users.Delete(w.Context(), dynamo.UserKey(cancellationtest.User())))
}

// RequestsBehind returns the service behind a gate.
func (w *World) RequestsBehind(gate request.Gate) *request.Requests {
	return &request.Requests{
		Store: w.Store, Product: cancellationtest.NewProducts().OrganizationProduct,
		Contract: func(_ context.Context, _ owner.User, id string) error {
			if id != ContractID {
				return outcome.ErrNotFound
			}
			return nil
		},
		Gate: gate, Writer: cancellationtest.Writer{},
		Enabled: []cancellation.ChannelKind{
			cancellation.ChannelEmail, cancellation.ChannelFax, cancellation.ChannelMail,
			cancellation.ChannelRegisteredMail,
		},
		Now: w.Clock.Now, NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
	}
}

// Create cancels the product with this slug, again if need be.
func (w *World) Create(slug string) cancellation.Cancellation {
	w.Helper()
	r := cancellationtest.Request(slug)
	r.Repeat = true
	c, created, err := w.Requests.Create(w.Context(), cancellationtest.User(), r, nil)
	require.NoError(w, err)
	require.True(w, created)
	return c
}

// Read returns what is stored.
func (w *World) Read(id string) cancellation.Cancellation {
	w.Helper()
	c, err := w.Store.Cancellation(w.Context(), cancellationtest.User(), id)
	require.NoError(w, err)
	return c
}

// Send runs a letter-dispatch job.
func (w *World) Send(c cancellation.Cancellation) error {
	return w.Do(cancellation.JobSend, c, 1)
}

// Do runs one.
func (w *World) Do(kind cancellation.JobKind, c cancellation.Cancellation, attempt int) error {
	job := cancellation.Job{Kind: kind, Partner: c.Owner.Partner, User: c.Owner.ID, CancellationID: c.ID}
	return logtest.Error(w.Work.Do(w.Context(), job, attempt))
}

// Sent cancels and hands the letter over.
func (w *World) Sent(slug string) cancellation.Cancellation {
	w.Helper()
	c := w.Create(slug)
	require.NoError(w, w.Send(c))
	return w.Read(c.ID)
}

// Left empties the outbox and returns its jobs and event types.
func (w *World) Left() (jobs []cancellation.Job, events []outbox.Event) {
	w.Helper()
	out, err := w.DB.Scan(context.WithoutCancel(w.Context()), &dynamodb.ScanInput{TableName: &w.Outbox})
	require.NoError(w, err)
	for _, item := range out.Items {
		m, err := dynamo.Decode[struct {
			ID    string `dynamodbav:"pk"`
			Queue string `dynamodbav:"queue"`
			Body  string `dynamodbav:"body"`
		}](item)
		require.NoError(w, err)
		switch m.Queue {
		case outbox.LetterQueue:
			var job cancellation.Job
			require.NoError(w, json.Unmarshal([]byte(m.Body), &job))
			jobs = append(jobs, job)
		case outbox.EventQueue:
			var e outbox.Event
			require.NoError(w, json.Unmarshal([]byte(m.Body), &e))
			events = append(events, e)
		}
		key := dynamo.Item{"pk": dynamo.S(m.ID)}
		_, err = w.DB.DeleteItem(w.Context(), &dynamodb.DeleteItemInput{TableName: &w.Outbox, Key: key})
		require.NoError(w, err)
	}
	return jobs, events
}

// Statuses returns the history without its times.
func Statuses(c cancellation.Cancellation) []cancellation.Status {
	var list []cancellation.Status
	for _, step := range c.Steps() {
		list = append(list, step.Status)
	}
	return list
}

// Orders returns the orders to watch contracts that are in the outbox.
func (w *World) Orders() []cancellation.WatchOrder {
	w.Helper()
	out, err := w.DB.Scan(w.Context(), &dynamodb.ScanInput{TableName: &w.Outbox})
	require.NoError(w, err)
	var orders []cancellation.WatchOrder
	for _, row := range out.Items {
		if dynamo.Text(row, "queue") != outbox.SyncQueue {
			continue
		}
		var job cancellation.WatchJob
		require.NoError(w, json.Unmarshal([]byte(dynamo.Text(row, "body")), &job))
		assert.Equal(w, "Watch", job.Action)
		assert.Equal(w, cancellationtest.User().ID, job.User)
		orders = append(orders, job.Watch)
	}
	return orders
}

// ReportOutcome records what was seen in the user's account.
func (w *World) ReportOutcome(id string, r cancellation.OutcomeReport) {
	w.Helper()
	user := cancellationtest.User()
	require.NoError(w, w.Work.Do(w.Context(), cancellation.Job{
		Kind: cancellation.JobOutcome, Partner: user.Partner, User: user.ID, CancellationID: id, Outcome: &r,
	}, 1))
}

// By returns the carrier's report about c's current letter.
func By(c cancellation.Cancellation, state dispatch.ReportState) dispatch.Report {
	return dispatch.Report{
		CancellationID: c.ID, ShipmentID: c.Delivery.ShipmentID, Channel: c.Channel().Kind,
		Reference: c.Delivery.Reference, State: state,
	}
}

// Refused is the answer of a carrier that never accepts the letter.
func Refused() error {
	return &dispatch.CarrierError{Failure: dispatch.CarrierRefused, Reason: "no"}
}

// Busy is that of one that asks to wait.
func Busy(after time.Duration) error {
	return &dispatch.CarrierError{Failure: dispatch.CarrierBusy, Reason: "429", RetryAfter: after}
}

// Unclear is that of one that may have the letter.
func Unclear() error {
	return &dispatch.CarrierError{Failure: dispatch.CarrierUnclear, Reason: "timeout"}
}

// Told returns the history in words, and checks that it is a chain.
func Told(t *testing.T, c cancellation.Cancellation) []string {
	t.Helper()
	var list []string
	var previous *evidence.Digest
	for _, s := range c.History {
		assert.Equal(t, previous, s.Previous, s.Event)
		list = append(list, strings.Join(strings.Fields(fmt.Sprint(
			s.Actor, " ", s.Event, " ", s.Channel, " ", s.Reason, " ", s.Status)), " "))
		entry := evidence.Entry{
			Previous: s.Previous, At: evidence.Time{Time: s.At}, Status: string(s.Status.Shown()), Fact: s.Fact,
		}
		digest, err := entry.Digest()
		require.NoError(t, err)
		previous = &digest
	}
	return list
}
