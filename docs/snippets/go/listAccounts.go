for a, err := range client.User(userID).Accounts.List(ctx, nil) {
	if err != nil {
		return err
	}
	fmt.Println(a.AccountName, a.IBAN, a.Balance, a.CurrencyCode)
}
