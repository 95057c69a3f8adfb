user, err := client.Users.Update(ctx, userID,
	aviso.UpdateUserRequest{LanguageCode: "fr"})
if err != nil {
	return err
}
fmt.Println(user.LanguageCode)
