// The client fetches a token with its first call, and renews it in time.
client, err := aviso.New(aviso.Config{
	ClientID: clientID, ClientSecret: clientSecret, BaseURL: baseURL,
})
if err != nil {
	return err
}
terms, err := client.Terms.List(ctx)
if err != nil {
	return err
}
fmt.Println(terms)
