categories, err := client.Transactions.ListCategories(ctx)
if err != nil {
	return err
}
for _, c := range categories {
	fmt.Println(c.CategoryID, c.CategoryName, c.Subcategories)
}
