client.webhooks().deleteSecret(subscriptionId, secretId);
