return client.User(userID).Connections.Delete(ctx, connectionID)
