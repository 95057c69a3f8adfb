package cancellation_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
)

// told returns the history in words, and checks that it is a chain.
func told(t *testing.T, c cancellation.Cancellation) []string {
	t.Helper()
	var list []string
	var previous *evidence.Digest
	for _, s := range c.History {
		assert.Equal(t, previous, s.Previous, s.Event)
		text := fmt.Sprint(s.Actor, " ", s.Event)
		for _, more := range []string{s.Channel, s.Reason, string(s.Status)} {
			if more != "" {
				text += " " + more
			}
		}
		list = append(list, text)
		entry := evidence.Entry{
			Previous: s.Previous, At: evidence.Time{Time: s.At}, Status: string(s.Status.Shown()), Fact: s.Fact,
		}
		digest, err := entry.Digest()
		require.NoError(t, err)
		previous = &digest
	}
	return list
}

func TestHistoryIsAChain(t *testing.T) {
	w := newWorld(t)
	w.email.Answers = []error{&cancellation.CarrierError{Failure: cancellation.CarrierRefused, Reason: "MessageRejected"}}
	c := w.create("streaming")
	require.NoError(t, w.send(c))
	require.NoError(t, w.send(c))
	c = w.read(c.ID)
	accepted, delivered := by(c, cancellation.ReportAccepted), by(c, cancellation.ReportDelivered)
	delivered.Received = cancellation.Received{Body: []byte("delivered"), Signature: "signed"}
	delivered.At = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	for _, report := range []cancellation.Report{accepted, delivered, accepted, delivered} {
		require.NoError(t, w.feedback.Report(t.Context(), report))
	}
	for range 2 {
		require.NoError(t, w.feedback.Reply(t.Context(), c.ID, "Rejected", "BindingPeriod", evidence.ActorOperator))
	}
	c = w.read(c.ID)
	assert.Equal(t, []string{
		"partner Requested Created", "service Queued Queued", "service ChannelEnded Email CarrierRefused",
		"carrier HandedOver Fax Sent", "carrier Accepted Fax", "carrier Delivered Fax Delivered",
		"operator Rejected BindingPeriod Rejected",
	}, told(t, c))
	assert.Equal(t, []evidence.Proof{
		{Kind: evidence.ProofReference, Value: c.Delivery.Reference},
		{Kind: evidence.ProofSignature, Value: "signed"},
		{Kind: evidence.ProofDocument, SHA256: new(evidence.Of([]byte("delivered")))},
		{Kind: evidence.ProofReported, Value: "2026-03-02T12:00:00Z"},
	}, c.History[5].Proofs)
	assert.Equal(t, evidence.Hex(c.LetterSHA256), c.History[0].Proofs[1].SHA256)
	assert.Equal(t, []cancellation.Status{"Created", "Queued", "Sent", "Delivered", "Rejected"}, statuses(c))
}

func TestWithdrawalIsInTheChain(t *testing.T) {
	w := newWorld(t)
	c := w.create("streaming")
	_, err := w.requests.Withdraw(t.Context(), c.Owner, c.ID)
	require.NoError(t, err)
	assert.Equal(t, []string{"partner Requested Created", "partner Withdrawn Withdrawn"}, told(t, w.read(c.ID)))
}

func TestLargeDocumentIsOnlyDigested(t *testing.T) {
	w := newWorld(t)
	c := w.sent("streaming")
	report := by(c, cancellation.ReportDelivered)
	report.Received.Body = make([]byte, 1<<20)
	require.NoError(t, w.feedback.Report(t.Context(), report))
	c = w.read(c.ID)
	assert.Equal(t, cancellation.StatusDelivered, c.Status)
	assert.Contains(t, c.History[len(c.History)-1].Proofs,
		evidence.Proof{Kind: evidence.ProofDocument, SHA256: new(evidence.Of(report.Received.Body))})
}
