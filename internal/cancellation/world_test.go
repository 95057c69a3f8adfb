package cancellation_test

import (
	"context"
	"encoding/json"
	"testing"

	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/overdue"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/cancellationtest"
	"aviso/internal/clock/clocktest"
	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/logtest"
	"aviso/localstack/tests/testenv"
)

// contractID is the only recurring contract that users have.
const contractID = "48a92ee8-a16b-5f61-85f4-b08c0dcc6bd2"

// world is the area with the real store, and with carriers and a clock that the
// test controls.
type world struct {
	*testing.T
	clock            *clocktest.Clock
	store            *cancellationdb.Store
	requests         *cancellation.Requests
	objections       *cancellation.Objections
	email, fax, post *cancellationtest.Carrier
	work             *cancellation.Dispatcher
	feedback         *cancellation.Feedback
	chores           *overdue.Housekeeping
	eraser           *cancellation.Eraser
	db               *dynamodb.Client
	users            dynamo.Table
	main, outbox     string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	logtest.Private("anna@example.org", "K-1") // of cancellationtest.Request
	w := &world{
		T:      t,
		clock:  clocktest.New(),
		db:     testenv.DynamoDB(t),
		main:   testenv.Table(t, "CancellationTable"),
		outbox: testenv.Table(t, "OutboxTable"),
		email:  &cancellationtest.Carrier{},
		fax:    &cancellationtest.Carrier{},
		post:   &cancellationtest.Carrier{},
	}
	w.store = cancellationdb.New(w.db, w.main, w.outbox, w.clock.Now, uuid.NewString)
	identity := testenv.Table(t, "IdentityTable")
	w.users = dynamo.NewTable(w.db, identity)
	require.NoError(t, w.users.Put(t.Context(), dynamo.UserKey(cancellationtest.User()), dynamo.Item{}))
	w.store.RequireUsers(identity)
	w.requests = w.requestsBehind(cancellationtest.Gate{})
	w.objections = &cancellation.Objections{Requests: w.requests, Evidence: cancellationtest.Evidence(w.store)}
	carriers := map[cancellation.ChannelKind]cancellation.Carrier{
		cancellation.ChannelEmail:          w.email,
		cancellation.ChannelFax:            w.fax,
		cancellation.ChannelMail:           w.post,
		cancellation.ChannelRegisteredMail: w.post,
	}
	erasers := map[cancellation.ChannelKind]cancellation.CarrierEraser{
		cancellation.ChannelEmail: w.email, cancellation.ChannelFax: w.fax,
		cancellation.ChannelMail: w.post, cancellation.ChannelRegisteredMail: w.post,
	}
	w.feedback = &cancellation.Feedback{Store: w.store, Now: w.clock.Now}
	w.work = &cancellation.Dispatcher{
		Store: w.store, Carriers: carriers, Erasers: erasers, Outcomes: w.feedback,
		Now: w.clock.Now, NewID: uuid.NewString,
	}
	w.chores = cancellation.NewHousekeeping(w.store, w.clock.Now)
	w.eraser = &cancellation.Eraser{Store: w.store, Now: w.clock.Now}
	return w
}

// eraseUser does what the call does that erases the user.
func (w *world) eraseUser() {
	w.Helper()
	require.NoError(w, w.users.Delete(w.Context(), dynamo.UserKey(cancellationtest.User())))
}

func (w *world) requestsBehind(gate cancellation.Gate) *cancellation.Requests {
	return &cancellation.Requests{
		Store:   w.store,
		Product: cancellationtest.NewProducts().OrganizationProduct,
		Contract: func(_ context.Context, _ owner.User, id string) error {
			if id != contractID {
				return outcome.ErrNotFound
			}
			return nil
		},
		Gate:   gate,
		Writer: cancellationtest.Writer{},
		Enabled: []cancellation.ChannelKind{
			cancellation.ChannelEmail,
			cancellation.ChannelFax,
			cancellation.ChannelMail,
			cancellation.ChannelRegisteredMail,
		},
		Now:   w.clock.Now,
		NewID: func() string { return uuid.Must(uuid.NewV7()).String() },
	}
}

// create cancels the product with this slug, again if need be.
func (w *world) create(slug string) cancellation.Cancellation {
	w.Helper()
	r := cancellationtest.Request(slug)
	r.Repeat = true
	c, created, err := w.requests.Create(w.Context(), cancellationtest.User(), r, nil)
	require.NoError(w, err)
	require.True(w, created)
	return c
}

func (w *world) read(id string) cancellation.Cancellation {
	w.Helper()
	c, err := w.store.Cancellation(w.Context(), cancellationtest.User(), id)
	require.NoError(w, err)
	return c
}

// send runs a letter-dispatch job.
func (w *world) send(c cancellation.Cancellation) error {
	return w.do(cancellation.JobSend, c, 1)
}

func (w *world) do(kind cancellation.JobKind, c cancellation.Cancellation, attempt int) error {
	job := cancellation.Job{Kind: kind, Partner: c.Owner.Partner, User: c.Owner.ID, CancellationID: c.ID}
	return logtest.Error(w.work.Do(w.Context(), job, attempt))
}

// sent cancels and hands the letter over.
func (w *world) sent(slug string) cancellation.Cancellation {
	w.Helper()
	c := w.create(slug)
	require.NoError(w, w.send(c))
	return w.read(c.ID)
}

// left empties the outbox and returns its jobs and event types.
func (w *world) left() (jobs []cancellation.Job, events []outbox.Event) {
	w.Helper()
	out, err := w.db.Scan(context.WithoutCancel(w.Context()), &dynamodb.ScanInput{TableName: &w.outbox})
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
		_, err = w.db.DeleteItem(w.Context(), &dynamodb.DeleteItemInput{TableName: &w.outbox, Key: dynamo.Item{"pk": dynamo.S(m.ID)}})
		require.NoError(w, err)
	}
	return jobs, events
}

// statuses returns the history without its times.
func statuses(c cancellation.Cancellation) []cancellation.Status {
	var list []cancellation.Status
	for _, step := range c.Steps() {
		list = append(list, step.Status)
	}
	return list
}
