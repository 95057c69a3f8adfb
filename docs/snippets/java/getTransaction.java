var t = client.user(userId).transactions().get(transactionId);
System.out.println(t.amount() + " " + t.currencyCode() + " " + t.note());
