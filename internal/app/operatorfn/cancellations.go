package operatorfn

import (
	"context"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
)

// inspectCancellation answers without personal data: no names or addresses of either side, no
// letter, and nothing that the user or the partner has written. The user's ID means nothing
// without access to the partner's systems.
func (o *operations) inspectCancellation(ctx context.Context, e event) (any, error) {
	c, err := o.feedback.Inspect(ctx, e.CancellationID)
	if err != nil {
		return nil, err
	}
	steps, channels, kept := []answer{}, []cancellation.ChannelKind{}, []answer{}
	for _, step := range c.Steps() {
		shown := answer{"status": step.Status, "at": step.At}
		if step.Delay != nil {
			shown["delay"] = answer{"at": step.Delay.At, "reason": step.Delay.Reason}
		}
		steps = append(steps, shown)
	}
	for _, channel := range c.Channels {
		channels = append(channels, channel.Kind)
	}
	for _, l := range c.AtCarriers {
		kept = append(kept, answer{"channel": l.Channel, "reference": l.Reference, "deleted": l.Deleted})
	}
	return answer{
		"cancellationId": c.ID, "partner": c.Owner.Partner, "userId": c.Owner.ID,
		"organizationId": c.OrganizationID, "productId": c.ProductID, "locale": c.Locale,
		"status": c.Status, "statusReason": c.Reason, "createdAt": c.CreatedAt, "updatedAt": c.UpdatedAt,
		"history": steps, "channels": channels, "channel": c.Channel().Kind, // the current channel
		"shipment": answer{
			"shipmentId": c.Delivery.ShipmentID, "tries": c.Delivery.Tries, "since": orNull(c.Delivery.Since),
			"triedAt": orNull(c.Delivery.TriedAt), "leaseUntil": orNull(c.Delivery.LeaseUntil),
			"reference": c.Delivery.Reference,
		},
		"nextTryAt": orNull(c.NextTryAt), "trackingNumber": c.TrackingNumber, "atCarriers": kept,
	}, nil
}

func (o *operations) confirmCancellation(ctx context.Context, e event) (any, error) {
	return o.reply(ctx, e.CancellationID, cancellation.StatusConfirmed, cancellation.ReasonNone)
}

func (o *operations) rejectCancellation(ctx context.Context, e event) (any, error) {
	return o.reply(ctx, e.CancellationID, cancellation.StatusRejected, e.Reason)
}

// reply records an organization's answer, as the sandbox's reply desk does.
func (o *operations) reply(
	ctx context.Context, id string, status cancellation.Status, reason cancellation.StatusReason,
) (any, error) {
	err := o.feedback.Reply(ctx, id, status, reason, evidence.ActorOperator)
	return answer{"cancellationId": id, "status": status, "statusReason": reason}, err
}
