package dispatch_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
	"aviso/localstack/tests/lettertest"
)

func TestHistoryIsAChain(t *testing.T) {
	w := newWorld(t)
	w.Email.Answers = []error{&dispatch.CarrierError{Failure: dispatch.CarrierRefused, Reason: "MessageRejected"}}
	c := w.Create("streaming")
	require.NoError(t, w.Send(c))
	require.NoError(t, w.Send(c))
	c = w.Read(c.ID)
	accepted, delivered := lettertest.By(c, dispatch.ReportAccepted), lettertest.By(c, dispatch.ReportDelivered)
	delivered.Received = evidence.Received{Body: []byte("delivered"), Signature: "signed"}
	delivered.At = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for _, report := range []dispatch.Report{accepted, delivered, accepted, delivered} {
		require.NoError(t, w.Feedback.Report(t.Context(), report))
	}
	for range 2 {
		require.NoError(t, w.Feedback.Reply(t.Context(), c.ID, "Rejected", "BindingPeriod", evidence.ActorOperator))
	}
	c = w.Read(c.ID)
	assert.Equal(t, []string{
		"partner Requested Created", "service Queued Queued", "service ChannelEnded Email CarrierRefused",
		"carrier HandedOver Fax Sent", "carrier Accepted Fax", "carrier Delivered Fax Delivered",
		"operator Rejected BindingPeriod Rejected",
	}, lettertest.Told(t, c))
	assert.Equal(t, []evidence.Proof{
		{Kind: evidence.ProofReference, Value: c.Delivery.Reference},
		{Kind: evidence.ProofSignature, Value: "signed"},
		{Kind: evidence.ProofDocument, SHA256: new(evidence.Of([]byte("delivered")))},
		{Kind: evidence.ProofReported, Value: "2026-03-02T12:00:00Z"},
	}, c.History[5].Proofs)
	assert.Equal(t, evidence.Hex(c.LetterSHA256), c.History[0].Proofs[1].SHA256)
	assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent", "Delivered", "Rejected"}, lettertest.Statuses(c))
}

func TestLargeDocumentIsOnlyDigested(t *testing.T) {
	w := newWorld(t)
	c := w.Sent("streaming")
	report := lettertest.By(c, dispatch.ReportDelivered)
	report.Received.Body = make([]byte, 1<<20)
	require.NoError(t, w.Feedback.Report(t.Context(), report))
	c = w.Read(c.ID)
	assert.Equal(t, cancellation.StatusDelivered, c.Status)
	assert.Contains(t, c.History[len(c.History)-1].Proofs,
		evidence.Proof{Kind: evidence.ProofDocument, SHA256: new(evidence.Of(report.Received.Body))})
}
