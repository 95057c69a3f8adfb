var request = new SimulateEventRequest().eventType("webhook.ping");
var event = client.webhooks().simulateEvent(request);
System.out.println(event.eventId());
