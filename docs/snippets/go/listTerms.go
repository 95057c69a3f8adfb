terms, err := client.Terms.List(ctx)
if err != nil {
	return err
}
for _, t := range terms {
	fmt.Println(t.TermsType, t.Version, t.URL)
}
