provider, err := client.Providers.Get(ctx, providerID)
if err != nil {
	return err
}
fmt.Println(provider.Name, provider.SupportedAccountTypes)
