package app

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/bankclient"
	"aviso/internal/app/bootstrap"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationdb"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/cancellation/objection"
	"aviso/internal/cancellation/request"
	"aviso/internal/identity"
	"aviso/internal/messaging/outbox"
	"aviso/internal/messaging/overdue"
	"aviso/internal/money"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/contract"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/notificationtest"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// banking takes one user's connections through everything that may happen to them.
type banking struct {
	*world
	user   owner.User
	jobs   *connection.Jobs
	chores *overdue.Housekeeping
}

func newBanking(w *world) *banking {
	w.Helper()
	u, _, err := w.users.Create(w.Context(), "sandbox", german("customer-1"), nil)
	require.NoError(w, err)
	agreements := identity.NewAgreements(w.people, w.clock.Now)
	for _, terms := range []identity.TermsType{identity.TermsOperator, identity.TermsBankingSupplier} {
		_, err := agreements.Accept(w.Context(), u.Owner, terms, "1", nil)
		require.NoError(w, err)
	}
	sealer, err := keyring.Root{Current: "root of the sealing keys of the tests"}.Sealer(keyring.PageTokens)
	require.NoError(w, err)
	tokens := bankclient.ChangesToken(sealer, w.clock.Now)
	jobs := connection.NewJobs(w.store, connection.NewSyncer(w.store, contract.NewWatches(w.store, w.clock.Now),
		w.bank.Of, pfmtest.Enrich, tokens, w.clock.Now, uuid.NewString))
	w.bank.Listed = []pfm.BankAccount{{ResourceID: "r1", IBAN: "DE1", Currency: "EUR"}}
	w.bank.Rows = map[string][]pfm.BankTransaction{
		"r1": {{ID: "t1", Booked: true, Amount: money.MustParse("-1.00"), Currency: "EUR", BookingDate: "2026-03-01"}},
	}
	for _, day := range []pfm.Date{"2025-12-05", "2026-01-05", "2026-02-05"} {
		w.bank.Rows["r1"] = append(w.bank.Rows["r1"], pfm.BankTransaction{
			ID: string(day), Booked: true, Amount: money.MustParse("-9.99"), Currency: "EUR", BookingDate: day,
			CreditorName: "Turnhalle", MandateID: "M-1",
		})
	}
	for i, price := range []string{"-20.00", "-20.00", "-20.00", "-20.00", "-21.00", "-21.00"} { // a price rise
		day := pfm.DateOf(time.Date(2025, time.September+time.Month(i), 20, 0, 0, 0, 0, time.UTC))
		w.bank.Rows["r1"] = append(w.bank.Rows["r1"], pfm.BankTransaction{
			ID: string(day), Booked: true, Amount: money.MustParse(price), Currency: "EUR", BookingDate: day,
			CreditorName: "Funkturm", MandateID: "M-2",
		})
	}
	return &banking{
		world: w, user: u.Owner, jobs: jobs, chores: connection.NewHousekeeping(w.store, 90, w.clock.Now),
	}
}

// connect creates a connection, which has this state at the bank from the first
// sync on.
func (b *banking) connect(state pfm.ConsentState) connection.Connection {
	b.Helper()
	c, err := b.connections.Create(b.Context(), b.user, pfmtest.Provider().ID, returnURL, nil)
	require.NoError(b, err)
	user := connection.Visitor{IPAddress: "203.0.113.7", BaseURL: "https://api.example"}
	visit, err := b.connections.Open(b.Context(), c.ID, c.Authorisation.Link, user)
	require.NoError(b, err)
	requested := b.bank.Requested
	callback, err := url.Parse(requested[len(requested)-1].RedirectURL)
	require.NoError(b, err)
	opened, err := b.store.Connection(b.Context(), b.user, c.ID)
	require.NoError(b, err)
	b.bank.SetConsent(opened.Authorisation.ConsentID, pfm.Consent{State: pfm.ConsentValid})
	user.BrowserKey = visit.BrowserKey
	_, err = b.connections.Finish(b.Context(), callback.Path, callback.Query(), user)
	require.NoError(b, err)
	if state != pfm.ConsentValid {
		b.bank.SetConsent(opened.Authorisation.ConsentID, pfm.Consent{State: state})
		b.bank.Before = func(operation string) error {
			if operation == pfmtest.ReadAccounts {
				return pfmtest.Failure(pfm.SupplierConsentInvalid)
			}
			return nil
		}
	}
	b.work()
	b.bank.Before = nil
	return c
}

// refresh asks for a sync, and runs it once.
func (b *banking) refresh(c connection.Connection) {
	b.Helper()
	b.clock.Advance(2 * time.Hour)
	_, err := b.connections.Refresh(b.Context(), b.user, c.ID, connection.Visitor{IPAddress: "203.0.113.7"}, nil)
	require.NoError(b, err)
	b.work()
}

// work runs each waiting job once.
func (b *banking) work() {
	b.Helper()
	for id, body := range b.messages("sync") {
		var job connection.SyncJob
		require.NoError(b, json.Unmarshal([]byte(body), &job))
		require.NoError(b, b.jobs.Do(b.Context(), job, 1))
		b.take(id)
	}
}

func (b *banking) housekeep(after time.Duration) {
	b.Helper()
	b.clock.Advance(after)
	_, err := b.chores.Run(b.Context())
	require.NoError(b, err)
	b.work()
}

// watch lets a contract come near its deadline.
func (b *banking) watch() {
	b.Helper()
	today := pfm.DateOf(b.clock.Now())
	list, err := b.store.Subscriptions(b.Context(), b.user)
	require.NoError(b, err)
	require.NotEmpty(b, list)
	product := contract.Cancellable{OrganizationID: uuid.NewString(), ProductID: uuid.NewString()}
	notes, err := b.store.ContractNotes(b.Context(), b.user)
	require.NoError(b, err)
	notes.Facts = map[string]contract.Facts{list[0].ID: {Product: &product}}
	require.NoError(b, b.store.SaveContractNotes(b.Context(), notes))
	deadlines := pfmtest.Deadlines{product.ProductID: {
		EarliestEnd: today, EarliestFreeEnd: today.AddDays(60), NextChance: today.AddDays(425),
		Certainty: "Exact",
		SendBy:    []pfm.ContractSendBy{{Channel: "Email", Date: today.AddDays(20)}},
	}}
	b.clock.Advance(time.Hour)
	_, err = contract.NewDeadlineWatch(b.store, pfmtest.Cancellables{}.Find, deadlines.Find, b.clock.Now).Run(b.Context())
	require.NoError(b, err)
}

// cancelling takes cancellations through everything that may happen to them.
func cancelling(w *world, user owner.User) {
	w.Helper()
	store := cancellationdb.New(w.db, testenv.Table(w.T, "CancellationTable"), w.tables["OutboxTable"], w.clock.Now, uuid.NewString)
	carrier := &cancellationtest.Carrier{}
	email := map[cancellation.ChannelKind]dispatch.Carrier{cancellation.ChannelEmail: carrier}
	feedback := &dispatch.Feedback{Store: store, Now: w.clock.Now}
	jobs := &dispatch.Dispatcher{
		Store: store, Carriers: email, Outcomes: feedback, Now: w.clock.Now, NewID: uuid.NewString,
	}
	requests := &request.Requests{
		Store: store, Product: cancellationtest.NewProducts().OrganizationProduct, Gate: cancellationtest.Gate{},
		Writer: cancellationtest.Writer{}, Enabled: []cancellation.ChannelKind{cancellation.ChannelEmail},
		Now: w.clock.Now, NewID: bootstrap.NewSortableID,
	}
	create := func() cancellation.Cancellation {
		r := cancellationtest.Request("streaming")
		r.Repeat = true
		c, _, err := requests.Create(w.Context(), user, r, nil)
		require.NoError(w, err)
		return c
	}
	carry := func(c cancellation.Cancellation, state dispatch.ReportState) {
		require.NoError(
			w,
			jobs.Do(
				w.Context(),
				cancellation.Job{Kind: cancellation.JobSend, Partner: user.Partner, User: user.ID, CancellationID: c.ID},
				1,
			),
		)
		sent, err := store.Cancellation(w.Context(), user, c.ID)
		require.NoError(w, err)
		require.NoError(
			w,
			feedback.Report(w.Context(), dispatch.Report{CancellationID: c.ID, ShipmentID: sent.Delivery.ShipmentID, State: state}),
		)
	}
	report := func(state dispatch.ReportState) cancellation.Cancellation {
		c := create()
		carry(c, state)
		return c
	}
	_, err := requests.Withdraw(w.Context(), user, create().ID)
	require.NoError(w, err)
	report(dispatch.ReportFailed)
	require.NoError(
		w,
		feedback.Reply(w.Context(), report(dispatch.ReportDelivered).ID, cancellation.StatusConfirmed,
			cancellation.ReasonNone, evidence.ActorOrganization),
	)
	require.NoError(
		w,
		feedback.Reply(w.Context(), report(dispatch.ReportDelivered).ID, cancellation.StatusRejected,
			cancellation.ReasonBindingPeriod, evidence.ActorOrganization),
	)
	require.NoError(w, feedback.Answer(w.Context(), user, report(dispatch.ReportDelivered).ID, dispatch.Answer{
		By: evidence.ActorOrganization,
		Event: &cancellation.RepliedEventData{
			ReplyID: uuid.NewString(), Kind: "NeedsInformation", NeededFields: []string{"CUSTOMER_NUMBER"},
		},
	}))
	watched := report(dispatch.ReportDelivered)
	for i, seen := range []cancellation.Outcome{cancellation.OutcomeStillDebited, cancellation.OutcomeEnded} {
		job := cancellation.Job{
			Kind: cancellation.JobOutcome, Partner: user.Partner, User: user.ID, CancellationID: watched.ID,
			Outcome: &cancellation.OutcomeReport{
				Number: int64(i + 1), SubscriptionID: uuid.NewString(), Outcome: seen, End: "2026-03-31",
				Debits: []cancellation.Debit{{TransactionID: uuid.NewString(), Amount: "-9.99"}},
			},
		}
		require.NoError(w, jobs.Do(w.Context(), job, 1))
		if seen != cancellation.OutcomeStillDebited {
			continue
		}
		r := cancellationtest.Request("streaming")
		for _, state := range []dispatch.ReportState{dispatch.ReportFailed, dispatch.ReportDelivered} {
			objections := &objection.Objections{Store: store, Requests: requests, Evidence: cancellationtest.Evidence(store)}
			o, err := objections.Create(w.Context(), user,
				objection.Request{CancellationID: watched.ID, Parameters: r.Parameters, Signature: r.Signature}, nil)
			require.NoError(w, err)
			carry(o, state)
		}
	}
}

// failing lets a receiver fail until a delivery is given up.
func failing(w *world, partner owner.PartnerID) {
	w.Helper()
	sealer, err := keyring.Root{Current: "root of the sealing keys of the tests"}.Sealer(keyring.WebhookKeys)
	require.NoError(w, err)
	store := notificationdb.New(
		w.db, testenv.Table(w.T, "NotificationTable"), w.tables["OutboxTable"], sealer, w.clock.Now, uuid.NewString)
	address := "https://partner.example/hook"
	anyAddress := func(string) error { return nil }
	_, _, err = notification.NewSubscriptions(store, anyAddress, w.clock.Now, uuid.NewString).Create(
		w.Context(), partner, notification.SubscriptionInput{ServerURL: &address, Events: []string{notification.AllEvents}}, nil)
	require.NoError(w, err)
	fails := func(context.Context, notification.Call) notification.Result {
		return notification.Result{Outcome: notification.OutcomeHTTPError, Detail: "the status is 502, not 200"}
	}
	deliverer := notification.NewDeliverer(store, store, fails, nil, w.clock.Now, uuid.NewString)
	e := outbox.Event{ID: uuid.NewString(), Type: "webhook.ping", Partner: partner, Data: json.RawMessage(`{}`)}
	wake, err := notificationtest.Dispatch(w.Context(), notification.NewFanOut(store, "test", nil, w.clock.Now), e)
	require.NoError(w, err)
	require.Len(w, wake, 1)
	require.NoError(w, deliverer.Deliver(w.Context(), wake[0], 1))
}

// Every event that an area emits is listed by GET /event-types, and every event on
// that list is emitted.
func TestEveryEventMatchesItsSchema(t *testing.T) {
	w := newWorld(t)
	b := newBanking(w)
	cancelling(w, b.user)
	_, err := w.connections.Create(t.Context(), b.user, pfmtest.Provider().ID, returnURL, nil)
	require.NoError(t, err)
	b.housekeep(connection.LinkLifetime) // failed
	b.connect(pfm.ConsentRevokedByPSU)
	require.NoError(t, w.connections.Delete(t.Context(), b.user, b.connect(pfm.ConsentValid).ID))
	b.work()
	c := b.connect(pfm.ConsentValid)
	b.bank.Before = func(string) error { return pfmtest.Failure(pfm.SupplierRejected) }
	b.refresh(c) // sync failed
	b.bank.Before = nil
	b.refresh(c)                   // sync recovered
	b.watch()                      // a deadline
	b.connect(pfm.ConsentReceived) // action required
	for range 2*pfm.MaxConsentDays + 4 {
		b.housekeep(12 * time.Hour) // expiring, expired; what failed and was revoked is deleted
	}
	for range 80 {
		b.housekeep(24 * time.Hour) // data expiring
	}
	failing(w, b.user.Partner)
	_, err = w.users.Erase(t.Context(), b.user)
	require.NoError(t, err)
	for range 4 {
		require.NoError(t, w.minute())
	}

	told := map[string]int{}
	for _, e := range w.told {
		told[e.Type]++
		assert.NoError(t, notification.ValidateData(e.Type, e.Data), "%s %s", e.Type, e.Data)
		if e.Type == notification.EventSubscriptionFailing {
			assert.Empty(t, e.User)
		} else {
			assert.Equal(t, b.user.ID, e.User)
		}
		assert.Equal(t, b.user.Partner, e.Partner)
		assert.NoError(t, uuid.Validate(e.ID))
		assert.Equal(t, time.UTC, e.OccurredAt.Time().Location())
	}
	var want []string
	for _, e := range notification.EventTypes() {
		if e.Type != "webhook.ping" { // partners ask for it
			want = append(want, e.Type)
		}
	}
	assert.ElementsMatch(t, want, slices.Collect(maps.Keys(told)))
	for kind, n := range map[string]int{
		connection.EventFailed: 1, connection.EventExpiring: 2, connection.EventExpired: 1, connection.EventRevoked: 1,
		connection.EventActionRequired: 1, connection.EventDeleted: 3, connection.EventDataExpiring: 1,
		contract.EventPriceIncreased: 2, // another connection, after the first one is deleted, has contracts of its own
		connection.EventActivated:    4, connection.EventSyncFailed: 1, connection.EventSyncRecovered: 1, identity.EventUserErased: 1,
		notification.EventSubscriptionFailing: 1,
	} {
		assert.Equal(t, n, told[kind], kind)
	}
}
