package main

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"aviso/localstack/partner"
)

func (w *walker) getToken(ctx context.Context) string {
	ask := partner.Post("/oauth2/token", "grant_type=client_credentials")
	ask.Basic = true
	token := w.show(ctx, ask.Keeping("access_token", "TOKEN"))
	return fmt.Sprintf("valid for %d minutes, with the scopes %s", token.Get("expires_in").Int()/60,
		strings.ReplaceAll(token.Get("scope").Str, " ", ", "))
}

func (w *walker) createUser(ctx context.Context) string {
	ask := partner.Post("/identity/v1/users", `{"countryCode":"DE","languageCode":"en"}`)
	w.show(ctx, ask.Keeping("userId", "USER_ID"))
	return "user " + w.partner.Vars["USER_ID"]
}

func (w *walker) acceptTerms(ctx context.Context) string {
	// Without them, nothing can be read for a user.
	acceptances, accepted := w.acceptances(ctx, "Operator", "BankingSupplier")
	w.show(ctx, append([]partner.Call{partner.Get("/identity/v1/terms")}, acceptances...)...)
	return "accepted: " + accepted
}

// acceptances returns the calls that accept the current terms of these types.
func (w *walker) acceptances(ctx context.Context, types ...string) (calls []partner.Call, accepted string) {
	var names []string
	for _, t := range w.call(ctx, partner.Get("/identity/v1/terms")).Get("data.terms").Array() {
		kind, version := t.Get("termsType").Str, t.Get("version").Str
		if slices.Contains(types, kind) {
			names = append(names, kind+" "+version)
			calls = append(calls, partner.Post("/identity/v1/users/$USER_ID/terms-acceptances",
				fmt.Sprintf(`{"termsType":%q,"version":%q}`, kind, version)))
		}
	}
	want(len(calls) == len(types), "the current terms are %v; want terms of the types %v", names, types)
	return calls, strings.Join(names, ", ")
}

func (w *walker) findBank(ctx context.Context) string {
	byCountry := partner.Get("/openbanking/v1/providers/countries")
	countries := w.call(ctx, byCountry).Get("data.countries")
	byName := partner.Get("/openbanking/v1/providers?providerNameFilter=" + url.QueryEscape(w.bank))
	found := w.show(ctx, byCountry, byName.Keeping(`providers":\[{"id`, "PROVIDER_ID"))
	bank := found.Get(`data.providers.#(status=="Active")`)
	want(bank.Exists(), "no active bank has a word that starts with %q", w.bank)
	w.partner.Vars["PROVIDER_ID"] = bank.Get("id").Str
	banks := int64(0)
	for _, n := range countries.Get("#.providerCount").Array() {
		banks += n.Int()
	}
	w.screen.tell("%d banks in %d countries", banks, len(countries.Array()))
	return fmt.Sprintf("%s (%s), with %s days of history",
		bank.Get("name"), bank.Get("countryCode"), bank.Get("maxFetchInterval"))
}

func (w *walker) connect(ctx context.Context) string {
	body := `{"providerId":"$PROVIDER_ID","returnUrl":"` + w.returnURL + `"}`
	ask := partner.Post("/openbanking/v1/connections", body).ForUser()
	ask.Once = "demo-$USER_ID"
	first := w.call(ctx, ask).Get("data")
	again := w.show(ctx, ask.Keeping("connectionId", "CONNECTION_ID"), ask.Keeping("redirectUrl", "LINK")).Get("data")
	want(again.Raw == first.Raw, "the same Idempotency-Key created two connections")
	w.browser.address = first.Get("redirectUrl").Str
	w.screen.tell("link  %s", w.browser.address)
	w.screen.tell("sent twice with the same Idempotency-Key: one connection, the same response")
	return "the link is valid until " + clockTime(first.Get("expiresAt"))
}

func clockTime(at gjson.Result) string { return at.Time().Local().Format(time.TimeOnly) }

func (w *walker) visitBank(ctx context.Context) string {
	pages, shared := w.approve(ctx, w.browser.address)
	if !w.tookSteps { // else the way has more stops than commands can show
		w.screen.curl(`COOKIES=$(mktemp)`,
			`PAGE=$(curl -s -c "$COOKIES" -o /dev/null -w '%{redirect_url}' "$LINK")`,
			`BACK=$(curl -s -o /dev/null -w '%{redirect_url}' -d decision=approve \`,
			`  -d persona=`+w.persona+` -d 'account[]=`+strings.Join(shared, `' -d 'account[]=`)+`' "$PAGE")`,
			`curl -s -b "$COOKIES" -o /dev/null -w '%{redirect_url}\n' "$BACK"`)
	}
	w.screen.tell("pages %s", "“"+strings.Join(pages, "”, then “")+"”")
	w.screen.tell("back  %s", w.browser.returned)
	want(w.browser.returned.Query().Get("connectionId") == w.partner.Vars["CONNECTION_ID"],
		"the return URL is not the connection's")
	return fmt.Sprintf("approved for %d accounts", len(shared))
}

// maxStops is how many pages a user sees at most on the way to the bank and back.
const maxStops = 20

// inApp matches what a sandbox bank tells users who approve in its app.
var inApp = regexp.MustCompile(`at (\S+) and confirm the request (\w+)\.`)

// approve plays the user at the bank, whatever its way to approve is. It returns the
// headings of the pages and the accounts that the user shares.
func (w *walker) approve(ctx context.Context, address string) (pages, accounts []string) {
	b := w.browser
	b.returned, w.tookSteps = nil, false
	check(b.open(ctx, address))
	waiting := "" // the page that waits for the app
	for len(pages) < maxStops && b.returned == nil {
		pages = append(pages, b.page.heading)
		message := inApp.FindStringSubmatch(b.page.text)
		switch {
		case w.fillIn(ctx, "psuId", w.persona):
		case b.page.offers("persona"):
			w.choose(ctx, "persona", w.persona)
		case b.page.offers("decision"):
			accounts = w.choose(ctx, "decision", "approve").fields["account[]"]
		case message != nil && waiting == "":
			waiting = b.address
			check(b.open(ctx, message[1]))
			want(w.fillIn(ctx, "code", message[2]), "the app asks for no code")
		case waiting != "": // approved in the app: our page notices soon
			time.Sleep(time.Second)
			check(b.open(ctx, waiting))
		}
	}
	want(b.returned != nil, "the user ended at %s instead of the partner's return URL", b.address)
	want(b.returned.Query().Get("status") == "success", "the return URL %s does not report success", b.returned)
	return slices.Compact(pages), accounts
}

// fillIn sends the form with this field, if the page has one.
func (w *walker) fillIn(ctx context.Context, field, value string) bool {
	for _, f := range w.browser.page.forms {
		if f.fields.Has(field) && !w.browser.page.offers("persona") {
			f.fields.Set(field, value)
			w.tookSteps = true
			check(w.browser.submit(ctx, f))
			return true
		}
	}
	return false
}

// choose sends the form that offers the choice.
func (w *walker) choose(ctx context.Context, name, value string) form {
	f, err := w.browser.page.pick(name, value)
	check(err)
	w.consentPage = w.browser.page
	check(w.browser.submit(ctx, f))
	return f
}

const connectionPath = "/openbanking/v1/connections/$CONNECTION_ID"

func (w *walker) awaitSync(ctx context.Context) string {
	ask := partner.Get(connectionPath).ForUser()
	ask.Until = `"lastSuccessAt":"2`
	w.show(ctx, ask)
	c := w.synced(ctx, func(at time.Time) bool { return !at.IsZero() })
	until := lastDay(c).Format("2 January 2006")
	want(strings.Contains(w.consentPage.text, "Until "+until), "the bank's page does not say until %s", until)
	return "Active; the consent is valid until " + until
}

// lastDay returns the last day of a consent, with which it ends and which banks name.
func lastDay(c gjson.Result) time.Time { return c.Get("consentExpiresAt").Time().Add(-time.Nanosecond) }

// synced waits until wanted accepts the time at which the accounts were last read. It
// fails if the connection has a problem.
func (w *walker) synced(ctx context.Context, wanted func(lastSuccess time.Time) bool) (c gjson.Result) {
	w.eventually(ctx, w.syncWithin, "the accounts have not been read", func(ctx context.Context) bool {
		c = w.call(ctx, partner.Get(connectionPath).ForUser()).Get("data.connection")
		status, reason := c.Get("connectionStatus").Str, c.Get("statusReason").Str
		want(status == "Active" && reason == "", "the connection is %s (reason %q)", status, reason)
		return wanted(c.Get("lastSuccessAt").Time())
	})
	return c
}

func (w *walker) readAccounts(ctx context.Context) string {
	w.accounts = w.show(ctx, partner.Get("/openbanking/v1/accounts").ForUser()).Get("data.accounts").Array()
	want(len(w.accounts) > 0, "there is no account")
	var rows [][]string
	for _, a := range w.accounts {
		want(a.Get("connectionInfo.connectionId").Str == w.partner.Vars["CONNECTION_ID"],
			"account %s belongs to another connection", a.Get("accountId"))
		number := "iban"
		if a.Get(number).Str == "" {
			number = "accountNumber"
		}
		rows = append(rows, row(a, "accountName", "accountType", number, "balance", "currencyCode"))
	}
	w.screen.table([]string{"Account", "Type", "Number", "Balance", ""}, rows, 3)
	return fmt.Sprintf("%d accounts", len(w.accounts))
}

const (
	// maxPages limits the pages, in case the service never returns the last one.
	maxPages = 100
	shown    = 5
)

func (w *walker) readTransactions(ctx context.Context) string {
	first := partner.Get(fmt.Sprintf("/openbanking/v1/transactions?limit=%d", shown)).ForUser()
	second := first
	second.Path += "&nextToken=$NEXT_TOKEN"
	w.screen.curl(first.Keeping("nextToken", "NEXT_TOKEN").String(), second.String())
	all, pages := w.allTransactions(ctx)
	w.plausible(all)
	var rows [][]string
	for _, t := range all[:min(shown, len(all))] {
		who := "merchant.name"
		if t.Get(who).Str == "" {
			who = "note"
		}
		r := row(t, "recordDate", who, "category.subcategoryName", "amount", "currencyCode", "recordState")
		r[0] = t.Get("recordDate").Time().Format(time.DateOnly)
		r[1] = shorten(r[1], 24)
		rows = append(rows, r)
	}
	w.screen.table([]string{"Day", "Merchant or text", "Category", "Amount", "", ""}, rows, 3)
	return fmt.Sprintf("%d transactions on %d pages; above are the newest %d", len(all), pages, len(rows))
}

func (w *walker) allTransactions(ctx context.Context) (all []gjson.Result, pages int) {
	next := partner.Get("/openbanking/v1/transactions?limit=200").ForUser()
	for pages = 1; pages <= maxPages; pages++ {
		page := w.call(ctx, next)
		all = append(all, page.Get("data.transactions").Array()...)
		token := page.Get("meta.pagination.nextToken").Str
		if token == "" {
			return all, pages
		}
		next.Path = "/openbanking/v1/transactions?limit=200&nextToken=" + url.QueryEscape(token)
	}
	want(false, "there are more than %d pages of transactions", maxPages)
	return nil, 0
}

// plausible checks what docs/openapi.yaml cannot say about the list.
func (w *walker) plausible(all []gjson.Result) {
	known := accountIDs(w.accounts)
	seen := map[string]bool{}
	for i, t := range all {
		id := t.Get("id").Str
		want(!seen[id], "transaction %s is on two pages", id)
		want(slices.Contains(known, t.Get("account.id").Str),
			"transaction %s belongs to an account that is not in the list", id)
		want(i == 0 || !t.Get("recordDate").Time().After(all[i-1].Get("recordDate").Time()),
			"transaction %s is newer than the one before it", id)
		seen[id] = true
	}
}

func (w *walker) readInsights(ctx context.Context) string {
	ask := partner.Get("/openbanking/v1/insights/categories?transactionType=Expense&categoryLevel=L1").ForUser()
	list := w.show(ctx, ask).Get("data.insights").Array()
	var rows [][]string
	for _, i := range list[:min(shown, len(list))] {
		rows = append(rows, row(i, "category.name", "numberOfTransactions", "amount", "currencyCode"))
	}
	w.screen.table([]string{"Category", "Number", "Amount", ""}, rows, 2)
	return fmt.Sprintf("%d categories, the largest first", len(list))
}

func (w *walker) readSubscriptions(ctx context.Context) string {
	ask := partner.Get("/openbanking/v1/insights/subscriptions").ForUser()
	list := w.show(ctx, ask).Get("data.subscriptions").Array()
	var rows [][]string
	for i, s := range list {
		end, product := "", s.Get("cancellable")
		if product.IsObject() {
			end = "can be cancelled"
			w.contracts = append(w.contracts, target{
				company:        s.Get("merchant.name").Str,
				organizationID: product.Get("organizationId").Str, productID: product.Get("productId").Str,
			})
		}
		if i < shown {
			r := row(s, "merchant.name", "recurrenceFrequency", "nextExpectedDate",
				"amount", "yearlyCost", "currencyCode")
			r[0] = shorten(r[0], 24)
			rows = append(rows, append(r, end))
		}
	}
	w.screen.table([]string{"Merchant", "", "Next", "Amount", "Per year", "", ""}, rows, 3, 4)
	return fmt.Sprintf("%d contracts, the most expensive first; %d can be cancelled", len(list), len(w.contracts))
}

// refresh asks too early on purpose, right after the accounts were read.
func (w *walker) refresh(ctx context.Context) string {
	ask := partner.Post(connectionPath+"/refresh", "").ForUser().RefusedWith("refresh_too_early")
	refused := w.show(ctx, ask)
	return "rejected with 429: the next refresh is possible at " + clockTime(refused.Get("nextRefreshPossibleAt"))
}

// reconnect renews the consent. Connection and accounts keep their IDs.
func (w *walker) reconnect(ctx context.Context) string {
	before := w.call(ctx, partner.Get(connectionPath).ForUser()).Get("data.connection")
	w.renew(ctx, w.show(ctx, w.renewal()), before)
	return fmt.Sprintf("renewed: the same %d accounts with the same IDs", len(w.accounts))
}

// renewal asks for the link to renew the consent.
func (w *walker) renewal() partner.Call {
	return partner.Post(connectionPath+"/reconnect", `{"returnUrl":"`+w.returnURL+`"}`).ForUser()
}

// renew follows the link to renew the consent of the connection, as it was before.
func (w *walker) renew(ctx context.Context, answer, before gjson.Result) {
	link := answer.Get("data")
	want(link.Get("connectionId").Str == w.partner.Vars["CONNECTION_ID"], "the renewal created another connection")
	w.approve(ctx, link.Get("redirectUrl").Str)
	w.synced(ctx, before.Get("lastSuccessAt").Time().Before)
	now := w.call(ctx, partner.Get("/openbanking/v1/accounts").ForUser()).Get("data.accounts").Array()
	want(slices.Equal(accountIDs(w.accounts), accountIDs(now)), "the renewal changed the account IDs")
}

func accountIDs(accounts []gjson.Result) []string {
	ids := make([]string, len(accounts))
	for i, a := range accounts {
		ids[i] = a.Get("accountId").Str
	}
	slices.Sort(ids)
	return ids
}
