types, err := client.Webhooks.ListEventTypes(ctx)
if err != nil {
	return err
}
for _, t := range types {
	fmt.Println(t.EventType, t.Description)
}
