// Command quickstart connects a user's bank, and prints the transactions once a callback says
// that they have been read.
package main

import (
	"context"
	"fmt"
	"net"
	"net/http"

	aviso "aviso.example/client"
)

func main() {
	ctx, client := context.Background(), aviso.Must(aviso.New(aviso.Config{}))
	user := client.User(aviso.Must(client.Users.Create(ctx, aviso.CreateUserRequest{CountryCode: "DE", LanguageCode: "en"})).UserID)
	for _, t := range aviso.Must(client.Terms.List(ctx)) { // once the user has agreed
		aviso.Must(user.Terms.Accept(ctx, aviso.AcceptTermsRequest{TermsType: t.TermsType, Version: t.Version}))
	}

	listener, events := aviso.Must(net.Listen("tcp", "localhost:8090")), make(chan *aviso.Event)
	hook := aviso.Must(client.Webhooks.CreateSubscription(ctx, aviso.CreateWebhookSubscriptionRequest{
		ServerURL: "http://localhost:8090/", Events: []string{"connection.refreshed"}}))
	store := func(_ *http.Request, event *aviso.Event) error { events <- event; return nil }
	go http.Serve(listener, aviso.Must(aviso.Receiver(store, hook.Secret.Key))) //nolint:errcheck // it serves until the end

	bank := aviso.Must(client.Providers.ListPage(ctx, &aviso.ListProvidersParams{ProviderNameFilter: "linden"})).Items[0]
	fmt.Println("Open", aviso.Must(user.Connections.Create(ctx, aviso.CreateConnectionRequest{
		ProviderID: bank.ID, ReturnURL: "http://localhost:8090/"})).RedirectURL) // the receiver thanks the user
	for (<-events).UserID != user.ID { // a simulated event has no user
	}
	for t, err := range user.Transactions.List(ctx, nil) {
		fmt.Println(t.RecordDate.Format("2006-01-02"), t.Amount, t.CurrencyCode, t.Note, err)
	}
	aviso.Must(0, client.Webhooks.DeleteSubscription(ctx, hook.Subscription.SubscriptionID))
}
