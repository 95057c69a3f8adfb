var parameters = List.of(
        new CancellationParameter()
                .fieldKey("NAME").fieldValue("Anna Sommer"),
        new CancellationParameter()
                .fieldKey("ADDRESS").fieldValue("Lindenallee 12"),
        new CancellationParameter()
                .fieldKey("ZIP").fieldValue("50667"),
        new CancellationParameter()
                .fieldKey("CITY").fieldValue("Köln"),
        new CancellationParameter()
                .fieldKey("EMAIL").fieldValue("anna.sommer@example.org"),
        new CancellationParameter()
                .fieldKey("CUSTOMER_NUMBER").fieldValue("K-204817"),
        new CancellationParameter()
                .fieldKey("DATA_DELETE_REQUEST").fieldValue("false"));
var needs = new SendObjectionRequest().parameters(parameters)
        .signature(new Signature().type(Signature.TYPE_TEXT).data("Anna Sommer"));
try {
    var sent = client.user(userId).cancellations().sendObjection(cancellationId, needs,
            options -> options.idempotencyKey("objection-" + cancellationId));
    System.out.println(sent.objection().objectionId());
} catch (ConflictException e) {
    System.out.println("There is no debit to object to.");
}
