connection, err := client.User(userID).Connections.Get(ctx, connectionID)
if err != nil {
	return err
}
fmt.Println(connection.ConnectionStatus, connection.ConsentExpiresAt)
