package notificationapi

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"aviso/internal/api"
	"aviso/internal/api/apierror"
	"aviso/internal/notification"
)

type wireDeliveryAttempt struct {
	_ struct{} `doc:"One attempt to post an event to you."`

	AttemptID     string     `json:"attemptId" format:"uuid" doc:"Identifies the attempt."`
	EventID       string     `json:"eventId" format:"uuid" doc:"The event. It equals the id of the callback, and is the same in every attempt."`
	EventType     string     `json:"eventType" doc:"The type of the event."`
	AttemptNumber int        `json:"attemptNumber" minimum:"1" maximum:"3" doc:"Which of the three attempts this was."`
	Outcome       string     `json:"outcome" enum:"Acknowledged,NotAcknowledged,InvalidAcknowledgement,HttpError,RedirectRefused,Timeout,DnsError,TlsError,ConnectionError,AddressRefused,ResponseTooLarge" doc:"How the attempt ended. Only Acknowledged ends the delivery; The guide to webhooks says what to do about the others."`
	Detail        string     `json:"detail" doc:"What went wrong, such as a member missing from the acknowledgement; otherwise empty."`
	HTTPStatus    *int       `json:"httpStatus" nullable:"true" doc:"HTTP status of your response; null if there was none."`
	DurationMs    int64      `json:"durationMs" minimum:"0" doc:"How long the attempt took, in milliseconds."`
	StartedAt     time.Time  `json:"startedAt" doc:"When the attempt started."`
	NextAttemptAt *time.Time `json:"nextAttemptAt" nullable:"true" doc:"When the event is posted again; null after an acknowledgement and after the last attempt."`

	Payload sentPayload `json:"payload,omitempty" doc:"The body of the callback as it was sent, with the members described under Events. Kept for testing only, in environments with a sandbox; in production nothing is kept. Missing for user.erased, for callbacks of more than 16 KB, and once the user has been erased."`
}

// sentPayload is the body of a callback, byte for byte, so that its signature can be checked.
type sentPayload json.RawMessage

// MarshalJSON implements json.Marshaler.
func (p sentPayload) MarshalJSON() ([]byte, error) { return p, nil }

// Schema implements huma.SchemaProvider.
func (sentPayload) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
}

type deliveryAttemptsData struct {
	Attempts []wireDeliveryAttempt `json:"attempts" nullable:"false" doc:"One page of attempts, newest first."`
}

type listAttemptsInput struct {
	SubscriptionPath
	api.Page
}

func registerAttempts(r *api.Router, subscriptions *notification.Subscriptions) {
	at := exampleSubscription().CreatedAt
	status, next := http.StatusOK, at.Add(15*time.Minute)
	api.Register(r, api.Operation{
		ID: "listDeliveryAttempts", Method: http.MethodGet, Path: prefix + "/subscriptions/{subscriptionId}/attempts",
		Tag: "Webhooks", Scope: api.Webhook,
		Summary:     "List delivery attempts",
		Description: "Every callback of the last 30 days and its outcome, newest first.",
		Answer: deliveryAttemptsData{Attempts: []wireDeliveryAttempt{{
			AttemptID: "0196f1de-7b44-7c0a-a1d5-2e6f9b3c8d10", EventID: "5b0d7d53-1f6b-4d0f-8a6e-3c8a5a4f7b21",
			EventType: "connection.expired", AttemptNumber: 1, Outcome: "InvalidAcknowledgement",
			Detail: "timestamp is missing", HTTPStatus: &status, DurationMs: 84, StartedAt: at, NextAttemptAt: &next,
		}}},
		Faults: []apierror.Code{apierror.NotFound, apierror.InvalidNextToken},
	}, func(ctx context.Context, in *listAttemptsInput) (*api.Response[deliveryAttemptsData], error) {
		return api.Paged(ctx, r, in.NextToken, func(position string) (deliveryAttemptsData, string, error) {
			page, next, err := subscriptions.Attempts(ctx, api.Partner(ctx), in.id(), in.Limit, position)
			return deliveryAttemptsData{Attempts: api.List(page, toAttempt)}, next, err
		})
	})
}

func toAttempt(a notification.Attempt) wireDeliveryAttempt {
	w := wireDeliveryAttempt{
		AttemptID: a.ID, EventID: a.EventID, EventType: a.EventType, AttemptNumber: a.Number,
		Outcome: string(a.Outcome), Detail: a.Detail, DurationMs: a.Milliseconds, StartedAt: a.StartedAt.Time(),
		Payload: sentPayload(a.Payload),
	}
	if a.HTTPStatus != 0 {
		w.HTTPStatus = &a.HTTPStatus
	}
	if !a.NextAttemptAt.IsZero() {
		w.NextAttemptAt = new(a.NextAttemptAt.Time())
	}
	return w
}
