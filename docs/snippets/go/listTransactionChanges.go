// From the second time on, add Since with what the last answer gave.
params := &aviso.ListTransactionChangesParams{Limit: 100}
list, err := client.User(userID).Transactions.ListChanges(ctx, params)
if err != nil {
	return err
}
for _, c := range list.Changes {
	fmt.Println(c.Change, c.TransactionID)
}
fmt.Println("Next time, Since is", list.Since)
