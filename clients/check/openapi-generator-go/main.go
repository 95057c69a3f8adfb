// Command journey connects two people's accounts and reads them with the generated client.
package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"log"
	"math/big"
	"net/http"
	"os"
	"strings"
	"time"

	aviso "journey/generated"
)

func main() {
	ctx := context.Background()
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("sandbox:sandbox-secret"))
	token, _, err := newClient("BASE_URL", basic).AuthenticationAPI.CreateToken(ctx).GrantType("client_credentials").Execute()
	check(err)
	bearer := "Bearer " + token.AccessToken
	client := newClient("BASE_URL", bearer)

	created, _, err := client.UsersAPI.CreateUser(ctx).CreateUserRequest(*aviso.NewCreateUserRequest("DE", "en")).Execute()
	check(err)
	user := created.Data.User.UserId
	fmt.Println("user", user)
	terms, _, err := client.TermsAPI.ListTerms(ctx).Execute()
	check(err)
	for _, t := range terms.Data.Terms {
		_, _, err := client.TermsAPI.AcceptTerms(ctx, user).
			AcceptTermsRequest(*aviso.NewAcceptTermsRequest(t.TermsType, t.Version)).Execute()
		check(err)
	}
	var connection string
	for _, persona := range []string{"family", "anna"} {
		connection = connect(ctx, client, user, persona)
	}

	accounts, _, err := client.AccountsAPI.ListAccounts(ctx).XUserId(user).Execute()
	check(err)
	fmt.Println("accounts", len(accounts.Data.Accounts))
	count, sum := 0, new(big.Rat)
	query := client.TransactionsAPI.ListTransactions(ctx).XUserId(user).Limit(200)
	for {
		page, _, err := query.Execute()
		check(err)
		for _, t := range page.Data.Transactions {
			amount, _ := new(big.Rat).SetString(t.Amount.String())
			sum.Add(sum, amount)
			count++
		}
		more, isMore := page.Meta.Pagination.GetNextTokenOk()
		if !isMore {
			break
		}
		query = query.NextToken(*more)
	}
	fmt.Println("transactions", count)
	fmt.Println("sum", sum.FloatString(2))

	_, _, err = client.TransactionsAPI.GetTransaction(ctx, randomUUID()).XUserId(user).Execute()
	var refused *aviso.GenericOpenAPIError
	if errors.As(err, &refused) {
		problem, _ := refused.Model().(aviso.Problem)
		fmt.Println("error", problem.Status, problem.Code)
	}

	client = newClient("FUTURE_URL", bearer)
	state, _, err := client.ConnectionsAPI.GetConnection(ctx, connection).XUserId(user).Execute()
	check(err)
	accounts, _, err = client.AccountsAPI.ListAccounts(ctx).XUserId(user).Execute()
	check(err)
	rows, _, err := client.TransactionsAPI.ListTransactions(ctx).XUserId(user).Limit(4).Execute()
	check(err)
	fmt.Print("future ")
	for _, t := range rows.Data.Transactions {
		fmt.Print(t.Amount, " ")
	}
	fmt.Println(state.Data.Connection.ConnectionStatus, accounts.Data.Accounts[0].AccountType,
		rows.Data.Transactions[0].RecordState)
}

func newClient(address, authorization string) *aviso.APIClient {
	settings := aviso.NewConfiguration()
	settings.Servers = aviso.ServerConfigurations{{URL: os.Getenv(address)}}
	settings.AddDefaultHeader("Authorization", authorization)
	return aviso.NewAPIClient(settings)
}

func connect(ctx context.Context, client *aviso.APIClient, user, persona string) string {
	banks, _, err := client.ProvidersAPI.ListProviders(ctx).ProviderNameFilter("linden").Execute()
	check(err)
	request := aviso.NewCreateConnectionRequest(banks.Data.Providers[0].Id)
	request.SetReturnUrl("http://localhost:8080/")
	created, _, err := client.ConnectionsAPI.CreateConnection(ctx).XUserId(user).CreateConnectionRequest(*request).Execute()
	check(err)
	approved, err := http.Post(os.Getenv("APPROVE_URL")+persona, "text/plain", strings.NewReader(created.Data.RedirectUrl))
	check(err)
	check(approved.Body.Close())
	for {
		state, _, err := client.ConnectionsAPI.GetConnection(ctx, created.Data.ConnectionId).XUserId(user).Execute()
		check(err)
		if state.Data.Connection.LastSuccessAt.Year() > 1 {
			return created.Data.ConnectionId
		}
		time.Sleep(200 * time.Millisecond)
	}
}

func randomUUID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
