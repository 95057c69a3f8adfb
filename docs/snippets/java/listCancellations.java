for (var cancellation : client.user(userId).cancellations().list()) {
    System.out.println(cancellation.cancellationId() + " " + cancellation.status());
}
