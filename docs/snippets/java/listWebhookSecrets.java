for (var secret : client.webhooks().listSecrets(subscriptionId)) {
    System.out.println(secret.secretId() + " " + secret.status() + " " + secret.createdAt());
}
