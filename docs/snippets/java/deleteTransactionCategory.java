client.user(userId).transactions().deleteCategory(transactionId);
