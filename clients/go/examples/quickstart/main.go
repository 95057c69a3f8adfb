// Command quickstart connects a user's bank, and prints the transactions once a callback says
// that they have been read.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"

	aviso "aviso.example/client"
)

func main() {
	ctx, client := context.Background(), aviso.Must(aviso.New(aviso.Config{}))
	user := aviso.Must(client.Users.Create(ctx, aviso.CreateUserRequest{CountryCode: "DE", LanguageCode: "en"}))
	for _, terms := range aviso.Must(client.Terms.List(ctx)) {
		accepted := aviso.AcceptTermsRequest{TermsType: terms.TermsType, Version: terms.Version}
		aviso.Must(client.Terms.Accept(ctx, user.UserID, accepted))
	}

	hook := aviso.Must(client.Webhooks.CreateSubscription(ctx, aviso.CreateWebhookSubscriptionRequest{
		ServerURL: "http://127.0.0.1:8080/", Events: []string{"connection.refreshed"}}))
	events := make(chan *aviso.Event)
	store := func(_ *http.Request, event *aviso.Event) error { events <- event; return nil }
	receiver := aviso.Receiver(store, hook.Secret.Key)
	go func() { log.Fatal(http.ListenAndServe("127.0.0.1:8080", receiver)) }()

	banks := aviso.Must(client.Providers.ListPage(ctx, &aviso.ListProvidersParams{ProviderNameFilter: "linden"}))
	link := aviso.Must(client.User(user.UserID).Connections.Create(ctx, aviso.CreateConnectionRequest{
		ProviderID: banks.Items[0].ID, ReturnURL: "http://localhost:8080/"}))
	fmt.Println("Open", link.RedirectURL)
	for t, err := range client.User((<-events).UserID).Transactions.List(ctx, nil) {
		fmt.Println(t.RecordDate.Format("2006-01-02"), t.Amount, t.CurrencyCode, t.Note, err)
	}
}
