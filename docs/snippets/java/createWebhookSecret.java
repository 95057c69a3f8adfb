var secret = client.webhooks().createSecret(subscriptionId);
// Store secret.key(): it verifies callbacks, and is not shown again.
System.out.println(secret.secretId());
