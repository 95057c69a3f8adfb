change := aviso.UpdateTransactionRequest{CategoryID: 521}
transaction, err := client.User(userID).Transactions.Update(ctx, transactionID, change)
if err != nil {
	return err
}
fmt.Println(transaction.Category.SubcategoryName)
