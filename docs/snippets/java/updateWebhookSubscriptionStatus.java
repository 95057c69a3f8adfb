var request = new UpdateWebhookSubscriptionStatusRequest().status("Paused");
var paused = client.webhooks().updateSubscriptionStatus(subscriptionId, request);
System.out.println(paused.status());
