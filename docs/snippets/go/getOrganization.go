organization, err := client.Catalogue.GetOrganization(ctx, organizationID)
if err != nil {
	return err
}
fmt.Println(organization.Name, organization.URL)
