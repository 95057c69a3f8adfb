var facts = new CalculateDeadlineRequest()
        .contractStart(LocalDate.of(2025, 3, 15)).customer("Consumer")
        .agreedTerms(new AgreedTerms().noticePeriod("P2W"));
var deadline = client.catalogue().calculateDeadline(organizationId, productId, facts);
for (var step : deadline.steps()) {
    System.out.println(step.text() + " " + step.source());
}
