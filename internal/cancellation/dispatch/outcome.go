package dispatch

import (
	"context"
	"errors"
	"slices"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/owner"
)

// ReportOutcome records what was seen in the user's account. Reports arrive more than once
// and out of order, so one that is out of date changes nothing.
func (f *Feedback) ReportOutcome(ctx context.Context, user owner.User, id string, r *cancellation.OutcomeReport) error {
	if r == nil {
		return errors.New("job without an outcome")
	}
	return f.change(ctx, user, id, func(c *cancellation.Cancellation, now time.Time) []cancellation.Job {
		if r.Number > c.Seen.Number && !c.CameToNothing() {
			see(c, *r, now)
		}
		return nil
	})
}

// see records a report, as evidence if the outcome is another one, and notifies partners.
func see(c *cancellation.Cancellation, r cancellation.OutcomeReport, now time.Time) {
	was := c.Seen
	c.SubscriptionID = r.SubscriptionID
	c.Seen = cancellation.Seen{
		Number: r.Number, Outcome: r.Outcome, Reason: r.Reason, End: r.End, Debits: r.Debits, Effective: was.Effective,
	}
	var debits []string
	for _, d := range r.Debits {
		same := func(o cancellation.Debit) bool { return o.TransactionID == d.TransactionID }
		if !slices.ContainsFunc(was.Debits, same) {
			debits = append(debits, d.TransactionID)
		}
	}
	if r.Outcome != was.Outcome || len(debits) > 0 {
		fact := evidence.Fact{Actor: evidence.ActorService, Event: evidence.EventOutcome, Reason: string(r.Outcome)}
		for _, id := range debits {
			fact.Proofs = append(fact.Proofs, evidence.Proof{Kind: evidence.ProofTransaction, Value: id})
		}
		c.History = append(c.History, cancellation.Step{At: now, Fact: fact})
	}
	if len(debits) > 0 {
		notify(c, "cancellation.debit_after_end", debits, now)
	}
	if r.Outcome == cancellation.OutcomeEnded && !was.Effective {
		c.Seen.Effective = true
		notify(c, "cancellation.effective", nil, now)
	}
}

func notify(c *cancellation.Cancellation, kind string, transactionIDs []string, now time.Time) {
	c.Notices = append(c.Notices, cancellation.Notice{Type: kind, At: now, Data: cancellation.OutcomeEventData{
		EventData: c.EventData(cancellation.Step{Status: c.Status.Shown()}), SubscriptionID: c.SubscriptionID,
		Outcome:        c.Seen.Outcome,
		TransactionIDs: transactionIDs,
	}})
}
