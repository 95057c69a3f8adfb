package bankcheck_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Bank is the server of a scenario's bank. It is safe for concurrent use.
type Bank struct {
	scenario Scenario
	today    time.Time
	currency string
	mux      *http.ServeMux

	mu       sync.Mutex
	fetch    int
	consents []*consent
	answered map[string]bool
}

type consent struct {
	state, redirect string
	looks           int
}

// NewBank returns the bank. d is the day of the last fetch, and currency that of the
// account that fetches without accounts are about.
func NewBank(s Scenario, d time.Time, currency string) *Bank {
	b := &Bank{scenario: s, today: d, currency: currency, mux: http.NewServeMux(), answered: map[string]bool{}}
	b.mux.HandleFunc("POST /v1/consents", b.createConsent)
	b.mux.HandleFunc("GET /v1/consents/{id}", b.readConsent)
	b.mux.HandleFunc("DELETE /v1/consents/{id}", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})
	b.mux.HandleFunc("POST /v1/consents/{id}/authorisations", b.authorise)
	b.mux.HandleFunc("GET /approve/{id}", b.approve)
	b.mux.HandleFunc("GET /oauth/metadata", func(w http.ResponseWriter, _ *http.Request) {
		b.answer(w, http.StatusOK, map[string]any{
			"authorization_endpoint": "/oauth/authorize", "token_endpoint": "/oauth/token",
		})
	})
	b.mux.HandleFunc("GET /oauth/authorize", b.approveOAuth)
	b.mux.HandleFunc("POST /oauth/token", func(w http.ResponseWriter, _ *http.Request) {
		b.answer(w, http.StatusOK, map[string]any{"access_token": "token", "token_type": "bearer"})
	})
	b.serveAggregator()
	b.mux.HandleFunc("GET /v1/accounts", b.accounts)
	b.mux.HandleFunc("GET /v1/accounts/{id}/balances", b.balances)
	b.mux.HandleFunc("GET /v1/accounts/{id}/transactions", b.transactions)
	return b
}

// Next makes the bank answer as in this fetch, counted from 0.
func (b *Bank) Next(fetch int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fetch = fetch
	if state := b.scenario.Fetches[fetch].EndsConsent; state != "" {
		for _, c := range b.consents {
			c.state = state
		}
	}
}

// ServeHTTP implements http.Handler.
func (b *Bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request := r.Method + " " + r.URL.Path
	b.mu.Lock()
	first, ok := b.scenario.BankDoes.Once[request]
	ok = ok && !b.answered[request]
	b.answered[request] = true
	b.mu.Unlock()
	if ok {
		b.give(w, first)
		return
	}
	b.mux.ServeHTTP(w, r)
}

func (b *Bank) answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	if b.scenario.BankDoes.ContentType != "" {
		w.Header().Set("Content-Type", b.scenario.BankDoes.ContentType)
	}
	w.WriteHeader(status)
	body = resolve(body, "", b.today)
	if !strings.Contains(strings.ToLower(b.scenario.BankDoes.ContentType), "8859-1") {
		_ = json.NewEncoder(w).Encode(body)
		return
	}
	text, _ := json.Marshal(body)
	for _, r := range string(text) {
		_, _ = w.Write([]byte{byte(r)})
	}
}

// give sends the answer that the scenario prescribes.
func (b *Bank) give(w http.ResponseWriter, a Answer) {
	for name, value := range a.Header {
		w.Header().Set(name, value)
	}
	if a.Type == "" && strings.Trim(a.Text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" {
		if b.scenario.Aggregator {
			b.answer(w, a.Status, map[string]any{"code": a.Status, "message": a.Text, "error": a.Text})
			return
		}
		b.refuse(w, strconv.Itoa(a.Status)+" "+a.Text)
		return
	}
	w.Header().Set("Content-Type", cmp.Or(a.Type, "text/plain"))
	w.WriteHeader(a.Status)
	_, _ = io.WriteString(w, a.Text)
}

// refuse answers with a status and a code, such as "400 PERIOD_INVALID". Without a code
// the body says nothing of the standard.
func (b *Bank) refuse(w http.ResponseWriter, refusal string) {
	status, code, _ := strings.Cut(refusal, " ")
	n, _ := strconv.Atoi(status)
	if n == http.StatusNoContent {
		w.WriteHeader(n)
		return
	}
	if code == "" {
		b.answer(w, n, map[string]any{"error": "bad request"})
		return
	}
	b.answer(w, n, map[string]any{"tppMessages": []any{map[string]any{"category": "ERROR", "code": code}}})
}

func link(href string) map[string]any { return map[string]any{"href": href} }

func (b *Bank) createConsent(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	b.consents = append(b.consents, &consent{state: "received", redirect: r.Header.Get("Tpp-Redirect-Uri")})
	id := fmt.Sprintf("c%d", len(b.consents))
	b.mu.Unlock()
	links := map[string]any{"self": link("/v1/consents/" + id), "status": link("/v1/consents/" + id + "/status")}
	switch b.scenario.BankDoes.Consent {
	case "psu-id", "psu-id-oauth":
		links["startAuthorisationWithPsuIdentification"] = link("/v1/consents/" + id + "/authorisations")
	case "start":
		links["startAuthorisation"] = link("/v1/consents/" + id + "/authorisations")
	default:
		links["scaRedirect"] = link(addressOf(r) + "/approve/" + id)
	}
	b.answer(w, http.StatusCreated, map[string]any{"consentId": id, "consentStatus": "received", "_links": links})
}

func addressOf(r *http.Request) string {
	scheme := "http"
	if r.URL.Scheme != "" {
		scheme = r.URL.Scheme
	}
	return scheme + "://" + r.Host
}

func (b *Bank) find(w http.ResponseWriter, r *http.Request) *consent {
	n, _ := strconv.Atoi(strings.TrimPrefix(r.PathValue("id"), "c"))
	if n < 1 || n > len(b.consents) {
		b.refuse(w, "403 CONSENT_UNKNOWN")
		return nil
	}
	return b.consents[n-1]
}

func (b *Bank) authorise(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.find(w, r) == nil {
		return
	}
	how := b.scenario.BankDoes.Consent
	if strings.HasPrefix(how, "psu-id") && r.Header.Get("Psu-Id") == "" {
		b.refuse(w, "400 FORMAT_ERROR")
		return
	}
	links := map[string]any{"scaRedirect": link(addressOf(r) + "/approve/" + r.PathValue("id"))}
	if how == "psu-id-oauth" {
		links = map[string]any{"scaOAuth": link("/oauth/metadata")}
	}
	b.answer(w, http.StatusCreated, map[string]any{"scaStatus": "received", "authorisationId": "a1", "_links": links})
}

func (b *Bank) approve(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c := b.find(w, r); c != nil {
		c.state = "valid"
		http.Redirect(w, r, c.redirect, http.StatusFound)
	}
}

// approveOAuth sends the user back with a code for the consent that the scope names.
func (b *Bank) approveOAuth(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := r.URL.Query()
	r.SetPathValue("id", strings.TrimPrefix(q.Get("scope"), "AIS:"))
	if c := b.find(w, r); c != nil {
		c.state = "valid"
		back := url.Values{"state": {q.Get("state")}, "code": {"code"}}
		http.Redirect(w, r, q.Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
	}
}

func (b *Bank) readConsent(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.find(w, r)
	if c == nil {
		return
	}
	state := c.state
	how := b.scenario.BankDoes.Consent
	if c.looks++; (how == "late" || how == "psu-id-oauth") && c.looks == 1 {
		state = "received"
	}
	b.answer(w, http.StatusOK, map[string]any{
		"access": map[string]any{"allPsd2": "allAccounts"}, "recurringIndicator": true, "frequencyPerDay": 4,
		"validUntil": resolveDay(b.today, cmp.Or(b.scenario.BankDoes.ValidUntil, "+90"), ""), "consentStatus": state,
	})
}

func (b *Bank) current() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fetch
}

// replaceBase replaces {base} in what the bank sends by its address.
func replaceBase(value any, base string) any {
	text, _ := json.Marshal(value)
	var replaced any
	_ = json.Unmarshal([]byte(strings.ReplaceAll(string(text), "{base}", base)), &replaced)
	return replaced
}

// statements returns what the bank sends now, with an account in each.
func (b *Bank) statements() []Statement {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.scenario.Fetches[b.fetch]
	if len(f.Accounts) == 0 {
		f.Account = Object{
			"resourceId": "r1", "iban": "DE89370400440532013000", "currency": b.currency, "name": "Everyday",
			"cashAccountType": "CACC",
		}
		return []Statement{f.Statement}
	}
	return f.Accounts
}

func (s Statement) balances(currency string) []any {
	if s.Balances != nil {
		return s.Balances
	}
	return []any{Object{
		"balanceType":   "closingBooked",
		"balanceAmount": map[string]any{"amount": "100.00", "currency": currency},
	}}
}

func (b *Bank) accounts(w http.ResponseWriter, r *http.Request) {
	does := b.scenario.BankDoes
	if a := b.scenario.Fetches[b.current()].AccountsAnswer; a != nil {
		b.give(w, *a)
		return
	}
	withBalance := r.URL.Query().Get("withBalance") == "true"
	if withBalance && does.WithBalance != "" {
		b.refuse(w, does.WithBalance)
		return
	}
	var list []any
	for _, s := range b.statements() {
		account, _ := replaceBase(s.Account, addressOf(r)).(map[string]any)
		if does.Balances == "" && withBalance {
			account["balances"] = s.balances(b.currency)
		}
		list = append(list, account)
	}
	b.answer(w, http.StatusOK, map[string]any{"accounts": list})
}

func (b *Bank) statement(w http.ResponseWriter, r *http.Request) (Statement, bool) {
	for _, s := range b.statements() {
		if fmt.Sprint(s.Account["resourceId"]) == r.PathValue("id") {
			return s, true
		}
	}
	b.refuse(w, "404 RESOURCE_UNKNOWN")
	return Statement{}, false
}

func (b *Bank) balances(w http.ResponseWriter, r *http.Request) {
	s, ok := b.statement(w, r)
	switch {
	case !ok:
	case s.Refused.Balances != nil:
		b.give(w, *s.Refused.Balances)
	case s.RefuseBalances != "":
		b.refuse(w, s.RefuseBalances)
	default:
		b.answer(w, http.StatusOK, map[string]any{"balances": s.balances(b.currency)})
	}
}

func (b *Bank) transactions(w http.ResponseWriter, r *http.Request) {
	s, ok := b.statement(w, r)
	if !ok {
		return
	}
	query, does := r.URL.Query(), b.scenario.BankDoes
	first := resolveDay(b.today, strconv.Itoa(-does.HistoryDays), "")
	switch {
	case s.Refused.Transactions != nil:
		b.give(w, *s.Refused.Transactions)
		return
	case s.RefuseRows != "":
		b.refuse(w, s.RefuseRows)
		return
	case does.Download && query.Get("download") == "":
		query.Set("download", "1")
		to := link(r.URL.Path + "?" + query.Encode())
		b.answer(w, http.StatusOK, map[string]any{"_links": map[string]any{"download": to}})
		return
	case does.Both == "refused" && query.Get("bookingStatus") == "both":
		b.refuse(w, "400 PARAMETER_NOT_SUPPORTED")
		return
	case does.Both == "refused-bare" && query.Get("bookingStatus") == "both":
		b.refuse(w, "400")
		return
	case does.Both != "" && query.Get("bookingStatus") == "both":
		b.refuse(w, does.Both)
		return
	case does.History != "" && query.Get("dateFrom") < first:
		b.refuse(w, does.History)
		return
	case does.HistoryAnswer != nil && query.Get("dateFrom") < first:
		b.give(w, *does.HistoryAnswer)
		return
	case does.Accept == "single" && strings.ContainsAny(r.Header.Get("Accept"), ",*"):
		b.refuse(w, "406")
		return
	}
	if a, ok := s.PageAnswer[query.Get("page")]; ok {
		b.give(w, a)
		return
	}
	pages := s.Pages.InOrder
	if pages == nil {
		pages = []Page{s.Page}
	}
	n, _ := strconv.Atoi(query.Get("page"))
	if n < 0 || n >= len(pages) {
		b.refuse(w, "400 FORMAT_ERROR")
		return
	}
	b.answer(w, http.StatusOK, map[string]any{
		"account": map[string]any{"iban": s.Account["iban"]}, "transactions": b.report(r, pages, n),
	})
}

// report returns a page. Pending rows are left out if they were not asked for.
func (b *Bank) report(r *http.Request, pages []Page, n int) map[string]any {
	page, query := pages[n], r.URL.Query()
	report := map[string]any{"booked": b.since(page.Booked, query.Get("dateFrom"))}
	if query.Get("bookingStatus") == "both" {
		report["pending"] = orEmpty(page.Pending)
	}
	if page.Information != nil {
		report["information"] = page.Information
	}
	links := map[string]any{"account": link("/v1/accounts/" + r.PathValue("id"))}
	to := n + 1
	switch page.Next {
	case "self":
		to = n
	case "first":
		to = 0
	}
	if to < len(pages) {
		query.Set("page", strconv.Itoa(to))
		next := url.URL{Path: r.URL.Path, RawQuery: query.Encode()}
		switch b.scenario.BankDoes.Next {
		case "absolute":
			links["next"] = link(addressOf(r) + next.String())
		case "other-prefix":
			links["next"] = link("http://internal.bank.example:8080/berlin" + next.String())
		case "other-host":
			links["next"] = link("https://internal.bank.example" + next.String())
		default:
			links["next"] = link(next.String())
		}
	}
	report["_links"] = links
	return report
}

// since leaves out rows before a day, if the bank honours it.
func (b *Bank) since(rows []any, from string) []any {
	if b.scenario.BankDoes.DateFrom != "honoured" {
		return orEmpty(rows)
	}
	kept := []any{}
	for _, row := range rows {
		sent, _ := resolve(row, "", b.today).(map[string]any)
		if day, _ := sent["bookingDate"].(string); day == "" || day >= from {
			kept = append(kept, row)
		}
	}
	return kept
}

func orEmpty(rows []any) []any {
	if rows == nil {
		return []any{}
	}
	return rows
}
