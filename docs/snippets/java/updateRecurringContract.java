var request = new UpdateRecurringContractRequest().contractStart(LocalDate.parse("2024-11-15"));
var contract = client.user(userId).insights().updateRecurringContract(subscriptionId, request);
System.out.println(contract.contractStart().date());
