amount, err := aviso.ParseAmount("-17.99")
if err != nil {
	return err
}
rows := aviso.CreateTestTransactionsRequest{
	AccountID: accountID,
	Transactions: []aviso.TestTransaction{
		{Amount: amount, Counterparty: "Vidorma", Note: "VIDORMA 4711"},
	},
}
added, err := client.User(userID).Sandbox.CreateTestTransactions(ctx, rows)
if err != nil {
	return err
}
fmt.Println(added.Added, "added")
