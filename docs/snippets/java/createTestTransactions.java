var transaction = new TestTransaction()
        .amount(new BigDecimal("-17.99"))
        .counterparty("Vidorma").note("VIDORMA 4711");
var request = new CreateTestTransactionsRequest()
        .accountId(accountId).transactions(List.of(transaction));
var added = client.user(userId).sandbox().createTestTransactions(request);
System.out.println(added.added() + " added");
