params := &aviso.ListProvidersParams{CountryCode: "DE", ProviderNameFilter: "linden"}
for provider, err := range client.Providers.List(ctx, params) {
	if err != nil {
		return err
	}
	fmt.Println(provider.ID, provider.Name)
}
