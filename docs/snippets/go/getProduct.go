params := &aviso.GetProductParams{Locale: "de-DE"}
product, err := client.Catalogue.GetProduct(ctx, organizationID, productID, params)
if err != nil {
	return err
}
for _, field := range product.Template {
	fmt.Println(field.FieldKey, field.Label)
}
