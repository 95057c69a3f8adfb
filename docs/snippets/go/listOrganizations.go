for o, err := range client.Catalogue.ListOrganizations(ctx, nil) {
	if err != nil {
		return err
	}
	fmt.Println(o.ID, o.Name)
}
