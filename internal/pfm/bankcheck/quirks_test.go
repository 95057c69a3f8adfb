package bankcheck_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/enablebanking"
	"aviso/internal/pfm/enrich"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/pfm/transaction"
	"aviso/internal/pfm/xs2a"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

const (
	returnURL = "https://partner.example/back"
	// chosen is the category that users choose.
	chosen = 568
)

// corpus picks the files of scenarios: -corpus=bank-quirks.json
var corpus = flag.String("corpus", "*.json", "the files of scenarios in testdata")

// service is the area with the real store and the real client, for one scenario.
type service struct {
	*testing.T
	clock       *pfmtest.Clock
	bank        *Bank
	user        owner.User
	provider    pfm.Provider
	store       *pfmdb.Store
	connections *connection.Connections
	syncer      *connection.Jobs
	since       transaction.ChangePosition
}

type tables struct{ area, outbox string }

// direct passes requests to a handler without a connection.
type direct struct{ http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	return w.Result(), nil
}

func newService(t *testing.T, in tables, s Scenario, step time.Duration) *service {
	t.Helper()
	clock := pfmtest.NewClock()
	last := clock.Now().Add(step * time.Duration(len(s.Fetches)-1))
	v := &service{
		T: t, clock: clock, bank: NewBank(s, last, currencyOf(s)),
		user: owner.User{Partner: "sandbox", ID: owner.UserID(uuid.NewString())}, provider: providerOf(t, s),
		store: pfmdb.New(testenv.DynamoDB(t), in.area, in.outbox, clock.Now, uuid.NewString),
	}
	sealer, err := keyring.Root{Current: strings.Repeat("k", 43)}.Sealer("bank")
	require.NoError(t, err)
	client := supplierOf(t, s, v.bank, sealer, clock.Now)
	bankOf := func(pfm.BankEndpoint) pfm.Supplier { return client }
	require.NoError(t, v.store.PutProvider(t.Context(), v.provider))
	v.connections = connection.New(connection.Deps{
		Store: v.store, Bank: bankOf, Gate: pfmtest.Gate{}, AnyUser: pfmtest.Gate{}, ReturnURL: pfmtest.ReturnURLs{returnURL}.Choose,
		Now: clock.Now, NewID: uuid.NewString, NewSecret: uuid.NewString,
	})
	v.syncer = pfmtest.Jobs(v.store, bankOf, enrich.Transaction, clock.Now)
	return v
}

// quirkyASPSP is a scenario's bank as the aggregator knows it.
var quirkyASPSP = pfm.ASPSP{Name: "Quirky Bank", Country: "DE", Secret: "application"}

// applicationSecret names the secret of our application at the aggregator.
var applicationSecret = sync.OnceValues(func() (string, error) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return "", err
	}
	der := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	text, err := json.Marshal(map[string]string{"applicationId": uuid.NewString(), "privateKey": string(der)})
	return string(text), err
})

// supplierOf returns the client that reads the scenario's bank.
func supplierOf(t *testing.T, s Scenario, bank *Bank, sealer bankwire.Sealer, now func() time.Time) pfm.Supplier {
	t.Helper()
	if !s.Aggregator {
		return xs2a.New(xs2a.Options{NewRequestID: uuid.NewString, Now: now, Transport: direct{bank}, Sealer: sealer})
	}
	return enablebanking.New(enablebanking.Options{
		Now: now, Transport: direct{bank}, Sealer: sealer,
		Secret: func(context.Context, string) (string, error) { return applicationSecret() },
	})
}

// currencyOf returns the currency of the first booked row.
func currencyOf(s Scenario) string {
	for _, f := range s.Fetches {
		for _, row := range f.Booked {
			if object, ok := row.(map[string]any); ok {
				amount, _ := object["transactionAmount"].(map[string]any)
				if currency, _ := amount["currency"].(string); currency != "" {
					return currency
				}
			}
		}
	}
	return "EUR"
}

func providerOf(t *testing.T, s Scenario) pfm.Provider {
	t.Helper()
	p := pfmtest.Provider()
	p.ID, p.RefreshTimeoutMinutes = uuid.NewString(), 0
	p.Endpoint.SCA.ClientID = "us"
	if s.Aggregator {
		p.Endpoint.ASPSP = quirkyASPSP
	}
	if s.Country != "" {
		p.CountryCode = s.Country
	}
	if s.Profile != nil {
		require.NoError(t, json.Unmarshal(s.Profile, &p.Profile))
	}
	return p
}

// authorise lets the user authorise the connection's latest link at the bank.
func (v *service) authorise(c connection.Connection) error {
	v.Helper()
	const ours = "https://api.example"
	visitor := connection.Visitor{IPAddress: "203.0.113.7", UserAgent: "Browser", BaseURL: ours}
	visit, err := v.connections.Open(v.Context(), c.ID, c.Authorisation.Link, visitor)
	if err != nil { // the user opens the link again
		visit, err = v.connections.Open(v.Context(), c.ID, c.Authorisation.Link, visitor)
	}
	if err != nil {
		return err
	}
	visitor.BrowserKey = visit.BrowserKey
	for range 2 { // who are you at the bank?
		if err == nil && !strings.HasPrefix(visit.RedirectTo, ours) {
			break
		}
		visit, err = v.connections.Answer(v.Context(), c.ID, pfm.UserAnswer{PSUID: "anna"}, visitor)
	}
	if err != nil {
		return err
	}
	page := httptest.NewRecorder()
	v.bank.ServeHTTP(page, httptest.NewRequestWithContext(v.Context(), http.MethodGet, visit.RedirectTo, nil))
	back, err := url.Parse(page.Header().Get("Location"))
	require.NoError(v, err)
	visit, err = v.connections.Finish(v.Context(), back.Path, back.Query(), visitor)
	if err != nil { // a reload of the page
		visit, err = v.connections.Finish(v.Context(), back.Path, back.Query(), visitor)
	}
	for range 3 { // our own page looks again
		if err != nil || !strings.HasPrefix(visit.RedirectTo, ours) && visit.RedirectTo != "" {
			break
		}
		v.clock.Advance(connection.PollInterval)
		visit, err = v.connections.Step(v.Context(), c.ID, visitor)
		assert.NotEqual(v, pfm.StepAsk, visit.Step.Kind, "the user has said who they are")
	}
	return err
}

// play runs the scenario's fetches and returns what a partner sees after each.
func (v *service) play(s Scenario, step time.Duration) (views []View, err error) {
	v.Helper()
	c, err := v.connections.Create(v.Context(), v.user, v.provider.ID, returnURL, nil)
	require.NoError(v, err)
	if err := v.authorise(c); err != nil {
		return nil, err
	}
	for i, f := range s.Fetches {
		v.bank.Next(i)
		if i > 0 {
			v.clock.Advance(step)
			if c, err = v.request(c, f); err != nil {
				return views, fmt.Errorf("fetch %d: %w", i, err)
			}
		}
		job := connection.SyncJob{
			Partner: v.user.Partner, User: v.user.ID, ConnectionID: c.ID, PSUIPAddress: "203.0.113.7",
		}
		if err := v.syncer.Sync(v.Context(), job, 1); err != nil && !f.Fails {
			return views, fmt.Errorf("fetch %d: %w", i, err)
		}
		stored, err := v.store.Connection(v.Context(), v.user, c.ID)
		require.NoError(v, err)
		if !f.Fails && s.Expect.Status == nil && (!stored.IsActive() ||
			stored.Reason != connection.ReasonNone && stored.Reason != connection.ReasonPartialData) {
			return views, fmt.Errorf("fetch %d: the connection is %s, %s", i, stored.Status, stored.Reason)
		}
		views = append(views, v.view(stored))
		if s.Categorise != nil && s.Categorise.After == i {
			v.categorise(views[i], s.Categorise.Amount)
		}
	}
	return views, nil
}

// request asks for the next read of the bank.
func (v *service) request(c connection.Connection, f Fetch) (connection.Connection, error) {
	v.Helper()
	var err error
	switch {
	case f.Reconnect:
		c, err = v.connections.Reconnect(v.Context(), v.user, c.ID, returnURL, nil)
		require.NoError(v, err)
		return c, v.authorise(c)
	case f.Again:
		c, err = v.connections.Create(v.Context(), v.user, v.provider.ID, returnURL, nil)
		require.NoError(v, err)
		return c, v.authorise(c)
	case f.Abandon:
		renewed, err := v.connections.Reconnect(v.Context(), v.user, c.ID, returnURL, nil)
		require.NoError(v, err)
		visitor := connection.Visitor{IPAddress: "203.0.113.7", BaseURL: "https://api.example"}
		if _, err := v.connections.Open(v.Context(), c.ID, renewed.Authorisation.Link, visitor); err != nil {
			return c, err
		}
	}
	_, err = v.connections.Refresh(v.Context(), v.user, c.ID, connection.Visitor{IPAddress: "203.0.113.7"}, nil)
	if err != nil && f.Fails && !f.Insist {
		err = nil
	}
	return c, err
}

func (v *service) categorise(seen View, amount string) {
	v.Helper()
	i := slices.IndexFunc(seen.Rows, func(r Transaction) bool { return r.Amount == amount })
	require.GreaterOrEqual(v, i, 0, "no row of %s to categorise", amount)
	category, _ := pfm.CategoryOf(chosen)
	_, err := v.store.OverrideCategory(v.Context(), v.user, seen.Rows[i].ID, category, false, v.clock.Now())
	require.NoError(v, err)
	v.since = v.changes().Since
}

func (v *service) changes() transaction.ChangePage {
	v.Helper()
	page, err := v.store.Changes(v.Context(), v.user, v.since, 200)
	require.NoError(v, err)
	return page
}

func (v *service) view(c connection.Connection) View {
	v.Helper()
	changes := v.changes()
	v.since = changes.Since
	view := View{
		Changes: len(changes.Changes), Day: v.clock.Now(), Partial: c.Reason == connection.ReasonPartialData,
		Status: string(c.Status), Reason: string(c.Reason), ConsentUntil: c.ConsentExpiresAt.Add(-time.Second).Format(time.DateOnly),
	}
	accounts, _, err := v.store.AccountViews(v.Context(), v.user, 200, "")
	require.NoError(v, err)
	names := map[string]string{}
	for _, a := range accounts {
		names[a.Account.ID] = a.Account.Name
		view.Accounts = append(view.Accounts, Account{
			Name: a.Account.Name, Type: string(a.Account.Type), IBAN: a.Account.IBAN, Currency: a.Account.Currency,
			Balance: a.Account.Balance.String(),
		})
	}
	rows, err := v.store.TransactionsSince(v.Context(), v.user, "")
	require.NoError(v, err)
	for _, t := range rows {
		view.Rows = append(view.Rows, Transaction{
			ID: t.ID, Account: names[t.AccountID], Amount: t.Amount.String(), Currency: t.Currency,
			State: string(t.State), Day: string(t.RecordDate), Note: t.Note, Payee: t.Payee,
			Merchant:    t.MerchantOrParty().Name,
			Categorised: t.Source == pfm.SourceOverride,
		})
	}
	return view
}

// Every scenario holds, whether all fetches are on one day or on consecutive ones.
func TestScenarios(t *testing.T) {
	in := tables{testenv.Table(t, "PfmTable"), testenv.Table(t, "OutboxTable")}
	for name, step := range map[string]time.Duration{"on one day": time.Minute, "day by day": 24 * time.Hour} {
		for _, s := range scenarios(t) {
			if step > time.Hour && len(s.Fetches) == 1 {
				continue
			}
			t.Run(s.Name+"/"+name, func(t *testing.T) {
				v := newService(t, in, s, step)
				views, err := v.play(s, step)
				problems := s.Check(views, v.clock.Now())
				if err != nil {
					problems = append(problems, err.Error())
				}
				assert.Empty(t, problems)
			})
		}
	}
}
