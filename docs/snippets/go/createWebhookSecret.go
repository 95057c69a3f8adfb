secret, err := client.Webhooks.CreateSecret(ctx, subscriptionID)
if err != nil {
	return err
}
// Store secret.Key: it verifies callbacks, and is not shown again.
fmt.Println(secret.SecretID)
