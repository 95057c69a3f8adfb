consents, err := client.User(userID).Connections.ListConsents(ctx, connectionID)
if err != nil {
	return err
}
for _, c := range consents {
	fmt.Println(c.ConsentStatus, c.AnsweredAt, c.Text)
}
