for (var subscription : client.webhooks().listSubscriptions()) {
    System.out.println(subscription.subscriptionId() + " " + subscription.serverUrl());
}
