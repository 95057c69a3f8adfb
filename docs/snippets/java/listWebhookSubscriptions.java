for (var s : client.webhooks().listSubscriptions()) {
    System.out.println(s.subscriptionId() + " " + s.serverUrl() + " " + s.status());
}
