// A page has 100 transactions. The next one is read when it is needed.
params := &aviso.ListTransactionsParams{Limit: 100}
for transaction, err := range client.User(userID).Transactions.List(ctx, params) {
	if err != nil {
		return err
	}
	fmt.Println(transaction.RecordDate, transaction.Amount, transaction.CurrencyCode, transaction.Note)
}
