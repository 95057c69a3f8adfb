event, err := client.Webhooks.SimulateEvent(ctx,
	aviso.SimulateEventRequest{EventType: "webhook.ping", SubscriptionID: subscriptionID})
if err != nil {
	return err
}
fmt.Println(event.EventID)
