link, err := client.User(userID).Connections.Create(ctx,
	aviso.CreateConnectionRequest{
		ProviderID: providerID, ReturnURL: "https://partner.example/back",
	})
if err != nil {
	return err
}
fmt.Println("Send the user to", link.RedirectURL)
