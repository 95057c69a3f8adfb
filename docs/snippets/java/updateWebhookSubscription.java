var request = new UpdateWebhookSubscriptionRequest()
        .events(List.of("connection.expired", "cancellation.sent"));
var subscription = client.webhooks().updateSubscription(subscriptionId, request);
System.out.println(subscription.events());
