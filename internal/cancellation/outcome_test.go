package cancellation_test

import (
	"encoding/json"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationtest"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/dynamo"
	"aviso/internal/messaging/outbox"
)

// orders returns the orders to watch contracts that are in the outbox.
func (w *world) orders() []cancellation.WatchOrder {
	w.Helper()
	out, err := w.db.Scan(w.Context(), &dynamodb.ScanInput{TableName: &w.outbox})
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

func (w *world) reportOutcome(id string, r cancellation.OutcomeReport) {
	w.Helper()
	user := cancellationtest.User()
	require.NoError(w, w.work.Do(w.Context(), cancellation.Job{
		Kind: cancellation.JobOutcome, Partner: user.Partner, User: user.ID, CancellationID: id, Outcome: &r,
	}, 1))
}

func TestContractIsWatchedWhenTheLetterIsSent(t *testing.T) {
	w := newWorld(t)
	request := cancellationtest.Request("streaming")
	request.SubscriptionID = contractID
	c, _, err := w.requests.Create(t.Context(), cancellationtest.User(), request, nil)
	require.NoError(t, err)
	assert.Equal(t, contractID, w.read(c.ID).SubscriptionID)
	assert.Empty(t, w.orders(), "before the letter has left")
	require.NoError(t, w.send(c))
	want := cancellation.WatchOrder{
		CancellationID: c.ID, OrganizationID: c.OrganizationID, SubscriptionID: contractID, SentOn: "2026-03-02",
	}
	assert.Equal(t, []cancellation.WatchOrder{want}, w.orders())
	require.NoError(t, w.feedback.Report(t.Context(), by(w.read(c.ID), cancellation.ReportDelivered)))
	assert.Len(t, w.orders(), 1, "once")
	w.left()
	require.NoError(t, w.feedback.Reply(t.Context(), c.ID, "Rejected", "BindingPeriod", evidence.ActorOperator))
	assert.Equal(t, []cancellation.WatchOrder{{CancellationID: c.ID, Stop: true}}, w.orders())
}

func TestContractOfARequest(t *testing.T) {
	w := newWorld(t)
	request := cancellationtest.Request("streaming")
	request.SubscriptionID = cancellationtest.User().Key()
	_, _, err := w.requests.Create(t.Context(), cancellationtest.User(), request, nil)
	refused := apierror.Invalid(apierror.Field{
		Pointer: "/subscriptionId", Code: "unknown", Detail: "The user has no recurring contract with this ID.",
	})
	assert.Equal(t, refused, err)
	_, err = w.requests.Preview(t.Context(), cancellationtest.User(), request)
	assert.Equal(t, refused, err)
}

func TestOutcome(t *testing.T) {
	w := newWorld(t)
	c := w.create("streaming")
	shows := func(want cancellation.Outcome, reason cancellation.OutcomeReason) cancellation.Cancellation {
		t.Helper()
		c := w.read(c.ID)
		got, why := c.Outcome()
		assert.Equal(t, want, got)
		assert.Equal(t, reason, why)
		return c
	}
	shows("Waiting", "LetterNotSent")
	require.NoError(t, w.send(c))
	shows("Unknown", "ContractUnknown")
	steps := len(w.read(c.ID).History)
	w.left()

	debit := cancellation.Debit{
		TransactionID: "5f0d6c1e-8a53-4c58-9a0e-2f9d0c7b6a41", Date: "2026-04-04", Amount: "-13.99",
		Currency: "EUR",
	}
	report := func(
		n int64, o cancellation.Outcome, why cancellation.OutcomeReason, debits ...cancellation.Debit,
	) cancellation.OutcomeReport {
		return cancellation.OutcomeReport{Number: n, SubscriptionID: contractID, Outcome: o, Reason: why, Debits: debits}
	}
	events := func() (list []string) {
		t.Helper()
		_, all := w.left()
		for _, e := range all {
			list = append(list, e.Type)
		}
		return list
	}
	waiting, debited := report(1, "Waiting", "ContractRuns"), report(2, "StillDebited", "DebitAfterEnd", debit)

	w.reportOutcome(c.ID, debited)
	seen := shows("StillDebited", "DebitAfterEnd")
	assert.Equal(t, contractID, seen.SubscriptionID)
	assert.Equal(t, []cancellation.Debit{debit}, seen.Seen.Debits)
	_, all := w.left()
	require.Len(t, all, 1)
	assert.Equal(t, "cancellation.debit_after_end", all[0].Type)
	assert.JSONEq(t, `{"cancellationId":"`+c.ID+`","externalCancellationRequestIdentifier":"","status":"Sent",`+
		`"statusReason":"","channel":"Email","subscriptionId":"`+contractID+`","outcome":"StillDebited",`+
		`"transactionIds":["5f0d6c1e-8a53-4c58-9a0e-2f9d0c7b6a41"]}`,
		string(all[0].Data))

	w.reportOutcome(c.ID, waiting)
	w.reportOutcome(c.ID, debited)
	shows("StillDebited", "DebitAfterEnd")
	assert.Empty(t, events(), "late, and twice")

	refunded := debit
	refunded.RefundID = "5f0d6c1e-8a53-4c58-9a0e-2f9d0c7b6a42"
	w.reportOutcome(c.ID, report(3, "Waiting", "Refunded", refunded))
	assert.Equal(t, refunded, shows("Waiting", "Refunded").Seen.Debits[0])
	assert.Empty(t, events())
	w.reportOutcome(c.ID, report(5, "Ended", "DebitsStopped", refunded))
	assert.Equal(t, []string{"cancellation.effective"}, events())
	again := debit
	again.TransactionID = "5f0d6c1e-8a53-4c58-9a0e-2f9d0c7b6a43"
	w.reportOutcome(c.ID, report(6, "StillDebited", "DebitAfterEnd", refunded, again))
	assert.Equal(t, []string{"cancellation.debit_after_end"}, events())
	w.reportOutcome(c.ID, report(7, "Ended", "DebitsStopped", refunded, again))
	assert.Empty(t, events(), "effective only once")

	list := told(t, w.read(c.ID))
	assert.Equal(t, []string{
		"service OutcomeChanged StillDebited", "service OutcomeChanged Waiting", "service OutcomeChanged Ended",
		"service OutcomeChanged StillDebited", "service OutcomeChanged Ended",
	}, list[steps:])

	require.NoError(t, w.feedback.Reply(t.Context(), c.ID, "Rejected", "BindingPeriod", evidence.ActorOperator))
	shows("Unknown", "NotCancelled")
	w.left()
	w.reportOutcome(c.ID, report(8, "StillDebited", "DebitAfterEnd", refunded, again))
	shows("Unknown", "NotCancelled")
	assert.Empty(t, events())

	w.reportOutcome("unknown", debited)
}
