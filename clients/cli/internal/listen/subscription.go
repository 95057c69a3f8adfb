package listen

import (
	"context"
	"fmt"
	"time"

	aviso "aviso.example/client"
)

// description marks the subscriptions that this program creates.
const description = "aviso webhooks listen"

// endWithin limits the time to clean up after Ctrl-C.
const endWithin = 5 * time.Second

// subscribe subscribes the address to the events and returns the subscription's ID and key. It
// first deletes subscriptions left behind by a killed program: their callbacks would arrive too,
// signed with a lost key.
func subscribe(ctx context.Context, webhooks *aviso.WebhooksService, address string, events []string) (id, key string, err error) {
	left, err := webhooks.ListSubscriptions(ctx)
	if err != nil {
		return "", "", fmt.Errorf("subscribe: %w", err)
	}
	for _, old := range left {
		if old.Description == description && old.ServerURL == address {
			if err := webhooks.DeleteSubscription(ctx, old.SubscriptionID); err != nil {
				return "", "", fmt.Errorf("subscribe: %w", err)
			}
		}
	}
	created, err := webhooks.CreateSubscription(ctx,
		aviso.CreateWebhookSubscriptionRequest{ServerURL: address, Events: events, Description: description})
	if err != nil {
		return "", "", fmt.Errorf("subscribe: %w", err)
	}
	return created.Subscription.SubscriptionID, created.Secret.Key, nil
}

// leave deletes the subscription, even if ctx has ended.
func leave(ctx context.Context, webhooks *aviso.WebhooksService, id string, s *screen) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	if err := webhooks.DeleteSubscription(ctx, id); err != nil {
		return fmt.Errorf("delete subscription %s: %w", id, err)
	}
	s.print("\nDeleted subscription " + id + ".")
	return nil
}
