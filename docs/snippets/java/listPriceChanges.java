for (var c : client.user(userId).insights().listPriceChanges()) {
    System.out.println(c.since() + " " + c.percent() + " " + c.specialRight().text());
}
