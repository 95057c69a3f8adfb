t, err := client.User(userID).Transactions.Update(ctx, transactionID,
	aviso.UpdateTransactionRequest{CategoryID: 521})
if err != nil {
	return err
}
fmt.Println(t.Category.SubcategoryName)
