var subscription = client.webhooks().updateSubscriptionStatus(subscriptionId,
        new UpdateWebhookSubscriptionStatusRequest().status("Paused"));
System.out.println(subscription.status());
