var request = new CreateWebhookSubscriptionRequest()
        .serverUrl("https://partner.example/webhooks").events(List.of("*"));
var created = client.webhooks().createSubscription(request);
// Store created.secret().key(): it verifies callbacks, and is not shown again.
System.out.println(created.subscription().subscriptionId());
