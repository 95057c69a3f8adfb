products, err := client.Catalogue.ListProducts(ctx, organizationID, nil)
if err != nil {
	return err
}
for _, p := range products {
	fmt.Println(p.ProductID, p.Name)
}
