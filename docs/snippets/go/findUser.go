user, err := client.Users.Find(ctx, &aviso.FindUserParams{ExternalID: "customer-4711"})
if err != nil {
	return err
}
fmt.Println(user.UserID)
