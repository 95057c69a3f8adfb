user, err := client.Users.Create(ctx, aviso.CreateUserRequest{
	ExternalID: "customer-4711", CountryCode: "DE", LanguageCode: "de",
})
if err != nil {
	return err
}
fmt.Println(user.UserID)
