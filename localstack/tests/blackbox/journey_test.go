package blackbox_test

import (
	"html"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// returnURL is below a return URL that the seed registers.
const returnURL = "https://partner.example/back?session=7"

type provider struct {
	ID, CountryCode, Name, Logo, Status string
	MaxFetchInterval                    int
}

// bank is the sandbox bank with this word in its slug.
func (p partner) bank(t *testing.T, slug string) provider {
	t.Helper()
	var list struct {
		Data struct{ Providers []provider }
	}
	p.send(t, http.MethodGet, "/openbanking/v1/providers?limit=200", nil).decode(t, &list)
	for _, b := range list.Data.Providers {
		if strings.Contains(b.Logo, "/"+slug+"/") {
			return b
		}
	}
	require.Fail(t, "no such bank", slug)
	return provider{}
}

type link struct {
	RedirectURL, ConnectionID string
	ExpiresAt                 time.Time
}

// connect asks for a connection.
func (p partner) connect(t *testing.T, providerID string) link {
	t.Helper()
	a := p.send(t, http.MethodPost, "/openbanking/v1/connections", map[string]any{"providerId": providerID, "returnUrl": returnURL})
	require.Equal(t, http.StatusCreated, a.status, string(a.body))
	var out struct{ Data link }
	a.decode(t, &out)
	return out.Data
}

type connection struct {
	ConnectionStatus, StatusReason string
	IsActive                       bool
	LastSuccessAt, ConsentExpiresAt,
	NextRefreshPossibleAt time.Time
}

func (p partner) connection(t *testing.T, id string) connection {
	t.Helper()
	var out struct {
		Data struct{ Connection connection }
	}
	p.send(t, http.MethodGet, "/openbanking/v1/connections/"+id, nil).decode(t, &out)
	return out.Data.Connection
}

// until reads the connection until it is as wanted.
func (p partner) until(t *testing.T, id string, wanted func(connection) bool) connection {
	t.Helper()
	var c connection
	eventually(t, func() bool {
		c = p.connection(t, id)
		return wanted(c)
	}, patience, 100*time.Millisecond, "connection never came to be as wanted")
	return c
}

func synced(c connection) bool { return !c.LastSuccessAt.IsZero() }

var (
	formAction = regexp.MustCompile(`<form[^>]* action="([^"]*)"`)
	accountBox = regexp.MustCompile(`name="account\[\]" value="([^"]*)"`)
)

// cookies is a new browser's.
func cookies(t *testing.T) http.CookieJar {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return jar
}

// open opens the link in the user's browser. It returns the address of the bank's page.
func open(t *testing.T, redirectURL string) string {
	t.Helper()
	page := browse(t, http.MethodGet, redirectURL, nil)
	require.Equal(t, http.StatusFound, page.status, string(page.body))
	return page.header.Get("Location")
}

// visit is a user's browser without scripts: it opens the link and decides at the
// bank. It returns where it is sent at the end, without going there.
func visit(t *testing.T, redirectURL, persona, decision string) string {
	t.Helper()
	return decide(t, open(t, redirectURL), persona, decision)
}

// decide logs in at the bank's page as a persona of the sandbox bank (as a customer of
// its own, since customers end their former consents) and decides. It returns where the
// bank sends the user.
func decide(t *testing.T, address, persona, decision string) string {
	t.Helper()
	page := browse(t, http.MethodGet, address, nil)
	page = browse(t, http.MethodPost, resolve(t, address, action(t, page)),
		url.Values{"persona": {persona}, "customer": {uuid.NewString()[:8]}})
	require.Equal(t, http.StatusSeeOther, page.status, string(page.body))
	address = resolve(t, address, page.header.Get("Location"))
	page = browse(t, http.MethodGet, address, nil)
	form := url.Values{"decision": {decision}}
	for _, m := range accountBox.FindAllSubmatch(page.body, -1) {
		form.Add("account[]", html.UnescapeString(string(m[1])))
	}
	page = browse(t, http.MethodPost, resolve(t, address, action(t, page)), form)
	require.Equal(t, http.StatusSeeOther, page.status, string(page.body))
	return page.header.Get("Location")
}

// browse opens a page in the user's browser. Only links and their callbacks get its
// cookies: those of the sandbox would make all users the same customer.
func browse(t *testing.T, method, address string, form url.Values) answer {
	t.Helper()
	if strings.HasPrefix(address, service.baseURL+"/connect") {
		return browseWith(t, service.cookies, method, address, form)
	}
	return browseWith(t, nil, method, address, form)
}

func browseWith(t *testing.T, cookies http.CookieJar, method, address string, form url.Values) answer {
	t.Helper()
	r := request{
		method: method, path: address, cookies: cookies,
		header: map[string]string{"User-Agent": "Mozilla/5.0 (X11; Linux x86_64), like a browser"},
	}
	if form != nil {
		r.body, r.header["Content-Type"] = form.Encode(), "application/x-www-form-urlencoded"
	}
	return send(t, r)
}

func action(t *testing.T, page answer) string {
	t.Helper()
	m := formAction.FindSubmatch(page.body)
	require.NotNil(t, m, "the page holds no form: %s", page.body)
	return html.UnescapeString(string(m[1]))
}

func resolve(t *testing.T, base, reference string) string {
	t.Helper()
	b, err := url.Parse(base)
	require.NoError(t, err)
	r, err := b.Parse(reference)
	require.NoError(t, err)
	return r.String()
}

// outcome is what the partner is told by its return URL.
func outcome(t *testing.T, callback string) (status, connectionID string) {
	t.Helper()
	back := browse(t, http.MethodGet, callback, nil)
	require.Equal(t, http.StatusFound, back.status, string(back.body))
	to, err := url.Parse(back.header.Get("Location"))
	require.NoError(t, err)
	assert.Equal(t, "partner.example", to.Host)
	assert.Equal(t, "7", to.Query().Get("session"), "the partner's own query stays")
	return to.Query().Get("status"), to.Query().Get("connectionId")
}

type account struct {
	AccountID, AccountName, IBAN string
	Balance                      jsonNumber
	ConnectionInfo               struct{ ConnectionID, ConnectionStatus string }
}

// jsonNumber keeps a number as it was written.
type jsonNumber string

func (n *jsonNumber) UnmarshalJSON(b []byte) error {
	*n = jsonNumber(b)
	return nil
}

type transaction struct {
	ID                      string
	Account                 struct{ ID string }
	RecordDate              time.Time
	Amount                  jsonNumber
	RecordState, RecordType string
}

func (p partner) accounts(t *testing.T) []account {
	t.Helper()
	var out struct{ Data struct{ Accounts []account } }
	p.send(t, http.MethodGet, "/openbanking/v1/accounts", nil).decode(t, &out)
	return out.Data.Accounts
}

// transactions reads all pages.
func (p partner) transactions(t *testing.T, limit string) []transaction {
	t.Helper()
	var all []transaction
	for next := ""; ; {
		var out struct {
			Data struct{ Transactions []transaction }
			Meta struct{ Pagination struct{ NextToken string } }
		}
		a := p.send(t, http.MethodGet, "/openbanking/v1/transactions?limit="+limit+"&nextToken="+next, nil)
		require.Equal(t, http.StatusOK, a.status, string(a.body))
		a.decode(t, &out)
		all = append(all, out.Data.Transactions...)
		if next = out.Meta.Pagination.NextToken; next == "" {
			return all
		}
	}
}

// The main job: a partner connects a user's bank and reads what is there.
func TestJourney(t *testing.T) {
	p := newPartner(t, "sandbox")
	bank := p.bank(t, "lindenmark")
	before := time.Now()
	l := p.connect(t, bank.ID)
	assert.WithinDuration(t, before.Add(30*time.Minute), l.ExpiresAt, 5*time.Second)
	assert.Contains(t, l.RedirectURL, "connectionId="+l.ConnectionID)
	assert.Equal(t, "Pending", p.connection(t, l.ConnectionID).ConnectionStatus)

	callback := visit(t, l.RedirectURL, "anna", "approve")
	status, id := outcome(t, callback)
	assert.Equal(t, "success", status)
	assert.Equal(t, l.ConnectionID, id)
	c := p.until(t, l.ConnectionID, synced)
	assert.Equal(t, "Active", c.ConnectionStatus)
	assert.True(t, c.IsActive)
	assert.Empty(t, c.StatusReason)
	assert.True(t, c.NextRefreshPossibleAt.After(c.LastSuccessAt))

	accounts := p.accounts(t)
	require.NotEmpty(t, accounts)
	for _, a := range accounts {
		assert.Equal(t, l.ConnectionID, a.ConnectionInfo.ConnectionID)
		assert.NotEqual(t, "0", string(a.Balance))
	}
	rows := p.transactions(t, "200")
	oldest := rows[len(rows)-1].RecordDate
	assert.WithinDuration(t, before.AddDate(0, 0, -bank.MaxFetchInterval), oldest, 7*24*time.Hour,
		"history over the bank's maxFetchInterval")
	seen := map[string]bool{}
	for i, row := range rows {
		assert.False(t, seen[row.ID], "row %s is there twice", row.ID)
		seen[row.ID] = true
		assert.Equal(t, strings.HasPrefix(string(row.Amount), "-"), row.RecordType == "Expense")
		if i > 0 {
			assert.False(t, row.RecordDate.After(rows[i-1].RecordDate), "newest first")
		}
	}
	assert.Len(t, p.transactions(t, "77"), len(rows), "the size of pages changes nothing")

	t.Run("another user and another partner see none of it", func(t *testing.T) {
		for _, other := range []partner{anotherPartner(t, "sandbox"), anotherPartner(t, "sandbox-2")} {
			assert.Empty(t, other.accounts(t))
			assert.Empty(t, other.transactions(t, "10"))
			a := other.send(t, http.MethodGet, "/openbanking/v1/connections/"+l.ConnectionID, nil)
			assert.Equal(t, http.StatusNotFound, a.status)
			assert.Equal(t, "not_found", a.problem(t).Code)
		}
	})

	t.Run("a callback used again changes nothing", func(t *testing.T) {
		again := browse(t, http.MethodGet, callback, nil)
		assert.Equal(t, http.StatusGone, again.status)
		assert.Equal(t, c, p.connection(t, l.ConnectionID))
	})
}

func TestRefusedConsent(t *testing.T) {
	p := newPartner(t, "sandbox")
	l := p.connect(t, p.bank(t, "lindenmark").ID)
	status, _ := outcome(t, visit(t, l.RedirectURL, "anna", "refuse"))
	assert.Equal(t, "cancelled", status)
	c := p.connection(t, l.ConnectionID)
	assert.Equal(t, "Failed", c.ConnectionStatus)
	assert.Equal(t, "UserCancelled", c.StatusReason)
	assert.Empty(t, p.accounts(t))
}

func TestForgedCallbackChangesNothing(t *testing.T) {
	p := newPartner(t, "sandbox")
	l := p.connect(t, p.bank(t, "lindenmark").ID)
	browse(t, http.MethodGet, l.RedirectURL, nil)
	for _, state := range []string{"", "x", l.ConnectionID, l.ConnectionID + ".", l.ConnectionID + ".GUESS",
		"00000000-0000-4000-8000-000000000000.GUESS"} {
		for _, path := range []string{"/connect/callback", "/connect/callback/" + p.bank(t, "lindenmark").ID} {
			a := browse(t, http.MethodGet, service.baseURL+path+"?state="+url.QueryEscape(state), nil)
			assert.Contains(t, []int{http.StatusNotFound, http.StatusGone}, a.status)
		}
	}
	assert.Equal(t, "Pending", p.connection(t, l.ConnectionID).ConnectionStatus)
	status, _ := outcome(t, visit(t, l.RedirectURL, "anna", "approve"))
	assert.Equal(t, "success", status, "the true way is still open")
}

// What the sandbox's troubled banks do leaves the connection in an honest state.
func TestTroubledBanks(t *testing.T) {
	t.Parallel()
	for persona, want := range map[string]struct{ status, reason string }{
		"failing":   {"Active", "SupplierUnavailable"},
		"garbled":   {"Active", "SupplierInvalidResponse"},
		"throttled": {"Active", "SupplierRateLimited"},
		"slow":      {"Active", "SupplierUnavailable"},
		"revoked":   {"Revoked", "ConsentRevoked"},
	} {
		t.Run(persona, func(t *testing.T) {
			p := newPartner(t, "sandbox")
			l := p.connect(t, p.bank(t, "lindenmark").ID)
			status, _ := outcome(t, visit(t, l.RedirectURL, persona, "approve"))
			assert.Equal(t, "success", status)
			c := p.until(t, l.ConnectionID, func(c connection) bool { return c.StatusReason != "" })
			assert.Equal(t, want.status, c.ConnectionStatus)
			assert.Equal(t, want.reason, c.StatusReason)
			assert.True(t, c.LastSuccessAt.IsZero())
		})
	}
}

func TestServerDocuments(t *testing.T) {
	t.Parallel()
	_ = token(t, "sandbox", "") // the key set holds its key from then on
	var metadata struct {
		Issuer  string
		JWKSURI string `json:"jwks_uri"`
	}
	a := send(t, request{method: http.MethodGet, path: "/.well-known/oauth-authorization-server"})
	require.Equal(t, http.StatusOK, a.status)
	a.decode(t, &metadata)
	assert.Equal(t, service.baseURL, metadata.Issuer)
	var set struct{ Keys []map[string]any }
	a = send(t, request{method: http.MethodGet, path: metadata.JWKSURI})
	require.Equal(t, http.StatusOK, a.status)
	a.decode(t, &set)
	require.NotEmpty(t, set.Keys)
	assert.NotContains(t, set.Keys[0], "d", "a private part")
}

func TestTermsCanBeRead(t *testing.T) {
	var terms struct {
		Data struct {
			Terms []struct{ TermsType, Version, URL string }
		}
	}
	newPartner(t, "sandbox").send(t, http.MethodGet, "/identity/v1/terms", nil).decode(t, &terms)
	require.Len(t, terms.Data.Terms, 3)
	for _, doc := range terms.Data.Terms {
		a := browseWith(t, cookies(t), http.MethodGet, doc.URL, nil)
		assert.Equal(t, http.StatusOK, a.status, doc.URL)
		assert.Contains(t, string(a.body), "Version "+doc.Version)
	}
}
