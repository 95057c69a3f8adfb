return client.User(userID).Transactions.DeleteCategory(ctx, transactionID)
