var request = new UpdateTransactionRequest().categoryId(521);
var t = client.user(userId).transactions().update(transactionId, request);
System.out.println(t.category().subcategoryName());
