package aviso_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"

	aviso "aviso.example/client"
)

// The README shows the bodies of these functions.
var (
	ctx       = context.Background()
	client, _ = aviso.New(aviso.Config{ClientID: "sandbox", ClientSecret: "sandbox-secret", BaseURL: "http://localhost:3000"})
	user      = client.User("8f8e7c1d-0a3b-4f0e-9a55-6f1f2d3c4b5a")
	form      url.Values
)

func ExampleNew() {
	client, err := aviso.New(aviso.Config{
		ClientID:     "sandbox",               // or AVISO_CLIENT_ID
		ClientSecret: "sandbox-secret",        // or AVISO_CLIENT_SECRET
		BaseURL:      "http://localhost:3000", // or AVISO_BASE_URL
		Timeout:      20 * time.Second,        // of a call with all its retries; a minute if left out
		MaxRetries:   5,                       // 3 if left out, none if negative
	})
	fmt.Println(client, err)
}

func ExampleUserTransactionsService_List() {
	params := &aviso.ListTransactionsParams{DateFrom: "2026-01-01", Limit: 200}
	for transaction, err := range user.Transactions.List(ctx, params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(transaction.RecordDate, transaction.Amount, transaction.Note)
	}
}

func ExampleUserTransactionsService_ListPage() {
	page, err := user.Transactions.ListPage(ctx, &aviso.ListTransactionsParams{Limit: 20})
	if err != nil {
		log.Fatal(err)
	}
	next, err := user.Transactions.ListPage(ctx, &aviso.ListTransactionsParams{Limit: 20, NextToken: page.NextToken})
	fmt.Println(next, err)
}

func ExampleError() {
	_, err := user.Connections.Refresh(ctx, "0b9f2f9e-7a55-4d0f-8f6e-3f5c7f0a1b2c", nil)
	var failure *aviso.Error
	switch {
	case err == nil:
	case errors.Is(err, aviso.ErrNotFound):
		fmt.Println("the connection was deleted")
	case errors.As(err, &failure) && failure.Code == "refresh_too_early":
		fmt.Println("possible from", failure.NextRefreshPossibleAt)
	default:
		log.Fatal(err) // says the code, what is wrong, and the trace ID to quote
	}
}

func ExampleUserCancellationsService_Create() {
	found, err := client.Search.Catalogue(ctx, &aviso.SearchCatalogueParams{SearchQuery: "vidorama"})
	if err != nil {
		log.Fatal(err)
	}
	product := found.Data.Products[0]
	detail, err := client.Catalogue.GetProduct(ctx, product.OrganizationID, product.ProductID, nil)
	if err != nil {
		log.Fatal(err)
	}
	letter := aviso.CreateCancellationRequest{
		OrganizationID: product.OrganizationID, ProductID: product.ProductID, Locale: product.Locales[0],
		Signature: aviso.Signature{Type: aviso.SignatureTypeTEXT, Data: "Anna Sommer"},
	}
	for _, field := range detail.Template {
		letter.Parameters = append(letter.Parameters, aviso.CancellationParameter{
			FieldKey: field.FieldKey, FieldValue: form.Get(field.FieldKey),
		})
	}
	made, err := user.Cancellations.Create(ctx, letter, nil, aviso.WithIdempotencyKey("order-4711"))
	fmt.Println(made.Cancellation.Status, err)
}

func ExampleWithIdempotencyKey() {
	letter := aviso.CreateCancellationRequest{Locale: "de-DE"} // and the organization, the product, the fields
	_, err := user.Cancellations.Create(ctx, letter, nil, aviso.WithIdempotencyKey("order-4711"))
	fmt.Println(err)
}

func ExampleAmount() {
	var sum aviso.Amount
	for transaction, err := range user.Transactions.List(ctx, nil) {
		if err != nil {
			log.Fatal(err)
		}
		sum = sum.Add(transaction.Amount)
	}
	fmt.Println(sum, sum.StringFixed(0), sum.Sign() < 0)
}

func ExampleReceiver() {
	store := func(_ *http.Request, event *aviso.Event) error {
		switch data := event.Data.(type) {
		case aviso.TransactionsUpdatedEventData:
			fmt.Println("new transactions of", event.UserID, "since", data.Since)
		case aviso.ConnectionExpiredEventData:
			fmt.Println("ask", event.UserID, "to reconnect", data.ConnectionID)
		}
		return nil // the event is acknowledged; an error makes Aviso send it again
	}
	receiver, err := aviso.Receiver(store, os.Getenv("WEBHOOK_SECRET"), os.Getenv("OLD_WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err) // a secret has the wrong form
	}
	http.Handle("/aviso", receiver)
}
