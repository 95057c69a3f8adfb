link, err := client.User(userID).Connections.Reconnect(ctx, connectionID,
	aviso.ReconnectConnectionRequest{ReturnURL: "https://partner.example/back"})
if err != nil {
	return err
}
fmt.Println("Send the user to", link.RedirectURL)
