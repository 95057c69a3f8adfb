subscription, err := client.Webhooks.UpdateSubscription(ctx, subscriptionID,
	aviso.UpdateWebhookSubscriptionRequest{
		Events: []string{"connection.expired", "cancellation.sent"},
	})
if err != nil {
	return err
}
fmt.Println(subscription.Events)
