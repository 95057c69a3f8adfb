for attempt, err := range client.Webhooks.ListDeliveryAttempts(ctx, subscriptionID, nil) {
	if err != nil {
		return err
	}
	fmt.Println(attempt.EventType, attempt.Outcome, attempt.HTTPStatus)
}
