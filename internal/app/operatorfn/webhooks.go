package operatorfn

import (
	"context"

	"aviso/internal/api/apierror"
	"aviso/internal/notification"
)

func (o *operations) disableSubscription(ctx context.Context, e event) (any, error) {
	return answerSubscription(o.webhooks.Disable(ctx, e.Partner, e.SubscriptionID))
}

func (o *operations) enableSubscription(ctx context.Context, e event) (any, error) {
	return answerSubscription(o.webhooks.Enable(ctx, e.Partner, e.SubscriptionID))
}

// answerSubscription answers without the URL, which may hold a password.
func answerSubscription(s notification.Subscription, err error) (any, error) {
	return answer{
		"partner": s.Partner, "subscriptionId": s.ID, "status": s.Status, "statusReason": s.Reason, "updatedAt": s.UpdatedAt,
	}, err
}

// inspectDelivery answers without the payload. "attempt" is the number of the due, current or last attempt, and
// "sends" is how often it was started. "httpStatus" is 0 if there was no response.
func (o *operations) inspectDelivery(ctx context.Context, e event) (any, error) {
	d, err := o.findDelivery(ctx, e)
	if err != nil {
		return nil, err
	}
	list := []answer{}
	for _, t := range d.Attempts {
		list = append(list, answer{
			"attemptId": t.ID, "attemptNumber": t.Number, "outcome": t.Outcome, "httpStatus": t.HTTPStatus, "detail": t.Detail,
			"durationMs": t.Milliseconds, "startedAt": t.StartedAt, "nextAttemptAt": orNull(t.NextAttemptAt.Time()),
		})
	}
	return answer{
		"partner": d.Partner, "subscriptionId": d.SubscriptionID, "deliveryId": d.DeliveryID,
		"eventId": d.EventID, "eventType": d.EventType, "userId": d.User,
		"status": d.Status, "statusReason": d.Reason, "createdAt": d.CreatedAt, "attempt": d.Attempt, "sends": d.Sends,
		"nextAttemptAt": orNull(d.NextAttemptAt.Time()), "leaseUntil": orNull(d.LeaseUntil.Time()),
		"wakeAt":   orNull(d.WakeAt.Time()),
		"attempts": list,
	}, nil
}

func (o *operations) findDelivery(ctx context.Context, e event) (notification.Delivery, error) {
	switch {
	case (e.EventID == "") == (e.DeliveryID == ""):
		return notification.Delivery{}, apierror.New(
			apierror.ValidationFailed, "Either eventId or deliveryId is required, but not both.")
	case e.EventID != "":
		return o.webhooks.Delivery(ctx, e.Partner, e.SubscriptionID, e.EventID)
	default:
		return o.webhooks.Inspect(ctx, notification.DeliveryKey{
			Partner: e.Partner, SubscriptionID: e.SubscriptionID, DeliveryID: e.DeliveryID,
		})
	}
}
