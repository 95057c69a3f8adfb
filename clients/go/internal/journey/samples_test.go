package journey

import (
	"bytes"
	"context"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const snippets = "../../../../docs/snippets/"

// following is what follows a sample: it takes from the answer what later samples need.
var following = map[string]string{
	"createToken": `
		answer := aviso.Must(http.PostForm(baseURL+"/oauth2/token", url.Values{
			"grant_type": {"client_credentials"}, "client_id": {clientID}, "client_secret": {clientSecret}}))
		defer answer.Body.Close()
		var fetched aviso.TokenResponse
		err = json.NewDecoder(answer.Body).Decode(&fetched)
		token = fetched.AccessToken`,
	"createUser": "userID = user.UserID",
	"acceptTerms": `
		for _, t := range aviso.Must(client.Terms.List(ctx)) {
			accepted := aviso.AcceptTermsRequest{TermsType: t.TermsType, Version: t.Version}
			aviso.Must(client.User(userID).Terms.Accept(ctx, accepted))
		}`,
	"listProviders": "providerID = aviso.Must(client.Providers.ListPage(ctx, params)).Items[0].ID",
	"createConnection": `
		connectionID = link.ConnectionID
		fmt.Println("Open", link.RedirectURL)
		for aviso.Must(client.User(userID).Connections.Get(ctx, connectionID)).LastSuccessAt.IsZero() {
			time.Sleep(200 * time.Millisecond)
		}`,
	"listAccounts":           "accountID = aviso.Must(client.User(userID).Accounts.ListPage(ctx, nil)).Items[0].AccountID",
	"listTransactions":       "transactionID = aviso.Must(client.User(userID).Transactions.ListPage(ctx, params)).Items[0].ID",
	"listRecurringContracts": "subscriptionID = contracts[0].SubscriptionID",
	"searchCatalogue":        "organizationID = found.Data.Organizations[0].ID",
	"listProducts":           "productID = products[0].ProductID",
	"createCancellation":     "cancellationID = created.Cancellation.CancellationID",
	"listReplies":            "replyID = replies[0].ReplyID",
	"createWebhookSubscription": `
		subscriptionID = created.Subscription.SubscriptionID
		secretID = created.Secret.SecretID`,
	"createExport": "exportID = export.ExportID",
	"deleteUser":   "erasureID = erasure.ErasureID",
}

// The program is a module of its own, as a partner's is.
const (
	module = `module samples

go 1.25.0

require aviso.example/client v0.0.0

replace aviso.example/client => `

	program = `package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	aviso "aviso.example/client"
)

var (
	ctx          = context.Background()
	client       = aviso.Must(aviso.New(aviso.Config{}))
	baseURL      = os.Getenv("AVISO_BASE_URL")
	clientID     = os.Getenv("AVISO_CLIENT_ID")
	clientSecret = os.Getenv("AVISO_CLIENT_SECRET")

	token, userID, providerID, connectionID, accountID, transactionID string
	organizationID, productID, cancellationID                         string
	subscriptionID, secretID, erasureID, exportID, replyID                     string
)

func main() {
%s}

func check(operation string, err error) {
	if err != nil {
		log.Fatalf("%%s: %%v", operation, err)
	}
}
`
)

// TestSamples runs the samples that the reference shows, as one program.
func TestSamples(t *testing.T) {
	var calls, functions strings.Builder
	for line := range strings.Lines(string(read(t, snippets+"order.txt"))) {
		operation := strings.Fields(line)[0]
		fmt.Fprintf(&calls, "\tcheck(%q, %[1]s())\n", operation)
		fmt.Fprintf(&functions, "\nfunc %s() error {\n%s\n%s\nreturn nil\n}\n",
			operation, readSample(t, operation), following[operation])
	}
	client, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	write(t, filepath.Join(folder, "go.mod"), module+client+"\n")
	write(t, filepath.Join(folder, "main.go"), fmt.Sprintf(program, calls.String())+functions.String())
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	samples := exec.CommandContext(ctx, "go", "run", ".")
	samples.Dir = folder
	err = run(t, samples, func(line string) {
		if link, ok := strings.CutPrefix(line, "Open "); ok {
			approve(t, link, "anna", "https://partner.example/back")
		}
	})
	if err != nil {
		t.Error("the samples end with", err)
	}
}

// readSample returns a sample, which has to be formatted.
func readSample(t *testing.T, operation string) []byte {
	t.Helper()
	code := read(t, snippets+"go/"+operation+".go")
	if formatted, err := format.Source(code); err != nil || !bytes.Equal(code, formatted) {
		t.Errorf("gofmt would change %s: %v", operation, err)
	}
	return code
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
