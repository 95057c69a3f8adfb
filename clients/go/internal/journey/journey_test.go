// Package journey runs the client against the service at AVISO_BASE_URL, which has to be a
// local stack.
package journey

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	aviso "aviso.example/client"
)

const returnURL = "http://localhost:8090/"

// approve plays the user: it opens the link and shares the person's accounts at the bank, which
// sends the user home.
func approve(t *testing.T, link, person, home string) {
	t.Helper()
	cookies, _ := cookiejar.New(nil)
	browser := &http.Client{Jar: cookies, Timeout: 20 * time.Second, CheckRedirect: func(next *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(next.URL.String(), home) {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	page, err := browser.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	_ = page.Body.Close()
	back, err := browser.PostForm(page.Request.URL.String(), url.Values{
		"persona": {person}, "decision": {"approve"}, "account[]": {"current", "savings", "card"},
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = back.Body.Close()
	if at := back.Header.Get("Location"); !strings.Contains(at, "status=success") {
		t.Fatalf("the bank answers %d and sends the user to %q", back.StatusCode, at)
	}
}

// TestQuickstart runs the program of the README as a newcomer does.
func TestQuickstart(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	rows := 0
	err := run(t, exec.CommandContext(ctx, "go", "run", "aviso.example/client/examples/quickstart"), func(line string) {
		if link, ok := strings.CutPrefix(line, "Open "); ok {
			approve(t, link, "anna", returnURL)
		} else if rows++; !strings.HasSuffix(line, " <nil>") || !strings.Contains(line, " EUR ") {
			t.Errorf("printed %q", line)
		}
	})
	if err != nil || rows < 100 {
		t.Errorf("ended with %v after %d rows", err, rows)
	}
}

// run runs a program, and calls printed with each line that it prints.
func run(t *testing.T, program *exec.Cmd, printed func(line string)) error {
	t.Helper()
	program.Stderr = os.Stderr
	output, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err = program.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(output); lines.Scan(); {
		printed(lines.Text())
	}
	return program.Wait()
}

// TestSums compares what the rows add up to with the service's own totals.
func TestSums(t *testing.T) {
	ctx, client := t.Context(), aviso.Must(aviso.New(aviso.Config{}))
	id := aviso.Must(client.Users.Create(ctx, aviso.CreateUserRequest{CountryCode: "DE", LanguageCode: "en"})).UserID
	for _, terms := range aviso.Must(client.Terms.List(ctx)) {
		aviso.Must(client.User(id).Terms.Accept(ctx,
			aviso.AcceptTermsRequest{TermsType: terms.TermsType, Version: terms.Version}))
	}
	user := client.User(id)
	banks := aviso.Must(client.Providers.ListPage(ctx, &aviso.ListProvidersParams{ProviderNameFilter: "linden"})).Items
	for _, person := range []string{"family", "anna"} {
		link := aviso.Must(user.Connections.Create(ctx,
			aviso.CreateConnectionRequest{ProviderID: banks[0].ID, ReturnURL: returnURL}))
		approve(t, link.RedirectURL, person, returnURL)
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
			if connection := aviso.Must(user.Connections.Get(ctx, link.ConnectionID)); !connection.LastSuccessAt.IsZero() {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("the accounts were not read within a minute")
			}
		}
	}

	rows, sums := 0, map[string]aviso.Amount{}
	for row, err := range user.Transactions.List(ctx, &aviso.ListTransactionsParams{Limit: 200}) {
		if err != nil {
			t.Fatal(err)
		}
		rows++
		sums[row.CurrencyCode] = sums[row.CurrencyCode].Add(row.Amount)
	}
	totals := map[string]aviso.Amount{}
	for _, kind := range []string{"Income", "Expense"} {
		list := aviso.Must(user.Insights.ListCategories(ctx,
			&aviso.ListCategoryInsightsParams{Granularity: "alltime", TransactionType: kind}))
		for _, insight := range list.Data.Insights {
			totals[insight.CurrencyCode] = totals[insight.CurrencyCode].Add(insight.Amount)
		}
	}
	t.Logf("%d rows: %v; the service's own sums: %v", rows, sums, totals)
	if rows < 1652 {
		t.Errorf("only %d rows", rows)
	}
	for currency, sum := range sums {
		if sum.Cmp(totals[currency]) != 0 {
			t.Errorf("%s: the rows add up to %v, the service's sums to %v", currency, sum, totals[currency])
		}
	}
}

// TestEveryEventHasItsType receives a simulation of each event.
func TestEveryEventHasItsType(t *testing.T) {
	ctx, client := t.Context(), aviso.Must(aviso.New(aviso.Config{}))
	events, key := make(chan *aviso.Event, 100), ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		aviso.Must(aviso.Receiver(func(_ *http.Request, e *aviso.Event) error { events <- e; return nil }, key)).ServeHTTP(w, r)
	}))
	defer server.Close()
	created := aviso.Must(client.Webhooks.CreateSubscription(ctx,
		aviso.CreateWebhookSubscriptionRequest{ServerURL: server.URL, Events: []string{"*"}}))
	key = created.Secret.Key
	id := created.Subscription.SubscriptionID
	want := map[string]string{}
	for _, kind := range aviso.Must(client.Webhooks.ListEventTypes(ctx)) {
		event := aviso.Must(client.Webhooks.SimulateEvent(ctx,
			aviso.SimulateEventRequest{EventType: kind.EventType, SubscriptionID: id}))
		want[event.EventID] = kind.EventType
	}
	for timeout := time.After(time.Minute); len(want) > 0; {
		select {
		case event := <-events:
			kind, simulated := want[event.EventID]
			if name := fmt.Sprintf("%T", event.Data); simulated && (event.EventType != kind || !strings.HasSuffix(name, "EventData")) {
				t.Errorf("%s came as %s with %s", kind, event.EventType, name)
			}
			delete(want, event.EventID)
		case <-timeout:
			t.Fatalf("these did not come: %v", want)
		}
	}
	if err := client.Webhooks.DeleteSubscription(ctx, id); err != nil {
		t.Error(err)
	}
}
