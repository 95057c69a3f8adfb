client.webhooks().deleteSubscription(subscriptionId);
