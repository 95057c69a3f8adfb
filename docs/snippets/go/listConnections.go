for connection, err := range client.User(userID).Connections.List(ctx, nil) {
	if err != nil {
		return err
	}
	fmt.Println(connection.ProviderName, connection.ConnectionStatus)
}
