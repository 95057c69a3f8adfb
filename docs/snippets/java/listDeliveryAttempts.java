for (var attempt : client.webhooks().listDeliveryAttempts(subscriptionId)) {
    System.out.println(attempt.eventType() + " " + attempt.outcome() + " " + attempt.httpStatus());
}
