for (var s : client.user(userId).insights().listSavings()) {
    System.out.println(s.currencyCode() + " " + s.yearlySaving());
}
