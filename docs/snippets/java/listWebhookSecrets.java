for (var s : client.webhooks().listSecrets(subscriptionId)) {
    System.out.println(s.secretId() + " " + s.status() + " " + s.createdAt());
}
