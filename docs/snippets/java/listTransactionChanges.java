// From the second time on, add since with what the last answer gave.
var list = client.user(userId).transactions().listChanges(
        options -> options.limit(100));
for (var c : list.changes()) {
    System.out.println(c.change() + " " + c.transactionId());
}
System.out.println("Next time, since is " + list.since());
