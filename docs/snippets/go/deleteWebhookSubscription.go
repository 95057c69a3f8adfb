return client.Webhooks.DeleteSubscription(ctx, subscriptionID)
