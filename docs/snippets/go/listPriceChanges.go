changes, err := client.User(userID).Insights.ListPriceChanges(ctx, nil)
if err != nil {
	return err
}
for _, c := range changes {
	fmt.Println(c.Merchant.Name, c.Since, c.Percent, c.SpecialRight.Answer)
}
