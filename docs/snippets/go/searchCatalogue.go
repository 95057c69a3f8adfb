params := &aviso.SearchCatalogueParams{SearchQuery: "vidorma"}
found, err := client.Search.Catalogue(ctx, params)
if err != nil {
	return err
}
for _, o := range found.Data.Organizations {
	fmt.Println(o.ID, o.Name)
}
