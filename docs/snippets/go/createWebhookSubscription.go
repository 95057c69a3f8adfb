created, err := client.Webhooks.CreateSubscription(ctx,
	aviso.CreateWebhookSubscriptionRequest{
		ServerURL: "https://partner.example/webhooks", Events: []string{"*"},
	})
if err != nil {
	return err
}
// Store created.Secret.Key: it verifies callbacks, and is not shown again.
fmt.Println(created.Subscription.SubscriptionID)
