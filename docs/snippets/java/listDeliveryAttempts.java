for (var a : client.webhooks().listDeliveryAttempts(subscriptionId)) {
    System.out.println(a.eventType() + " " + a.outcome() + " " + a.httpStatus());
}
