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
	AttemptID     string     `json:"attemptId" format:"uuid"`
	EventID       string     `json:"eventId" format:"uuid"`
	EventType     string     `json:"eventType"`
	AttemptNumber int        `json:"attemptNumber" minimum:"1" maximum:"3"`
	Outcome       string     `json:"outcome" enum:"Acknowledged,NotAcknowledged,InvalidAcknowledgement,HttpError,RedirectRefused,Timeout,DnsError,TlsError,ConnectionError,AddressRefused,ResponseTooLarge"`
	Detail        string     `json:"detail"`
	HTTPStatus    *int       `json:"httpStatus" nullable:"true"`
	DurationMs    int64      `json:"durationMs" minimum:"0"`
	StartedAt     time.Time  `json:"startedAt"`
	NextAttemptAt *time.Time `json:"nextAttemptAt" nullable:"true"`

	Payload sentPayload `json:"payload,omitempty"`
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
	Attempts []wireDeliveryAttempt `json:"attempts" nullable:"false"`
}

type listAttemptsInput struct {
	SubscriptionPath
	api.Page
}

func registerAttempts(r *api.Router, subscriptions *notification.Subscriptions) {
	api.Register(r, api.Operation{
		ID: "listDeliveryAttempts", Method: http.MethodGet, Path: prefix + "/subscriptions/{subscriptionId}/attempts",
		Tag: "Webhooks", Scope: api.Webhook,
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
