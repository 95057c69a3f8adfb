subscription, err := client.Webhooks.GetSubscription(ctx, subscriptionID)
if err != nil {
	return err
}
fmt.Println(subscription.ServerURL, subscription.Events, subscription.Status)
