package dispatch_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/lettertest"
)

func TestContractIsWatchedWhenTheLetterIsSent(t *testing.T) {
	w := newWorld(t)
	request := cancellationtest.Request("streaming")
	request.SubscriptionID = lettertest.ContractID
	c, _, err := w.Requests.Create(t.Context(), cancellationtest.User(), request, nil)
	require.NoError(t, err)
	assert.Equal(t, lettertest.ContractID, w.Read(c.ID).SubscriptionID)
	assert.Empty(t, w.Orders(), "before the letter has left")
	require.NoError(t, w.Send(c))
	want := cancellation.WatchOrder{
		CancellationID: c.ID, OrganizationID: c.OrganizationID, SubscriptionID: lettertest.ContractID, SentOn: "2026-03-02",
	}
	assert.Equal(t, []cancellation.WatchOrder{want}, w.Orders())
	require.NoError(t, w.Feedback.Report(t.Context(), lettertest.By(w.Read(c.ID), dispatch.ReportDelivered)))
	assert.Len(t, w.Orders(), 1, "once")
	w.Left()
	require.NoError(t, w.Feedback.Reply(t.Context(), c.ID, "Rejected", "BindingPeriod", evidence.ActorOperator))
	assert.Equal(t, []cancellation.WatchOrder{{CancellationID: c.ID, Stop: true}}, w.Orders())
}

// The day that the organization confirms replaces ours: bank-sync watches the debits and reminds the user from then on.
func TestContractIsWatchedUntilTheConfirmedEnd(t *testing.T) {
	w := newWorld(t)
	request := cancellationtest.Request("gym")
	request.SubscriptionID = lettertest.ContractID
	c, _, err := w.Requests.Create(t.Context(), cancellationtest.User(), request, nil)
	require.NoError(t, err)
	require.NoError(t, w.Send(c))
	orders := w.Orders()
	require.Len(t, orders, 1)
	assert.Equal(t, string(c.EndDate), orders[0].End)
	assert.False(t, orders[0].Confirmed)
	w.Left()
	digest := evidence.Of([]byte("a mail"))
	answer := dispatch.Answer{
		Status: cancellation.StatusConfirmed, EndDate: "2026-09-30", By: evidence.ActorOrganization,
		Proofs: []evidence.Proof{{Kind: evidence.ProofDocument, SHA256: &digest}},
	}
	for range 2 { // the same mail twice
		require.NoError(t, w.Feedback.Answer(t.Context(), c.Owner, c.ID, answer))
	}
	all := w.Orders()
	require.NotEmpty(t, all)
	assert.Equal(t, "2026-09-30", all[len(all)-1].End)
	assert.True(t, all[len(all)-1].Confirmed)
	assert.Equal(t, "2026-09-30", string(w.Read(c.ID).ConfirmedEnd))
}

func TestOutcome(t *testing.T) {
	w := newWorld(t)
	c := w.Create("streaming")
	shows := func(want cancellation.Outcome, reason cancellation.OutcomeReason) cancellation.Cancellation {
		t.Helper()
		c := w.Read(c.ID)
		got, why := c.Outcome()
		assert.Equal(t, want, got)
		assert.Equal(t, reason, why)
		return c
	}
	shows("Waiting", "LetterNotSent")
	require.NoError(t, w.Send(c))
	shows("Unknown", "ContractUnknown")
	steps := len(w.Read(c.ID).History)
	w.Left()

	debit := cancellation.Debit{
		TransactionID: "5f0d6c1e-8a53-4c58-9a0e-2f9d0c7b6a41", Date: "2026-04-04", Amount: "-13.99",
		Currency: "EUR",
	}
	report := func(
		n int64, o cancellation.Outcome, why cancellation.OutcomeReason, debits ...cancellation.Debit,
	) cancellation.OutcomeReport {
		return cancellation.OutcomeReport{Number: n, SubscriptionID: lettertest.ContractID, Outcome: o, Reason: why, Debits: debits}
	}
	events := func() (list []string) {
		t.Helper()
		_, all := w.Left()
		for _, e := range all {
			list = append(list, e.Type)
		}
		return list
	}
	waiting, debited := report(1, "Waiting", "ContractRuns"), report(2, "StillDebited", "DebitAfterEnd", debit)

	w.ReportOutcome(c.ID, debited)
	seen := shows("StillDebited", "DebitAfterEnd")
	assert.Equal(t, lettertest.ContractID, seen.SubscriptionID)
	assert.Equal(t, []cancellation.Debit{debit}, seen.Seen.Debits)
	_, all := w.Left()
	require.Len(t, all, 1)
	assert.Equal(t, "cancellation.debit_after_end", all[0].Type)
	assert.JSONEq(t, `{"cancellationId":"`+c.ID+`","externalCancellationRequestIdentifier":"","status":"Sent",`+
		`"statusReason":"","channel":"Email","subscriptionId":"`+lettertest.ContractID+`","outcome":"StillDebited",`+
		`"transactionIds":["5f0d6c1e-8a53-4c58-9a0e-2f9d0c7b6a41"]}`,
		string(all[0].Data))

	w.ReportOutcome(c.ID, waiting)
	w.ReportOutcome(c.ID, debited)
	shows("StillDebited", "DebitAfterEnd")
	assert.Empty(t, events(), "late, and twice")

	refunded := debit
	refunded.RefundID = "5f0d6c1e-8a53-4c58-9a0e-2f9d0c7b6a42"
	w.ReportOutcome(c.ID, report(3, "Waiting", "Refunded", refunded))
	assert.Equal(t, refunded, shows("Waiting", "Refunded").Seen.Debits[0])
	assert.Empty(t, events())
	w.ReportOutcome(c.ID, report(5, "Ended", "DebitsStopped", refunded))
	assert.Equal(t, []string{"cancellation.effective"}, events())
	again := debit
	again.TransactionID = "5f0d6c1e-8a53-4c58-9a0e-2f9d0c7b6a43"
	w.ReportOutcome(c.ID, report(6, "StillDebited", "DebitAfterEnd", refunded, again))
	assert.Equal(t, []string{"cancellation.debit_after_end"}, events())
	w.ReportOutcome(c.ID, report(7, "Ended", "DebitsStopped", refunded, again))
	assert.Empty(t, events(), "effective only once")

	list := lettertest.Told(t, w.Read(c.ID))
	assert.Equal(t, []string{
		"service OutcomeChanged StillDebited", "service OutcomeChanged Waiting", "service OutcomeChanged Ended",
		"service OutcomeChanged StillDebited", "service OutcomeChanged Ended",
	}, list[steps:])

	require.NoError(t, w.Feedback.Reply(t.Context(), c.ID, "Rejected", "BindingPeriod", evidence.ActorOperator))
	shows("Unknown", "NotCancelled")
	w.Left()
	w.ReportOutcome(c.ID, report(8, "StillDebited", "DebitAfterEnd", refunded, again))
	shows("Unknown", "NotCancelled")
	assert.Empty(t, events())

	w.ReportOutcome("unknown", debited)
}
