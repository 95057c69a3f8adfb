var parameters = List.of(
        new CancellationParameter().fieldKey("NAME").fieldValue("Anna Sommer"),
        new CancellationParameter().fieldKey("ADDRESS").fieldValue("Lindenallee 12"),
        new CancellationParameter().fieldKey("ZIP").fieldValue("50667"),
        new CancellationParameter().fieldKey("CITY").fieldValue("Köln"),
        new CancellationParameter()
                .fieldKey("EMAIL").fieldValue("anna.sommer@example.org"),
        new CancellationParameter()
                .fieldKey("CUSTOMER_NUMBER").fieldValue("K-204817"),
        new CancellationParameter()
                .fieldKey("DATA_DELETE_REQUEST").fieldValue("true"));
var request = new CreateCancellationRequest()
        .organizationId(organizationId).productId(productId).locale("de-DE")
        .parameters(parameters)
        .signature(new Signature().type(Signature.TYPE_TEXT).data("Anna Sommer"));
var created = client.user(userId).cancellations().create(request,
        options -> options.idempotencyKey("order-4711-" + userId));
System.out.println(created.cancellation().cancellationId());
