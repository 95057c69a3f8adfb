// From the second time on, add since with what the last answer gave.
var list = client.user(userId).transactions().listChanges(options -> options.limit(100));
for (var change : list.changes()) {
    System.out.println(change.change() + " " + change.transactionId());
}
System.out.println("Next time, since is " + list.since());
