transaction, err := client.User(userID).Transactions.Get(ctx, transactionID)
if err != nil {
	return err
}
fmt.Println(transaction.Amount, transaction.CurrencyCode, transaction.Note)
