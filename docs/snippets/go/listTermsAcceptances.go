acceptances, err := client.Terms.ListAcceptances(ctx, userID)
if err != nil {
	return err
}
for _, a := range acceptances {
	fmt.Println(a.TermsType, a.Version, a.AcceptedAt)
}
