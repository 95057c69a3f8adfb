var event = client.webhooks().simulateEvent(new SimulateEventRequest().eventType("webhook.ping"));
System.out.println(event.eventId());
