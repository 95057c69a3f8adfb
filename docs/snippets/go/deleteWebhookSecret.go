return client.Webhooks.DeleteSecret(ctx, subscriptionID, secretID)
