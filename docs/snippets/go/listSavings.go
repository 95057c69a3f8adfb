savings, err := client.User(userID).Insights.ListSavings(ctx)
if err != nil {
	return err
}
for _, s := range savings {
	fmt.Println(s.CurrencyCode, s.YearlySaving, s.SavedSoFar)
}
