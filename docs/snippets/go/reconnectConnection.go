body := aviso.ReconnectConnectionRequest{ReturnURL: "https://partner.example/back"}
link, err := client.User(userID).Connections.Reconnect(ctx, connectionID, body)
if err != nil {
	return err
}
fmt.Println("Send the user to", link.RedirectURL)
