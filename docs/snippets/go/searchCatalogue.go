found, err := client.Search.Catalogue(ctx, &aviso.SearchCatalogueParams{SearchQuery: "vidorma"})
if err != nil {
	return err
}
for _, o := range found.Data.Organizations {
	fmt.Println(o.ID, o.Name)
}
