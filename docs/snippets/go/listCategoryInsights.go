list, err := client.User(userID).Insights.ListCategories(ctx, nil)
if err != nil {
	return err
}
for _, i := range list.Data.Insights {
	fmt.Println(i.PeriodStart, i.Category.Name, i.Amount, i.CurrencyCode)
}
