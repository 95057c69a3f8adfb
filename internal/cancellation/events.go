package cancellation

import "time"

// EventType returns the type of the event for a step, such as cancellation.sent.
func (s Step) EventType() string {
	return map[Status]string{
		StatusCreated: "cancellation.created", StatusQueued: "cancellation.queued", StatusSending: "cancellation.queued",
		StatusSent: "cancellation.sent", StatusDelivered: "cancellation.delivered", StatusConfirmed: "cancellation.confirmed",
		StatusDeliveryFailed: "cancellation.delivery_failed", StatusRejected: "cancellation.rejected",
		StatusWithdrawn: "cancellation.withdrawn",
	}[s.Status]
}

// EventData is the data of an event about a cancellation.
type EventData struct {
	CancellationID string `json:"cancellationId"`
	ExternalID     string `json:"externalCancellationRequestIdentifier"`
	Status         string `json:"status"`
	Reason         string `json:"statusReason"`
	Channel        string `json:"channel"`
}

// OutcomeEventData is the data of an event about what was seen in the user's account.
type OutcomeEventData struct {
	EventData
	SubscriptionID string  `json:"subscriptionId"`
	Outcome        Outcome `json:"outcome"`
	// TransactionIDs are the debits that the event is about.
	TransactionIDs []string `json:"transactionIds,omitempty"`
}

// ObjectionEventData is the data of an event about an objection. CancellationID is the
// cancellation that it belongs to.
type ObjectionEventData struct {
	EventData
	ObjectionID string `json:"objectionId"`
}

// Notice is an event outside the history.
type Notice struct {
	Type string
	At   time.Time
	Data OutcomeEventData
}

// Event returns the event for a step. kind is empty if partners are told nothing.
func (c Cancellation) Event(s Step) (kind string, data any) {
	if c.Objects == nil {
		return s.EventType(), c.EventData(s)
	}
	kind = map[Status]string{
		StatusSent: "objection.sent", StatusDelivered: "objection.delivered",
		StatusDeliveryFailed: "objection.delivery_failed",
	}[s.Status]
	if kind == "" {
		return "", nil
	}
	d := ObjectionEventData{EventData: c.EventData(s), ObjectionID: c.ID}
	d.CancellationID = c.Objects.CancellationID
	return kind, d
}

// EventData returns the data of the event for a step.
func (c Cancellation) EventData(s Step) EventData {
	d := EventData{
		CancellationID: c.ID, ExternalID: c.ExternalID, Status: string(s.Status), Channel: string(c.Channel().Kind),
	}
	if s.Status == c.Status.Shown() {
		d.Reason = string(c.Reason)
	}
	return d
}
