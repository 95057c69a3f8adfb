package operatorfn

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
)

type ofCancellation struct {
	CancellationID string `json:"cancellationId"`
}

func (e ofCancellation) about() []slog.Attr {
	return []slog.Attr{slog.String("cancellation", e.CancellationID)}
}

// cancellationAnswer is a cancellation without personal data: no names or addresses of
// either side, no letter, and nothing that the user or the partner has written. The
// user's ID means nothing without access to the partner's systems.
type cancellationAnswer struct {
	CancellationID string                    `json:"cancellationId"`
	Partner        owner.PartnerID           `json:"partner"`
	UserID         owner.UserID              `json:"userId"`
	OrganizationID string                    `json:"organizationId"`
	ProductID      string                    `json:"productId"`
	Locale         cancellation.Locale       `json:"locale"`
	Status         cancellation.Status       `json:"status"`
	StatusReason   cancellation.StatusReason `json:"statusReason"`
	CreatedAt      time.Time                 `json:"createdAt"`
	UpdatedAt      time.Time                 `json:"updatedAt"`
	History        []stepAnswer              `json:"history"`
	// Channels are all channels that may be used, in order; Channel is the current
	// one.
	Channels []cancellation.ChannelKind `json:"channels"`
	Channel  cancellation.ChannelKind   `json:"channel"`
	Shipment shipmentAnswer             `json:"shipment"`
	// NextTryAt is when letter-dispatch runs at the latest; null if the letter is not
	// waiting.
	NextTryAt      *time.Time            `json:"nextTryAt"`
	TrackingNumber string                `json:"trackingNumber"`
	AtCarriers     []carrierLetterAnswer `json:"atCarriers"`
}

type stepAnswer struct {
	Status cancellation.Status `json:"status"`
	At     time.Time           `json:"at"`
}

// shipmentAnswer is the progress of the letter through the current channel.
type shipmentAnswer struct {
	ShipmentID string     `json:"shipmentId"`
	Tries      int        `json:"tries"`
	Since      *time.Time `json:"since"`
	TriedAt    *time.Time `json:"triedAt"`
	LeaseUntil *time.Time `json:"leaseUntil"`
	Reference  string     `json:"reference"`
}

type carrierLetterAnswer struct {
	Channel   cancellation.ChannelKind `json:"channel"`
	Reference string                   `json:"reference"`
	Deleted   bool                     `json:"deleted"`
}

func (o *operations) inspectCancellation(ctx context.Context, e ofCancellation) (any, error) {
	if err := requireUUID("/cancellationId", e.CancellationID); err != nil {
		return nil, err
	}
	c, err := o.inspector.Inspect(ctx, e.CancellationID)
	if err != nil {
		return nil, err
	}
	a := cancellationAnswer{
		CancellationID: c.ID, Partner: c.Owner.Partner, UserID: c.Owner.ID,
		OrganizationID: c.OrganizationID, ProductID: c.ProductID, Locale: c.Locale,
		Status: c.Status, StatusReason: c.Reason, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
		History: []stepAnswer{}, Channels: []cancellation.ChannelKind{}, Channel: c.Channel().Kind,
		NextTryAt: orNull(c.NextTryAt), TrackingNumber: c.TrackingNumber, AtCarriers: []carrierLetterAnswer{},
	}
	a.Shipment = shipmentAnswer{
		ShipmentID: c.Delivery.ShipmentID, Tries: c.Delivery.Tries, Since: orNull(c.Delivery.Since),
		TriedAt: orNull(c.Delivery.TriedAt), LeaseUntil: orNull(c.Delivery.LeaseUntil), Reference: c.Delivery.Reference,
	}
	for _, step := range c.Steps() {
		a.History = append(a.History, stepAnswer{Status: step.Status, At: step.At})
	}
	for _, channel := range c.Channels {
		a.Channels = append(a.Channels, channel.Kind)
	}
	for _, l := range c.AtCarriers {
		a.AtCarriers = append(a.AtCarriers, carrierLetterAnswer(l))
	}
	return a, nil
}

type rejection struct {
	ofCancellation
	Reason cancellation.StatusReason `json:"reason"`
}

func (e rejection) about() []slog.Attr {
	return append(e.ofCancellation.about(), slog.String("reason", string(e.Reason)))
}

// replyAnswer is the cancellation's new status.
type replyAnswer struct {
	CancellationID string                    `json:"cancellationId"`
	Status         cancellation.Status       `json:"status"`
	StatusReason   cancellation.StatusReason `json:"statusReason"`
}

func (o *operations) confirmCancellation(ctx context.Context, e ofCancellation) (any, error) {
	return o.reply(ctx, e.CancellationID, cancellation.StatusConfirmed, cancellation.ReasonNone)
}

func (o *operations) rejectCancellation(ctx context.Context, e rejection) (any, error) {
	return o.reply(ctx, e.CancellationID, cancellation.StatusRejected, e.Reason)
}

// reply records the organization's answer, as the sandbox's reply desk does.
func (o *operations) reply(
	ctx context.Context, id string, status cancellation.Status, reason cancellation.StatusReason,
) (any, error) {
	if err := requireUUID("/cancellationId", id); err != nil {
		return nil, err
	}
	err := o.feedback.Reply(ctx, id, status, reason, evidence.ActorOperator)
	switch {
	case errors.Is(err, cancellation.ErrInvalidReply):
		return nil, apierror.WithFields(apierror.ValidationFailed, "The reason is not valid.", apierror.Field{
			Pointer: "/reason", Code: "invalid",
			Detail: "One of UserNotFound, InconsistentData, AlreadyCancelled and BindingPeriod.",
		})
	case errors.Is(err, outcome.ErrChanged):
		c, err := o.inspector.Inspect(ctx, id)
		if err != nil {
			return nil, err
		}
		return nil, apierror.New(apierror.Conflict,
			"The cancellation is "+string(c.Status)+". Only a Sent or Delivered cancellation can be answered.")
	case errors.Is(err, outcome.ErrNotFound):
		return nil, apierror.New(apierror.NotFound, "There is no such cancellation.")
	case err != nil:
		return nil, err
	}
	return replyAnswer{CancellationID: id, Status: status, StatusReason: reason}, nil
}
