var transaction = new TestTransaction()
        .amount(new BigDecimal("-17.99")).counterparty("Vidorma").note("VIDORMA 4711");
var added = client.user(userId).sandbox().createTestTransactions(new CreateTestTransactionsRequest()
        .accountId(accountId).transactions(List.of(transaction)));
System.out.println(added.added() + " added");
