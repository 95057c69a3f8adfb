for (var a : client.user(userId).accounts().list()) {
    System.out.println(a.iban() + " " + a.balance() + " " + a.currencyCode());
}
