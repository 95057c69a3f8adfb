package app

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/app/bootstrap"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/request"
	"aviso/internal/clock"
	"aviso/internal/console/consoledb"
	"aviso/internal/console/feed"
	"aviso/internal/identity"
	"aviso/internal/identity/identitydb"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/overdue"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/owner"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/pfm/pfmdb"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// areas is a world with every area.
type areas struct {
	*world
	letters   *cancellationdb.Store
	requests  *request.Requests
	work      *dispatch.Dispatcher
	chores    *overdue.Housekeeping
	carrier   *cancellationtest.Carrier
	notices   *notificationdb.Store
	fanOut    *notification.FanOut
	deliverer *notification.Deliverer
	past      *consoledb.Store
	woken     []notification.DeliveryKey
	posted    []string // the bodies that the receiver got
}

func newAreas(t *testing.T) *areas {
	t.Helper()
	a := &areas{world: newWorld(t), carrier: &cancellationtest.Carrier{}}
	for _, id := range []string{"CancellationTable", "NotificationTable", "ConsoleTable"} {
		a.tables[id] = testenv.Table(t, id)
	}
	db := testenv.DynamoDB(t)
	identityTable, outboxTable := a.tables["IdentityTable"], a.tables["OutboxTable"]
	a.store = pfmdb.New(db, a.tables["PfmTable"], outboxTable, a.clock.Now, uuid.NewString)
	a.letters = cancellationdb.New(db, a.tables["CancellationTable"], outboxTable, a.clock.Now, uuid.NewString)
	a.notices = notificationdb.New(db, a.tables["NotificationTable"], outboxTable, openKeys{}, a.clock.Now, uuid.NewString)
	a.past = consoledb.New(db, a.tables["ConsoleTable"], identityTable, a.clock.Now)
	for _, store := range []interface{ RequireUsers(string) }{a.store, a.letters, a.notices} {
		store.RequireUsers(identityTable)
	}
	a.deleter = pfmtest.Jobs(a.store, a.bank.Of, pfmtest.Enrich, a.clock.Now)
	a.runner = identity.NewErasureRunner(
		identitydb.NewErasureTaskStore(identitydb.New(db, identityTable), outboxTable, uuid.NewString), a.clock.Now,
		&connection.Eraser{Store: a.store, Now: a.clock.Now}, &dispatch.Eraser{Store: a.letters, Now: a.clock.Now},
		notification.NewEraser(a.notices), idempotency.New(db, a.tables["IdempotencyTable"]),
		consoledb.NewEraser(db, a.tables["ConsoleTable"]))
	a.chores = dispatch.NewHousekeeping(a.letters, a.clock.Now)
	a.newCarriers()
	a.fanOut = notification.NewFanOut(a.notices, "test", nil, a.clock.Now)
	a.deliverer = notification.NewDeliverer(a.notices, a.notices, a.receive, []time.Duration{time.Minute}, a.clock.Now, uuid.NewString)
	a.deliverer.KeepPayloads = true
	for path, types := range map[string][]string{
		"well": {"cancellation.sent", "cancellation.withdrawn", "user.erased"}, "failing": {"cancellation.created", "user.erased"},
	} {
		sub := notificationtest.SampleSubscription()
		sub.ID, sub.Partner, sub.ServerURL = uuid.NewString(), "sandbox", "https://partner.example/"+path
		sub.Events, sub.Status = types, notification.SubscriptionActive
		require.NoError(t, a.notices.CreateSubscription(t.Context(), sub, notificationtest.SampleSecret(a.clock.Now()), nil))
	}
	return a
}

// openKeys stores signing keys as they are.
type openKeys struct{}

func (openKeys) Seal(plain []byte, _ string) []byte           { return plain }
func (openKeys) Open(sealed []byte, _ string) ([]byte, error) { return sealed, nil }

func (a *areas) newCarriers() {
	carriers := map[cancellation.ChannelKind]dispatch.Carrier{}
	erasers := map[cancellation.ChannelKind]dispatch.CarrierEraser{}
	channels := []cancellation.ChannelKind{
		cancellation.ChannelEmail, cancellation.ChannelFax, cancellation.ChannelMail, cancellation.ChannelRegisteredMail,
	}
	for _, kind := range channels {
		carriers[kind], erasers[kind] = a.carrier, a.carrier
	}
	a.work = &dispatch.Dispatcher{
		Store: a.letters, Carriers: carriers, Erasers: erasers, Outcomes: &dispatch.Feedback{Store: a.letters, Now: a.clock.Now},
		Now: a.clock.Now, NewID: uuid.NewString,
	}
	a.requests = &request.Requests{
		Store: a.letters, Product: cancellationtest.NewProducts().OrganizationProduct, Gate: cancellationtest.Gate{},
		Writer: cancellationtest.Writer{}, Enabled: channels, Now: a.clock.Now, NewID: bootstrap.NewSortableID,
	}
}

// receive is the receiver behind both subscriptions.
func (a *areas) receive(_ context.Context, c notification.Call) notification.Result {
	a.posted = append(a.posted, string(c.Body))
	if c.URL == "https://partner.example/well" {
		return notification.Result{Outcome: notification.OutcomeAcknowledged, HTTPStatus: 200}
	}
	return notification.Result{Outcome: notification.OutcomeHTTPError, HTTPStatus: 500}
}

func (a *areas) cancel(user owner.User, slug string) cancellation.Cancellation {
	a.Helper()
	r := cancellationtest.Request(slug)
	r.ExternalID, r.Repeat = uuid.NewString(), true
	c, _, err := a.requests.Create(a.Context(), user, r, nil)
	require.NoError(a, err)
	return c
}

// pump processes the outbox, and then what waits in the queues, until a message fails.
func (a *areas) pump() error {
	var failed error
	sent := func(id string, err error) {
		var later interface{ Unwrap() error }
		if failed = errors.Join(failed, err); err == nil || errors.As(err, &later) {
			a.take(id)
		}
	}
	for id, body := range a.messages(outbox.EventQueue) {
		var e outbox.Event
		require.NoError(a, json.Unmarshal([]byte(body), &e))
		a.told = append(a.told, e)
		sent(id, errors.Join(a.dispatch(e), a.seen(e)))
	}
	for id, body := range a.messages(outbox.LetterQueue) {
		var job cancellation.Job
		require.NoError(a, json.Unmarshal([]byte(body), &job))
		sent(id, a.work.Do(a.Context(), job, 1))
	}
	for id, job := range a.jobs() {
		if job.Watch != nil {
			sent(id, contract.NewWatches(a.store, a.clock.Now).Take(a.Context(), job.Owner(), *job.Watch))
			continue
		}
		sent(id, a.deleter.Delete(a.Context(), job, 1))
	}
	var waiting []notification.DeliveryKey
	for _, k := range a.woken {
		if err := a.deliverer.Deliver(a.Context(), k, 1); err != nil {
			waiting = append(waiting, k)
		}
	}
	a.woken = waiting
	return failed
}

// dispatch fans an event out.
func (a *areas) dispatch(e outbox.Event) error {
	wake, err := notificationtest.Dispatch(a.Context(), a.fanOut, e)
	a.woken = append(a.woken, wake...)
	return err
}

// seen feeds an event to the console, as its stream does.
func (a *areas) seen(e outbox.Event) error {
	body, err := json.Marshal(e)
	require.NoError(a, err)
	res, err := feed.New(a.past, slog.New(slog.DiscardHandler)).HandleStream(a.Context(), events.DynamoDBEvent{
		Records: []events.DynamoDBEventRecord{{
			EventName: "INSERT", Change: events.DynamoDBStreamRecord{
				SequenceNumber:              "1",
				ApproximateCreationDateTime: events.SecondsEpochTime{Time: a.clock.Now()},
				NewImage: map[string]events.DynamoDBAttributeValue{
					"queue": events.NewStringAttribute(outbox.EventQueue), "body": events.NewStringAttribute(string(body)),
				},
			},
		}},
	})
	if len(res.BatchItemFailures) > 0 {
		return errors.New("the console has not seen the event")
	}
	return err
}

// busyUser creates a user with data of every kind: letters sent by e-mail and by post,
// one withdrawn by the user and two that wait; deliveries that are settled, given up
// and pending; an account, and a stored answer.
func (a *areas) busyUser(externalID string) owner.User {
	a.Helper()
	u, _, err := a.users.Create(a.Context(), "sandbox", german(externalID), nil)
	require.NoError(a, err)
	user := u.Owner
	c, lease := a.syncing(user)
	a.fill(c, lease, 2)
	require.NoError(a, a.store.FinishSync(a.Context(), lease, c, func(*connection.Connection) []connection.SyncJob { return nil }))
	require.NoError(a, a.answers.Keep(a.Context(), user, "k", idempotency.Answer{}, a.clock.Now()))
	a.cancel(user, "streaming")
	a.cancel(user, "post")
	_, err = a.requests.Withdraw(a.Context(), user, a.cancel(user, "written").ID)
	require.NoError(a, err)
	for range 3 { // the failing receiver is given up after two attempts
		_ = a.pump()
		a.clock.Advance(time.Minute)
	}
	require.Empty(a, a.woken)
	a.cancel(user, "streaming")
	a.cancel(user, "post")
	return user
}

func busyReceipt() map[string]int {
	return map[string]int{
		"users": 1, "termsAcceptances": 0, "connections": 1, "accounts": 1, "transactions": 2, "storedAnswers": 1,
		"cancellations": 5, "evidence": 5, "letters": 5, "withdrawals": 2,
	}
}

// finish runs housekeeping and everything behind the queues until the erasure is
// complete and the partner has heard of it.
func (a *areas) finish(id string) identity.ErasureReceipt {
	a.Helper()
	for range 30 {
		a.clock.Advance(time.Minute)
		_, _ = a.chores.Run(a.Context())
		_, _ = a.runner.Run(a.Context())
		_ = a.pump()
		if a.receipt(id).Status == identity.ErasureCompleted && len(a.woken) == 0 && len(a.scan("OutboxTable")) == 0 {
			break
		}
	}
	return a.receipt(id)
}

func (a *areas) erased(user owner.User, externalID string, e identity.ErasureReceipt) {
	a.Helper()
	require.Equal(a, identity.ErasureCompleted, e.Status)
	counts := e.Counts
	delete(counts, "notifications") // how many are pending depends on when it was counted
	assert.Equal(a, busyReceipt(), counts)
	assert.Empty(a, a.traces(user))
	assert.Empty(a, a.traces(owner.User{ID: owner.UserID(externalID)}))
	assert.Contains(a, a.posted[len(a.posted)-1], `"user.erased"`)
}

func TestErasureClosesAtOnce(t *testing.T) {
	t.Run("a letter that waits is not handed over, and its withdrawal is counted", func(t *testing.T) {
		a := newAreas(t)
		user := a.busyUser("customer-1")
		a.cancel(user, "written")
		before := len(a.carrier.Sent)
		id := a.begin(user)
		_ = a.pump() // before housekeeping's next minute
		assert.Len(t, a.carrier.Sent, before)
		e := a.finish(id)
		assert.Len(t, a.carrier.Sent, before)
		assert.Equal(t, 3, e.Counts["withdrawals"])
		assert.Empty(t, a.traces(user))
	})

	t.Run("and goes on if the partner is disabled, whose letters and callbacks wait", func(t *testing.T) {
		a := newAreas(t)
		user := a.busyUser("customer-1")
		a.carrier.Answers = []error{&dispatch.CarrierError{Failure: dispatch.CarrierUnclear}}
		_ = a.pump() // leaves a letter that may have left
		before := len(a.carrier.Sent)
		shut := func(context.Context, owner.PartnerID) (bool, error) { return true, nil }
		a.work.Disabled, a.chores.Disabled = shut, shut
		a.fanOut = notification.NewFanOut(notification.Pausing{Disabled: shut}.FanOut(a.notices), "test", nil, a.clock.Now)
		e := a.finish(a.begin(user))
		assert.Equal(t, identity.ErasureCompleted, e.Status)
		assert.Len(t, a.carrier.Sent, before)
		assert.Empty(t, a.traces(user))
	})

	t.Run("a call that was admitted before writes nothing after", func(t *testing.T) {
		a := newAreas(t)
		user := a.busyUser("customer-1")
		c, _ := a.syncing(user)
		open, err := a.store.Connection(t.Context(), user, c.ID)
		require.NoError(t, err)
		a.begin(user)
		before := a.traces(user)
		_, _, err = a.requests.Create(t.Context(), user, cancellationtest.Request("streaming"), nil)
		assert.True(t, apierror.Is(err, apierror.UserNotFound), err)
		require.Error(t, a.store.CreateConnection(t.Context(), connection.Connection{ID: uuid.NewString(), Owner: user}, nil))
		require.Error(t, a.store.SaveConnection(t.Context(), open, nil))
		lease := connection.Lease{Token: "t", Until: a.clock.Now()}
		_, err = a.store.AcquireSync(t.Context(), user, c.ID, lease, a.clock.Now().Add(time.Hour))
		require.Error(t, err)
		assert.ElementsMatch(t, before, a.traces(user))
	})

	t.Run("an event that is fanned out late reaches nobody", func(t *testing.T) {
		a := newAreas(t)
		user := a.busyUser("customer-1")
		e, err := outbox.NewEvent(uuid.NewString(), "cancellation.sent", clock.OfUser(a.clock.Now()), user, struct{}{})
		require.NoError(t, err)
		a.erased(user, "customer-1", a.finish(a.begin(user)))
		require.NoError(t, a.dispatch(e))
		require.NoError(t, a.seen(e))
		assert.Empty(t, a.woken)
		assert.Empty(t, a.traces(user))
	})
}
