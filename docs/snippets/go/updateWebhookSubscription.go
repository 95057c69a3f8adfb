change := aviso.UpdateWebhookSubscriptionRequest{Events: []string{"connection.expired", "cancellation.sent"}}
subscription, err := client.Webhooks.UpdateSubscription(ctx, subscriptionID, change)
if err != nil {
	return err
}
fmt.Println(subscription.Events)
