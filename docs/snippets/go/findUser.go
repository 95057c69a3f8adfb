params := &aviso.FindUserParams{ExternalID: "customer-4711"}
user, err := client.Users.Find(ctx, params)
if err != nil {
	return err
}
fmt.Println(user.UserID)
