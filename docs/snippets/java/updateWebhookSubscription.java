var subscription = client.webhooks().updateSubscription(subscriptionId,
        new UpdateWebhookSubscriptionRequest().events(List.of("connection.expired", "cancellation.sent")));
System.out.println(subscription.events());
