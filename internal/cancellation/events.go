package cancellation

import "time"

// EventType returns the type of the event for a step, such as cancellation.sent.
func (s Step) EventType() string {
	switch s.Status {
	case StatusCreated:
		return "cancellation.created"
	case StatusQueued, StatusSending:
		return "cancellation.queued"
	case StatusSent:
		return "cancellation.sent"
	case StatusDelivered:
		return "cancellation.delivered"
	case StatusConfirmed:
		return "cancellation.confirmed"
	case StatusDeliveryFailed:
		return "cancellation.delivery_failed"
	case StatusRejected:
		return "cancellation.rejected"
	case StatusWithdrawn:
		return "cancellation.withdrawn"
	}
	return ""
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

// Notice is an event outside the history.
type Notice struct {
	Type string
	At   time.Time
	Data OutcomeEventData
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
