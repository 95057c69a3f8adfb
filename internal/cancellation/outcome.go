package cancellation

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"aviso/internal/cancellation/deadline"
	"aviso/internal/owner"
)

// Outcome is whether the debits have stopped.
type Outcome string

// The outcomes.
const (
	OutcomeWaiting      Outcome = "Waiting"
	OutcomeStillDebited Outcome = "StillDebited"
	OutcomeEnded        Outcome = "Ended"
	OutcomeUnknown      Outcome = "Unknown"
)

// OutcomeReason is the reason for an outcome. Those of a report are passed on.
type OutcomeReason string

// The reasons without a report.
const (
	OutcomeLetterNotSent   OutcomeReason = "LetterNotSent"
	OutcomeNotCancelled    OutcomeReason = "NotCancelled"
	OutcomeContractUnknown OutcomeReason = "ContractUnknown"
)

// Debit is a payment for the contract after its end.
type Debit struct {
	TransactionID string `json:"transactionId" dynamodbav:"id"`
	Date          string `json:"date" dynamodbav:"date"`
	// Amount is an exact decimal, which the area only passes on.
	Amount   json.Number `json:"amount" dynamodbav:"amount"`
	Currency string      `json:"currencyCode" dynamodbav:"currency"`
	// RefundID is the transaction that paid it back; empty if none did.
	RefundID string `json:"refundTransactionId,omitempty" dynamodbav:"refundId,omitempty"`
}

// Day returns the debit's day at midnight UTC, and zero if it has none.
func (d Debit) Day() time.Time { return deadline.Date(d.Date).Day() }

// OutcomeReport is what was seen in the user's account. Each replaces those with a lower
// number.
type OutcomeReport struct {
	Number         int64         `json:"number"`
	SubscriptionID string        `json:"subscriptionId"`
	Outcome        Outcome       `json:"outcome"`
	Reason         OutcomeReason `json:"reason"`
	// End is the last day of the contract, as far as it is known.
	End    string  `json:"end"`
	Debits []Debit `json:"debits,omitempty"`
}

// Seen is what was last seen in the user's account. Number is 0 before the first report.
type Seen struct {
	Number  int64         `dynamodbav:"number"`
	Outcome Outcome       `dynamodbav:"outcome"`
	Reason  OutcomeReason `dynamodbav:"reason"`
	// End is the last day of the contract, as far as it is known.
	End    string  `dynamodbav:"end,omitempty"`
	Debits []Debit `dynamodbav:"debits,omitempty"`
	// Effective: partners know that the debits have stopped.
	Effective bool `dynamodbav:"effective,omitempty"`
}

// Outcome returns what partners see of the outcome.
func (c Cancellation) Outcome() (Outcome, OutcomeReason) {
	switch {
	case c.Status.Waiting():
		return OutcomeWaiting, OutcomeLetterNotSent
	case c.CameToNothing():
		return OutcomeUnknown, OutcomeNotCancelled
	case c.Seen.Number == 0:
		return OutcomeUnknown, OutcomeContractUnknown
	default:
		return c.Seen.Outcome, c.Seen.Reason
	}
}

// CameToNothing reports whether the organization does not have the letter, or has refused it.
func (c Cancellation) CameToNothing() bool {
	return c.Status == StatusDeliveryFailed || c.Status == StatusRejected || c.Status == StatusWithdrawn
}

// WatchJob is a message to bank-sync: what its area has to watch in the user's account.
type WatchJob struct {
	Action  string          `json:"action"`
	Partner owner.PartnerID `json:"partner"`
	User    owner.UserID    `json:"user"`
	Watch   WatchOrder      `json:"watch"`
}

// WatchOrder asks to watch the contract, or to stop watching it.
type WatchOrder struct {
	CancellationID string `json:"cancellationId"`
	Stop           bool   `json:"stop,omitempty"`
	OrganizationID string `json:"organizationId,omitempty"`
	SubscriptionID string `json:"subscriptionId,omitempty"`
	SentOn         string `json:"sentOn,omitempty"`
	End            string `json:"end,omitempty"`
	// Confirmed: the organization has confirmed End.
	Confirmed bool `json:"confirmed,omitempty"`
}

// WatchJobs returns the messages that follow from the steps that are not stored yet: the
// contract is watched from when the letter was first sent until the cancellation came to
// nothing.
func (c Cancellation) WatchJobs() []WatchJob {
	if c.Objects != nil {
		return nil
	}
	sent := func(s Step) bool { return s.Status == StatusSent }
	was, is := slices.ContainsFunc(c.History[:c.Stored.History], sent), slices.IndexFunc(c.History, sent)
	order := WatchOrder{CancellationID: c.ID}
	switch {
	case was && c.CameToNothing() && c.endsNow():
		order.Stop = true
	case is >= 0 && (!was || c.ConfirmedEnd != c.Stored.ConfirmedEnd):
		order.OrganizationID, order.SubscriptionID = c.OrganizationID, c.SubscriptionID
		order.SentOn = c.History[is].At.UTC().Format(time.DateOnly)
		order.End, order.Confirmed = string(cmp.Or(c.ConfirmedEnd, c.EndDate)), c.ConfirmedEnd != ""
	default:
		return nil
	}
	return []WatchJob{{Action: "Watch", Partner: c.Owner.Partner, User: c.Owner.ID, Watch: order}}
}

// endsNow reports whether the steps that are not stored yet bring the current status.
func (c Cancellation) endsNow() bool {
	return slices.ContainsFunc(c.History[c.Stored.History:], func(s Step) bool { return s.Status == c.Status })
}
