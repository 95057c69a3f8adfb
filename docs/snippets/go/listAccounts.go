for account, err := range client.User(userID).Accounts.List(ctx, nil) {
	if err != nil {
		return err
	}
	fmt.Println(account.AccountName, account.IBAN, account.Balance, account.CurrencyCode)
}
