var answer = new UpdateCancellationOutcomeRequest().status("Confirmed")
        .endDate(LocalDate.of(2027, 1, 31));
try {
    var cancellation = client.user(userId).cancellations()
            .updateOutcome(cancellationId, answer);
    System.out.println(cancellation.status());
} catch (ConflictException e) {
    System.out.println("The cancellation is not waiting for an answer.");
}
