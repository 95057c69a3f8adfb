acceptances, err := client.User(userID).Terms.ListAcceptances(ctx)
if err != nil {
	return err
}
for _, a := range acceptances {
	fmt.Println(a.TermsType, a.Version, a.AcceptedAt)
}
