list, err := client.User(userID).Insights.ListMerchants(ctx, nil)
if err != nil {
	return err
}
for _, i := range list.Data.Insights {
	fmt.Println(i.PeriodStart, i.Merchant.Name, i.Amount, i.CurrencyCode)
}
