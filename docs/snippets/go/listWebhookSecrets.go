secrets, err := client.Webhooks.ListSecrets(ctx, subscriptionID)
if err != nil {
	return err
}
for _, s := range secrets {
	fmt.Println(s.SecretID, s.Status, s.CreatedAt)
}
