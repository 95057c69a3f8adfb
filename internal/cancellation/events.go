package cancellation

import (
	"time"

	"aviso/internal/cancellation/evidence"
)

// statusEvents are what happened when a status began and nobody said more, and the types of the
// events for a cancellation and for an objection. Partners are told nothing where there is none.
var statusEvents = map[Status]struct { //nolint:gochecknoglobals // constant
	evidence                evidence.Event
	cancellation, objection string
}{
	StatusCreated:        {evidence.EventRequested, "cancellation.created", ""},
	StatusQueued:         {evidence.EventQueued, "cancellation.queued", ""},
	StatusSending:        {evidence.EventQueued, "cancellation.queued", ""},
	StatusSent:           {evidence.EventHandedOver, "cancellation.sent", "objection.sent"},
	StatusDelivered:      {evidence.EventDelivered, "cancellation.delivered", "objection.delivered"},
	StatusConfirmed:      {evidence.EventConfirmed, "cancellation.confirmed", ""},
	StatusDeliveryFailed: {evidence.EventFailed, "cancellation.delivery_failed", "objection.delivery_failed"},
	StatusRejected:       {evidence.EventRejected, "cancellation.rejected", ""},
	StatusWithdrawn:      {evidence.EventWithdrawn, "cancellation.withdrawn", ""},
}

// Event returns what happened when the status became s and nobody said more.
func (s Status) Event() evidence.Event { return statusEvents[s].evidence }

// EventData is the data of an event about a cancellation.
type EventData struct {
	CancellationID string `json:"cancellationId"`
	ExternalID     string `json:"externalCancellationRequestIdentifier"`
	Status         string `json:"status"`
	Reason         string `json:"statusReason"`
	Channel        string `json:"channel"`
}

// ConfirmedEventData is the data of an event about a confirmation. EndDate is the last day of the contract, and empty
// if the organization names none.
type ConfirmedEventData struct {
	EventData
	EndDate string `json:"endDate"`
}

// RepliedEventData is the data of an event about an answer of the organization.
type RepliedEventData struct {
	EventData
	ReplyID      string   `json:"replyId"`
	Kind         string   `json:"kind"`
	EndDate      string   `json:"endDate"`
	NeededFields []string `json:"neededFields"`
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
	Data any
}

// Event returns the event for a step. kind is empty if partners are told nothing.
func (c Cancellation) Event(s Step) (kind string, data any) {
	if c.Objects == nil && s.Status == StatusConfirmed {
		return statusEvents[s.Status].cancellation, ConfirmedEventData{c.EventData(s), string(c.ConfirmedEnd)}
	}
	if c.Objects == nil {
		return statusEvents[s.Status].cancellation, c.EventData(s)
	}
	if c.Objects.ReplyID != "" {
		return "", nil
	}
	d := ObjectionEventData{EventData: c.EventData(s), ObjectionID: c.ID}
	d.CancellationID = c.Objects.CancellationID
	return statusEvents[s.Status].objection, d
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
