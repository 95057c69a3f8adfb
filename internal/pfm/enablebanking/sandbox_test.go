package enablebanking_test

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/enablebanking"
	"aviso/internal/sandbox/aggregator"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/localstack/tests/clocktest"
	"aviso/localstack/tests/testenv"
)

const callback = "https://aviso.example/connect/callback"

// sandbox is a client with the sandbox's aggregator.
type sandbox struct {
	*enablebanking.Client
	t     *testing.T
	bank  pfm.BankEndpoint
	clock *clocktest.Clock
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	s := &sandbox{t: t, clock: clocktest.New()}
	server := httptest.NewServer(aggregator.New(aggregator.Options{
		Store: sandboxdb.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"), s.clock.Now), Now: s.clock.Now,
		NewID: uuid.NewString, Log: slog.New(slog.DiscardHandler),
	}))
	t.Cleanup(server.Close)
	s.bank = pfm.BankEndpoint{BaseURL: server.URL + aggregator.Path, ASPSP: pfm.ASPSP{
		Name: "Silbertal Bank", Country: "DE", Secret: "sandbox-aggregator",
	}}
	id := s.register(server.URL)
	secret := strings.ReplaceAll(secretOf(t, "PRIVATE KEY"), applicationID, id)
	s.Client = enablebanking.New(enablebanking.Options{
		Now: s.clock.Now, Sealer: newWorld(t).sealer,
		Secret: func(context.Context, string) (string, error) { return secret, nil },
	})
	return s
}

// register registers the test's key as an application.
func (s *sandbox) register(base string) string {
	s.t.Helper()
	der, err := x509.MarshalPKIXPublicKey(testKey().Public())
	require.NoError(s.t, err)
	body, err := json.Marshal(map[string]any{
		"certificate":   string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})),
		"redirect_urls": []string{callback},
	})
	require.NoError(s.t, err)
	resp, err := http.Post(base+aggregator.Path+"/applications", "application/json", strings.NewReader(string(body)))
	require.NoError(s.t, err)
	defer resp.Body.Close()
	var w struct {
		ID string `json:"app_id"`
	}
	require.NoError(s.t, json.NewDecoder(resp.Body).Decode(&w))
	return w.ID
}

// decide starts an authorisation and posts the user's decision. It returns the query with
// which the user comes back.
func (s *sandbox) decide(form url.Values) (pfm.Session, url.Values) { return s.decideFor("c", form) }

func (s *sandbox) decideFor(connection string, form url.Values) (pfm.Session, url.Values) {
	s.t.Helper()
	progress, err := s.RequestConsent(s.t.Context(), s.bank, pfm.ConsentRequest{
		ConnectionID: connection, CallbackURL: callback, State: "c.state", ValidUntil: pfm.DateOf(s.clock.Now()).AddDays(180 - 1),
	})
	require.NoError(s.t, err)
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	page, err := browser.Get(progress.Next.URL)
	require.NoError(s.t, err)
	require.NoError(s.t, page.Body.Close())
	require.Equal(s.t, http.StatusOK, page.StatusCode)
	resp, err := browser.PostForm(progress.Next.URL, form)
	require.NoError(s.t, err)
	require.NoError(s.t, resp.Body.Close())
	require.Equal(s.t, http.StatusSeeOther, resp.StatusCode)
	to, err := url.Parse(resp.Header.Get("Location"))
	require.NoError(s.t, err)
	require.True(s.t, strings.HasPrefix(to.String(), callback+"?"))
	require.Equal(s.t, "c.state", to.Query().Get("state"))
	return progress.Session, to.Query()
}

func (s *sandbox) goOn(attempt pfm.Session, query url.Values) (pfm.ConsentProgress, error) {
	return s.ContinueConsent(s.t.Context(), s.bank, pfm.ConsentRequest{}, attempt, pfm.UserAnswer{Callback: query})
}

// connect returns a session of the persona.
func (s *sandbox) connect(persona string) pfm.Session {
	s.t.Helper()
	attempt, query := s.decide(url.Values{"persona": {persona}, "decision": {"approve"}})
	progress, err := s.goOn(attempt, query)
	require.NoError(s.t, err)
	require.Equal(s.t, pfm.ConsentValid, progress.Consent.State)
	return progress.Session
}

// The code of another user's attempt gives no access, though the state is the own one.
func TestCodeOfAnotherUser(t *testing.T) {
	s := newSandbox(t)
	mine, query := s.decideFor("mine", url.Values{"persona": {"anna"}, "decision": {"approve"}})
	_, theirs := s.decideFor("theirs", url.Values{"persona": {"family"}, "decision": {"approve"}})
	query.Set("code", theirs.Get("code"))
	progress, err := s.goOn(mine, query)
	var refused *pfm.SupplierError
	require.ErrorAs(t, err, &refused)
	assert.Equal(t, pfm.SupplierRejected, refused.Kind)
	assert.Empty(t, progress.Session)
}

func (s *sandbox) rows(session pfm.Session, uid string, from pfm.Date) (rows []pfm.BankTransaction, err error) {
	for row, err := range s.Transactions(s.t.Context(), s.bank, session, uid, from) {
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func TestSandboxSession(t *testing.T) {
	s := newSandbox(t)
	first := s.connect("anna")
	accounts, err := s.Accounts(t.Context(), s.bank, first)
	require.NoError(t, err)
	require.NotEmpty(t, accounts)
	for _, a := range accounts {
		assert.NotEmpty(t, a.IdentificationHash)
		assert.NotEmpty(t, a.Balances)
	}
	again, err := s.Accounts(t.Context(), s.bank, s.connect("anna"))
	require.NoError(t, err)
	for i := range accounts {
		assert.Equal(t, accounts[i].IdentificationHash, again[i].IdentificationHash)
		assert.NotEqual(t, accounts[i].ResourceID, again[i].ResourceID, "an ID belongs to a session")
	}
	all, err := s.rows(first, accounts[0].ResourceID, pfm.DateOf(s.clock.Now()).AddDays(-730))
	require.NoError(t, err)
	recent, err := s.rows(first, accounts[0].ResourceID, pfm.DateOf(s.clock.Now()).AddDays(-30))
	require.NoError(t, err)
	assert.Greater(t, len(all), len(recent))
	assert.Equal(t, recent, all[:len(recent)], "every row is told once, in the same order")
	assert.NotEmpty(t, recent)
	for _, a := range accounts {
		_, err := s.rows(first, a.ResourceID, pfm.DateOf(s.clock.Now()))
		require.NoError(t, err, "a day without rows")
	}

	consent, err := s.Consent(t.Context(), s.bank, first)
	require.NoError(t, err)
	assert.Equal(t, pfm.ConsentValid, consent.State)
	for range 2 { // ending it twice is fine
		require.NoError(t, s.EndConsent(t.Context(), s.bank, first))
	}
	_, err = s.rows(first, accounts[0].ResourceID, pfm.DateOf(s.clock.Now()))
	requireFailure(t, err, pfm.SupplierConsentExpired)
}

func TestSandboxRefusals(t *testing.T) {
	t.Run("the user refuses", func(t *testing.T) {
		s := newSandbox(t)
		progress, err := s.goOn(s.decide(url.Values{"decision": {"refuse"}}))
		require.NoError(t, err)
		assert.Equal(t, pfm.ConsentRejected, progress.Consent.State)
	})
	t.Run("a code works once", func(t *testing.T) {
		s := newSandbox(t)
		attempt, query := s.decide(url.Values{"persona": {"anna"}, "decision": {"approve"}})
		_, err := s.goOn(attempt, query)
		require.NoError(t, err)
		_, err = s.goOn(attempt, query)
		assert.Equal(t, "ALREADY_AUTHORIZED", requireFailure(t, err, pfm.SupplierRejected).BankCode)
	})
	t.Run("the fifth call without the user", func(t *testing.T) {
		s := newSandbox(t)
		session := s.connect("anna")
		for range 4 {
			_, err := s.Accounts(t.Context(), s.bank, session)
			require.NoError(t, err)
		}
		accounts, err := s.Accounts(t.Context(), s.bank, session)
		require.NoError(t, err)
		assert.True(t, accounts[0].Incomplete, "only its balance is limited")
		session.PSUIPAddress = "203.0.113.7"
		accounts, err = s.Accounts(t.Context(), s.bank, session)
		require.NoError(t, err)
		assert.False(t, accounts[0].Incomplete)
	})
	t.Run("a session that has expired", func(t *testing.T) {
		s := newSandbox(t)
		session := s.connect("anna")
		s.clock.Advance(181 * 24 * time.Hour)
		consent, err := s.Consent(t.Context(), s.bank, session)
		require.NoError(t, err)
		assert.Equal(t, pfm.ConsentExpired, consent.State)
	})
	t.Run("too long a history, once the first hour is over", func(t *testing.T) {
		s := newSandbox(t)
		session := s.connect("anna")
		accounts, err := s.Accounts(t.Context(), s.bank, session)
		require.NoError(t, err)
		s.clock.Advance(2 * time.Hour)
		rows, err := s.rows(session, accounts[0].ResourceID, pfm.DateOf(s.clock.Now()).AddDays(-730))
		require.NoError(t, err)
		assert.GreaterOrEqual(t, rows[len(rows)-1].BookingDate, pfm.DateOf(s.clock.Now()).AddDays(-90))
	})
	t.Run("a bank that it does not know", func(t *testing.T) {
		s := newSandbox(t)
		s.bank.ASPSP.Country = "FR"
		_, err := s.RequestConsent(t.Context(), s.bank,
			pfm.ConsentRequest{CallbackURL: callback, State: "s", ValidUntil: "2026-12-31"})
		assert.Equal(t, "WRONG_ASPSP_PROVIDED", requireFailure(t, err, pfm.SupplierUnavailable).BankCode)
	})
	t.Run("an application that is not registered", func(t *testing.T) {
		s, w := newSandbox(t), newWorld(t)
		s.bank.ASPSP.Secret = "enable-banking"
		_, err := w.client.RequestConsent(t.Context(), s.bank, pfm.ConsentRequest{})
		assert.Equal(t, http.StatusForbidden, requireFailure(t, err, pfm.SupplierUnavailable).Status)
	})
}

func TestSandboxFaults(t *testing.T) {
	for persona, want := range map[string]pfm.SupplierErrorKind{
		"slow": pfm.SupplierUnavailable, "failing": pfm.SupplierUnavailable, "garbled": pfm.SupplierUnavailable,
		"throttled": pfm.SupplierRateLimited, "revoked": pfm.SupplierConsentInvalid,
	} {
		t.Run(persona, func(t *testing.T) {
			s := newSandbox(t)
			session := s.connect(persona)
			uid := uuid.NewSHA1(uuid.NameSpaceURL, []byte(session.ConsentID+"/current")).String()
			_, err := s.rows(session, uid, "2026-01-01")
			requireFailure(t, err, want)
		})
	}
}

func TestSandboxBanks(t *testing.T) {
	s := newSandbox(t)
	banks, others, err := s.Banks(t.Context(), s.bank.BaseURL, "sandbox-aggregator")
	require.NoError(t, err)
	assert.Zero(t, others)
	require.Len(t, banks, 2)
	assert.NotEqual(t, banks[0].ID, banks[1].ID, "the same name in two countries")
}
