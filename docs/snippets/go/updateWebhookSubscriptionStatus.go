paused, err := client.Webhooks.UpdateSubscriptionStatus(ctx, subscriptionID,
	aviso.UpdateWebhookSubscriptionStatusRequest{Status: "Paused"})
if err != nil {
	return err
}
fmt.Println(paused.Status)
