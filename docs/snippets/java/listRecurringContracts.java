for (var contract : client.user(userId).insights().listRecurringContracts()) {
    System.out.println(contract.merchant().name() + " " + contract.yearlyCost());
}
