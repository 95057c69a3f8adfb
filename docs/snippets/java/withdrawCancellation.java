try {
    var cancellation = client.user(userId).cancellations().withdraw(cancellationId);
    System.out.println(cancellation.status());
} catch (ConflictException e) {
    System.out.println("The letter has been sent.");
}
