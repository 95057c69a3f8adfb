attempts := client.Webhooks.ListDeliveryAttempts(ctx, subscriptionID, nil)
for a, err := range attempts {
	if err != nil {
		return err
	}
	fmt.Println(a.EventType, a.Outcome, a.HTTPStatus)
}
