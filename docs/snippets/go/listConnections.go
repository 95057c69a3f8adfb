for c, err := range client.User(userID).Connections.List(ctx, nil) {
	if err != nil {
		return err
	}
	fmt.Println(c.ProviderName, c.ConnectionStatus)
}
