params := &aviso.ListProvidersParams{
	CountryCode: "DE", ProviderNameFilter: "linden",
}
for p, err := range client.Providers.List(ctx, params) {
	if err != nil {
		return err
	}
	fmt.Println(p.ID, p.Name)
}
