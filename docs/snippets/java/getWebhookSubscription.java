var subscription = client.webhooks().getSubscription(subscriptionId);
System.out.println(subscription.serverUrl() + " " + subscription.events() + " " + subscription.status());
