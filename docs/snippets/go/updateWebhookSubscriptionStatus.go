change := aviso.UpdateWebhookSubscriptionStatusRequest{Status: "Paused"}
subscription, err := client.Webhooks.UpdateSubscriptionStatus(ctx, subscriptionID, change)
if err != nil {
	return err
}
fmt.Println(subscription.Status)
