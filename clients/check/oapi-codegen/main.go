// Command journey connects two people's accounts and reads them with the generated client.
package main

import (
	"context"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"

	"journey/aviso"
)

func main() {
	ctx := context.Background()
	client := newClient(os.Getenv("BASE_URL"), "")
	token, err := client.CreateTokenWithFormdataBodyWithResponse(ctx,
		aviso.CreateTokenRequest{GrantType: "client_credentials"},
		func(_ context.Context, r *http.Request) error {
			r.SetBasicAuth("sandbox", "sandbox-secret")
			return nil
		})
	check(err)
	client = newClient(os.Getenv("BASE_URL"), token.JSON200.AccessToken)

	created, err := client.CreateUserWithResponse(ctx, nil, aviso.CreateUserRequest{CountryCode: "DE", LanguageCode: "en"})
	check(err)
	user := created.JSON201.Data.User.UserId
	fmt.Println("user", user)
	terms, err := client.ListTermsWithResponse(ctx, nil)
	check(err)
	for _, t := range terms.JSON200.Data.Terms {
		_, err := client.AcceptTermsWithResponse(ctx, user, nil, aviso.AcceptTermsRequest{
			TermsType: aviso.AcceptTermsRequestTermsType(t.TermsType), Version: t.Version,
		})
		check(err)
	}
	var connection uuid.UUID
	for _, persona := range []string{"family", "anna"} {
		connection = connect(ctx, client, user, persona)
	}

	accounts, err := client.ListAccountsWithResponse(ctx, &aviso.ListAccountsParams{XUserId: user.String()})
	check(err)
	fmt.Println("accounts", len(accounts.JSON200.Data.Accounts))
	count, sum := 0, new(big.Rat)
	query := &aviso.ListTransactionsParams{XUserId: user.String(), Limit: new(int32(200))}
	for {
		page, err := client.ListTransactionsWithResponse(ctx, query)
		check(err)
		for _, t := range page.JSON200.Data.Transactions {
			amount, _ := new(big.Rat).SetString(t.Amount.String())
			sum.Add(sum, amount)
			count++
		}
		query.NextToken = page.JSON200.Meta.Pagination.NextToken
		if query.NextToken == nil {
			break
		}
	}
	fmt.Println("transactions", count)
	fmt.Println("sum", sum.FloatString(2))

	missing, err := client.GetTransactionWithResponse(ctx, uuid.New(), &aviso.GetTransactionParams{XUserId: user.String()})
	check(err)
	fmt.Println("error", missing.ApplicationproblemJSON404.Status, missing.ApplicationproblemJSON404.Code)

	client = newClient(os.Getenv("FUTURE_URL"), token.JSON200.AccessToken)
	state, err := client.GetConnectionWithResponse(ctx, connection, &aviso.GetConnectionParams{XUserId: user.String()})
	check(err)
	accounts, err = client.ListAccountsWithResponse(ctx, &aviso.ListAccountsParams{XUserId: user.String()})
	check(err)
	rows, err := client.ListTransactionsWithResponse(ctx, &aviso.ListTransactionsParams{XUserId: user.String(), Limit: new(int32(4))})
	check(err)
	fmt.Print("future ")
	for _, t := range rows.JSON200.Data.Transactions {
		fmt.Print(t.Amount, " ")
	}
	fmt.Println(state.JSON200.Data.Connection.ConnectionStatus, accounts.JSON200.Data.Accounts[0].AccountType,
		rows.JSON200.Data.Transactions[0].RecordState)
}

func newClient(address, token string) *aviso.ClientWithResponses {
	client, err := aviso.NewClientWithResponses(address, aviso.WithRequestEditorFn(
		func(_ context.Context, r *http.Request) error {
			if token != "" {
				r.Header.Set("Authorization", "Bearer "+token)
			}
			return nil
		}))
	check(err)
	return client
}

func connect(ctx context.Context, client *aviso.ClientWithResponses, user uuid.UUID, persona string) uuid.UUID {
	banks, err := client.ListProvidersWithResponse(ctx, &aviso.ListProvidersParams{ProviderNameFilter: new("linden")})
	check(err)
	created, err := client.CreateConnectionWithResponse(ctx, &aviso.CreateConnectionParams{XUserId: user.String()},
		aviso.CreateConnectionRequest{
			ProviderId: banks.JSON200.Data.Providers[0].Id, ReturnUrl: new("http://localhost:8080/"),
		})
	check(err)
	link := created.JSON201.Data
	approved, err := http.Post(os.Getenv("APPROVE_URL")+persona, "text/plain", strings.NewReader(link.RedirectUrl))
	check(err)
	check(approved.Body.Close())
	for {
		state, err := client.GetConnectionWithResponse(ctx, link.ConnectionId, &aviso.GetConnectionParams{XUserId: user.String()})
		check(err)
		if state.JSON200.Data.Connection.LastSuccessAt.Year() > 1 {
			return link.ConnectionId
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
