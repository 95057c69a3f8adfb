user, err := client.Users.Get(ctx, userID)
if err != nil {
	return err
}
fmt.Println(user.ExternalID, user.CountryCode, user.LanguageCode)
