package blackbox_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm/quirks"
	"aviso/localstack/eventfile"
)

// chosen is the category that users choose.
const chosen = 568

// attached is a scenario's bank as an operator has attached it.
type attached struct {
	*quirks.Bank
	quirks.Scenario
	providerID string
}

// attach starts the banks of the scenarios, and imports them as providers.
func attach(t *testing.T, scenarios []quirks.Scenario, d time.Time) []attached {
	t.Helper()
	var banks []attached
	var file bytes.Buffer
	for _, s := range scenarios {
		b := attached{quirks.NewBank(s, d, "EUR"), s, uuid.NewString()}
		server := httptest.NewServer(b)
		t.Cleanup(server.Close)
		country := s.Country
		if country == "" {
			country = "DE"
		}
		line := map[string]any{
			"id": b.providerID, "countryCode": country, "name": "Quirk " + s.Name,
			"logoUrl": "https://bank.example/logo.svg", "status": "Active", "timezone": "Europe/Berlin",
			"supportedAccountTypes": []string{"CurrentAccount", "CreditCard"}, "regulated": true,
			"refreshTimeoutMinutes": 0, "maxConsentDays": 180, "maxFetchInterval": 90,
			"endpoint": map[string]any{"baseUrl": server.URL},
		}
		if s.Profile != nil {
			line["profile"] = s.Profile
		}
		require.NoError(t, json.NewEncoder(&file).Encode(line))
		banks = append(banks, b)
	}
	event, err := json.Marshal(map[string]any{"command": "import-providers", "file": file.Bytes()})
	require.NoError(t, err)
	result, err := eventfile.Invoke(t.Context(), noted(t, "lambda-endpoint"), "operator", event)
	require.NoError(t, err)
	var told struct{ New int }
	require.NoError(t, json.Unmarshal(result, &told))
	require.Equal(t, len(banks), told.New, string(result))
	return banks
}

// authorise is a user's browser that says yes to whatever it is asked. It returns the
// status that the partner is told.
func authorise(t *testing.T, redirectURL string) string {
	t.Helper()
	page := browse(t, http.MethodGet, redirectURL, nil)
	if to := page.header.Get("Location"); strings.Contains(to, "/connect/step") { // who are you at the bank?
		page = browse(t, http.MethodPost, to, url.Values{"psuId": {"anna"}})
	}
	if page.status != http.StatusFound && page.status != http.StatusSeeOther {
		return "page " + http.StatusText(page.status)
	}
	page = browse(t, http.MethodGet, page.header.Get("Location"), nil)
	require.Equal(t, http.StatusFound, page.status, string(page.body))
	callback := page.header.Get("Location")
	back := browse(t, http.MethodGet, callback, nil)
	if back.status == http.StatusServiceUnavailable {
		back = browse(t, http.MethodGet, callback, nil)
	}
	to, err := url.Parse(back.header.Get("Location"))
	require.NoError(t, err)
	return to.Query().Get("status")
}

// play runs a scenario as its partner, and returns what the partner sees.
func (p partner) play(t *testing.T, b attached) (views []quirks.View, problem string) {
	t.Helper()
	l, since := p.connect(t, b.providerID), ""
	if status := authorise(t, l.RedirectURL); status != "success" {
		return nil, "the user is told " + status
	}
	path, before := "/openbanking/v1/connections/"+l.ConnectionID, connection{}
	for i, f := range b.Fetches {
		b.Next(i)
		switch {
		case i > 0 && f.Reconnect:
			var out struct{ Data link }
			p.send(t, http.MethodPost, path+"/reconnect", map[string]any{"returnUrl": returnURL}).decode(t, &out)
			assert.Equal(t, "success", authorise(t, out.Data.RedirectURL))
		case i > 0:
			eventually(t, func() bool {
				a := p.send(t, http.MethodPost, path+"/refresh", nil, "X-Psu-Ip-Address", "203.0.113.7")
				return a.status == http.StatusAccepted
			}, patience, 50*time.Millisecond)
		}
		c := p.until(t, l.ConnectionID, func(c connection) bool {
			failed := c.StatusReason != "" && c.StatusReason != "PartialData"
			return c.LastSuccessAt.After(before.LastSuccessAt) || failed
		})
		if !c.LastSuccessAt.After(before.LastSuccessAt) {
			return views, "the connection is " + c.ConnectionStatus + ", " + c.StatusReason
		}
		before = c
		view := p.seen(t, &since)
		view.Partial = c.StatusReason == "PartialData"
		views = append(views, view)
		if b.Categorise != nil && b.Categorise.After == i {
			at := slices.IndexFunc(view.Rows, func(r quirks.Transaction) bool { return r.Amount == b.Categorise.Amount })
			require.GreaterOrEqual(t, at, 0)
			a := p.send(t, http.MethodPatch, "/openbanking/v1/transactions/"+view.Rows[at].ID, map[string]any{"categoryId": chosen})
			require.Equal(t, http.StatusOK, a.status, string(a.body))
			p.changes(t, &since)
		}
	}
	return views, ""
}

// seen is what a partner sees of its user.
func (p partner) seen(t *testing.T, since *string) quirks.View {
	t.Helper()
	view := quirks.View{Day: time.Now().UTC(), Changes: p.changes(t, since)}
	var accounts struct {
		Data struct {
			Accounts []struct {
				AccountName, AccountType, IBAN string
				Balance                        jsonNumber
			}
		}
	}
	p.send(t, http.MethodGet, "/openbanking/v1/accounts?limit=200", nil).decode(t, &accounts)
	for _, a := range accounts.Data.Accounts {
		view.Accounts = append(view.Accounts, quirks.Account{
			Name: a.AccountName, Type: a.AccountType, IBAN: a.IBAN, Balance: string(a.Balance),
		})
	}
	var rows struct {
		Data struct {
			Transactions []struct {
				ID, CurrencyCode, RecordState, Note, Payee string
				Account, Merchant                          struct{ Name string }
				Category                                   struct{ CategoryID, SubcategoryID int }
				Amount                                     jsonNumber
				RecordDate                                 time.Time
			}
		}
	}
	p.send(t, http.MethodGet, "/openbanking/v1/transactions?limit=200", nil).decode(t, &rows)
	for _, r := range rows.Data.Transactions {
		view.Rows = append(view.Rows, quirks.Transaction{
			ID: r.ID, Account: r.Account.Name, Amount: string(r.Amount), Currency: r.CurrencyCode, State: r.RecordState,
			Day: r.RecordDate.Format(time.DateOnly), Note: r.Note, Merchant: r.Merchant.Name, Payee: r.Payee,
			Categorised: r.Category.CategoryID == chosen || r.Category.SubcategoryID == chosen,
		})
	}
	return view
}

// changes counts the changes since the last call.
func (p partner) changes(t *testing.T, since *string) (count int) {
	t.Helper()
	for {
		var out struct {
			Data struct {
				Changes []struct{ Change string }
				Since   string
			}
		}
		path := "/openbanking/v1/transactions/changes?limit=200"
		if *since != "" {
			path += "&since=" + url.QueryEscape(*since)
		}
		p.send(t, http.MethodGet, path, nil).decode(t, &out)
		*since = out.Data.Since
		if len(out.Data.Changes) == 0 {
			return count
		}
		count += len(out.Data.Changes)
	}
}

// The scenarios that the project was given hold over HTTP.
// internal/pfm/quirks runs every scenario with the real client and store. The whole stack
// runs every fifth, and all of them each night.
func TestBankQuirks(t *testing.T) {
	t.Parallel()
	all, err := quirks.Scenarios(quirks.Given)
	require.NoError(t, err)
	scenarios := all
	if os.Getenv("NIGHTLY") == "" {
		scenarios = nil
		for few := range slices.Chunk(all, 5) {
			scenarios = append(scenarios, few[0])
		}
	}
	d := time.Now().UTC()
	for _, b := range attach(t, scenarios, d) {
		t.Run(b.Name, func(t *testing.T) {
			views, problem := newPartner(t, "sandbox").play(t, b)
			problems := b.Check(views, d)
			if problem != "" {
				problems = append(problems, problem)
			}
			assert.Empty(t, problems)
		})
	}
}
