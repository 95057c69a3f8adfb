countries, err := client.Providers.ListCountries(ctx)
if err != nil {
	return err
}
for _, c := range countries {
	fmt.Println(c.CountryCode, c.ProviderCount)
}
