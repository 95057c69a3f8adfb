var subscription = client.webhooks().getSubscription(subscriptionId);
System.out.println(subscription.events() + " " + subscription.status());
