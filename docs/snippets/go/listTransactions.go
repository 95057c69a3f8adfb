// A page has 100 transactions. The next one is read when it is needed.
params := &aviso.ListTransactionsParams{Limit: 100}
for t, err := range client.User(userID).Transactions.List(ctx, params) {
	if err != nil {
		return err
	}
	fmt.Println(t.RecordDate, t.Amount, t.CurrencyCode, t.Note)
}
