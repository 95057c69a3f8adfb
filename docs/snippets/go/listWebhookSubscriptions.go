subscriptions, err := client.Webhooks.ListSubscriptions(ctx)
if err != nil {
	return err
}
for _, s := range subscriptions {
	fmt.Println(s.SubscriptionID, s.ServerURL, s.Status)
}
