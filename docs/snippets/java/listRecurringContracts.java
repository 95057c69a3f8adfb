for (var c : client.user(userId).insights().listRecurringContracts()) {
    System.out.println(c.merchant().name() + " " + c.yearlyCost());
}
