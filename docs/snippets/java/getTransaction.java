var transaction = client.user(userId).transactions().get(transactionId);
System.out.println(transaction.amount() + " " + transaction.currencyCode() + " " + transaction.note());
