contract, err := client.User(userID).Insights.UpdateRecurringContract(ctx, subscriptionID,
	aviso.UpdateRecurringContractRequest{ContractStart: "2024-11-15"})
if err != nil {
	return err
}
fmt.Println(contract.ContractStart.Date, contract.Deadline)
