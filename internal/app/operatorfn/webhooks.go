package operatorfn

import (
	"context"
	"log/slog"

	"aviso/internal/api/apierror"
	"aviso/internal/dynamo/owner"
	"aviso/internal/notification"
)

// ofSubscription is the event of commands that need only a subscription. The partner
// is part of its key.
type ofSubscription struct {
	Partner        owner.PartnerID `json:"partner"`
	SubscriptionID string          `json:"subscriptionId"`
}

func (e ofSubscription) about() []slog.Attr {
	return []slog.Attr{slog.String("partner", string(e.Partner)), slog.String("subscription", e.SubscriptionID)}
}

// check refuses values that cannot be part of a key.
func (e ofSubscription) check() error {
	const maxPartner = 64
	if e.Partner == "" || len(e.Partner) > maxPartner {
		return apierror.New(apierror.ValidationFailed, "partner must be the ID of the subscription's partner.")
	}
	return requireUUID("/subscriptionId", e.SubscriptionID)
}

func (o *operations) disableSubscription(ctx context.Context, e ofSubscription) (any, error) {
	return changeSubscription(ctx, e, o.webhooks.Disable)
}

func (o *operations) enableSubscription(ctx context.Context, e ofSubscription) (any, error) {
	return changeSubscription(ctx, e, o.webhooks.Enable)
}

func changeSubscription(
	ctx context.Context, e ofSubscription,
	change func(context.Context, owner.PartnerID, string) (notification.Subscription, error),
) (any, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	s, err := change(ctx, e.Partner, e.SubscriptionID)
	if err != nil {
		return nil, err
	}
	return answer{ // not the URL, which is the partner's business
		"partner": s.Partner, "subscriptionId": s.ID, "status": s.Status, "statusReason": s.Reason, "updatedAt": s.UpdatedAt,
	}, nil
}

// deliveryInspection identifies a delivery by its ID or by the ID of its event.
type deliveryInspection struct {
	ofSubscription
	EventID    string `json:"eventId"`
	DeliveryID string `json:"deliveryId"`
}

func (e deliveryInspection) about() []slog.Attr {
	return append(e.ofSubscription.about(), slog.String("event", e.EventID), slog.String("delivery", e.DeliveryID))
}

// inspectDelivery answers without the payload. "attempt" is the number of the attempt that is due
// or in progress, or was the last, and "sends" is how often it was started. An "httpStatus" of 0
// means that there was no response.
func (o *operations) inspectDelivery(ctx context.Context, e deliveryInspection) (any, error) {
	d, attempts, err := o.findDelivery(ctx, e)
	if err != nil {
		return nil, err
	}
	list := []answer{}
	for _, t := range attempts {
		list = append(list, answer{
			"attemptId": t.ID, "attemptNumber": t.Number, "outcome": t.Outcome, "httpStatus": t.HTTPStatus, "detail": t.Detail,
			"durationMs": t.Duration.Milliseconds(), "startedAt": t.StartedAt, "nextAttemptAt": orNull(t.NextAttemptAt.Time()),
		})
	}
	return answer{
		"partner": d.Partner, "subscriptionId": d.SubscriptionID, "deliveryId": d.DeliveryID,
		"eventId": d.EventID, "eventType": d.EventType, "userId": d.User,
		"status": d.Status, "statusReason": d.Reason, "createdAt": d.CreatedAt, "attempt": d.Attempt, "sends": d.Sends,
		"nextAttemptAt": orNull(d.NextAttemptAt.Time()), "leaseUntil": orNull(d.LeaseUntil.Time()), "wakeAt": orNull(d.WakeAt.Time()),
		"attempts": list,
	}, nil
}

func (o *operations) findDelivery(
	ctx context.Context, e deliveryInspection,
) (notification.Delivery, []notification.Attempt, error) {
	if err := e.check(); err != nil {
		return notification.Delivery{}, nil, err
	}
	if (e.EventID == "") == (e.DeliveryID == "") {
		return notification.Delivery{}, nil, apierror.New(
			apierror.ValidationFailed, "Either eventId or deliveryId is required, but not both.")
	}
	if e.EventID != "" {
		if err := requireUUID("/eventId", e.EventID); err != nil {
			return notification.Delivery{}, nil, err
		}
		return o.webhooks.InspectEvent(ctx, e.Partner, e.SubscriptionID, e.EventID)
	}
	if err := requireUUID("/deliveryId", e.DeliveryID); err != nil {
		return notification.Delivery{}, nil, err
	}
	key := notification.DeliveryKey{Partner: e.Partner, SubscriptionID: e.SubscriptionID, DeliveryID: e.DeliveryID}
	return o.webhooks.Inspect(ctx, key)
}
