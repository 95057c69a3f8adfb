contracts, err := client.User(userID).Insights.ListRecurringContracts(ctx)
if err != nil {
	return err
}
for _, c := range contracts {
	fmt.Println(c.Merchant.Name, c.RecurrenceFrequency, c.YearlyCost, c.CurrencyCode)
}
