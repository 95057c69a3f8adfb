var request = new SimulateEventRequest()
        .eventType("webhook.ping").subscriptionId(subscriptionId);
var event = client.webhooks().simulateEvent(request);
System.out.println(event.eventId());
