// A page has 100 transactions. The next one is read when it is needed.
var transactions = client.user(userId).transactions().list(
        options -> options.limit(100));
for (var t : transactions) {
    System.out.println(t.recordDate() + " " + t.amount() + " " + t.note());
}
