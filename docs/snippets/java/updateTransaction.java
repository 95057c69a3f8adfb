var transaction = client.user(userId).transactions().update(transactionId,
        new UpdateTransactionRequest().categoryId(521));
System.out.println(transaction.category().subcategoryName());
