categories, err := client.Catalogue.ListCategories(ctx, nil)
if err != nil {
	return err
}
for _, c := range categories {
	fmt.Println(c.ID, c.Name)
}
