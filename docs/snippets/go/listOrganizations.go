for organization, err := range client.Catalogue.ListOrganizations(ctx, nil) {
	if err != nil {
		return err
	}
	fmt.Println(organization.ID, organization.Name)
}
