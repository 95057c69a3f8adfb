package operatorfn

import (
	"context"
	"log/slog"
	"time"

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

// subscriptionAnswer is a subscription's status. It does not include the URL, which is
// the partner's business.
type subscriptionAnswer struct {
	Partner        owner.PartnerID                 `json:"partner"`
	SubscriptionID string                          `json:"subscriptionId"`
	Status         notification.SubscriptionStatus `json:"status"`
	StatusReason   notification.SubscriptionReason `json:"statusReason"`
	UpdatedAt      time.Time                       `json:"updatedAt"`
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
	return subscriptionAnswer{
		Partner: s.Partner, SubscriptionID: s.ID, Status: s.Status, StatusReason: s.Reason, UpdatedAt: s.UpdatedAt,
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

// deliveryAnswer is a delivery without its payload.
type deliveryAnswer struct {
	Partner        owner.PartnerID             `json:"partner"`
	SubscriptionID string                      `json:"subscriptionId"`
	DeliveryID     string                      `json:"deliveryId"`
	EventID        string                      `json:"eventId"`
	EventType      string                      `json:"eventType"`
	UserID         owner.UserID                `json:"userId"`
	Status         notification.DeliveryStatus `json:"status"`
	StatusReason   notification.DeliveryReason `json:"statusReason"`
	CreatedAt      time.Time                   `json:"createdAt"`
	// Attempt is the number of the attempt that is due or in progress, or was the
	// last. Sends is how often it was started.
	Attempt       int             `json:"attempt"`
	Sends         int             `json:"sends"`
	NextAttemptAt *time.Time      `json:"nextAttemptAt"`
	LeaseUntil    *time.Time      `json:"leaseUntil"`
	WakeAt        *time.Time      `json:"wakeAt"`
	Attempts      []attemptAnswer `json:"attempts"`
}

type attemptAnswer struct {
	AttemptID     string               `json:"attemptId"`
	AttemptNumber int                  `json:"attemptNumber"`
	Outcome       notification.Outcome `json:"outcome"`
	// HTTPStatus is 0 if there was no response.
	HTTPStatus    int        `json:"httpStatus"`
	Detail        string     `json:"detail"`
	DurationMs    int64      `json:"durationMs"`
	StartedAt     time.Time  `json:"startedAt"`
	NextAttemptAt *time.Time `json:"nextAttemptAt"`
}

func (o *operations) inspectDelivery(ctx context.Context, e deliveryInspection) (any, error) {
	d, attempts, err := o.findDelivery(ctx, e)
	if err != nil {
		return nil, err
	}
	a := deliveryAnswer{
		Partner: d.Partner, SubscriptionID: d.SubscriptionID, DeliveryID: d.DeliveryID,
		EventID: d.EventID, EventType: d.EventType, UserID: d.User,
		Status: d.Status, StatusReason: d.Reason, CreatedAt: d.CreatedAt, Attempt: d.Attempt, Sends: d.Sends,
		NextAttemptAt: orNull(d.NextAttemptAt), LeaseUntil: orNull(d.LeaseUntil), WakeAt: orNull(d.WakeAt),
		Attempts: []attemptAnswer{},
	}
	for _, t := range attempts {
		a.Attempts = append(a.Attempts, attemptAnswer{
			AttemptID: t.ID, AttemptNumber: t.Number, Outcome: t.Outcome, HTTPStatus: t.HTTPStatus, Detail: t.Detail,
			DurationMs: t.Duration.Milliseconds(), StartedAt: t.StartedAt, NextAttemptAt: orNull(t.NextAttemptAt),
		})
	}
	return a, nil
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
