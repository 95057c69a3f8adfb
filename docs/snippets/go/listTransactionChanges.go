params := &aviso.ListTransactionChangesParams{Limit: 100} // and Since, once you have one
list, err := client.User(userID).Transactions.ListChanges(ctx, params)
if err != nil {
	return err
}
for _, c := range list.Changes {
	fmt.Println(c.Change, c.TransactionID)
}
fmt.Println("The next Since is", list.Since)
