// A page has 100 transactions. The next one is read when it is needed.
for (var transaction : client.user(userId).transactions().list(options -> options.limit(100))) {
    System.out.println(transaction.recordDate() + " " + transaction.amount() + " " + transaction.note());
}
