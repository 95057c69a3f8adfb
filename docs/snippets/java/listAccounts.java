for (var account : client.user(userId).accounts().list()) {
    System.out.println(account.accountName() + " " + account.balance() + " " + account.currencyCode());
}
