for (var type : client.webhooks().listEventTypes()) {
    System.out.println(type.eventType() + " " + type.description());
}
