package xs2a

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/pfm"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/localstack/tests/testenv"
)

// sandbox is the sandbox's banks on a real HTTP server, with a client.
type sandbox struct {
	*Client
	t    *testing.T
	base string
	// ahead is how far the user's time is ahead of real time.
	ahead time.Duration
}

// ctx returns the context of the user's requests.
func (s *sandbox) ctx() context.Context {
	return clock.With(s.t.Context(), clock.Setting{Ahead: s.ahead})
}

func newSandbox(t *testing.T, edit ...func(*Options)) *sandbox {
	now := func() time.Time { return testNow }
	server := httptest.NewServer(bank.New(bank.Options{
		Store: sandboxdb.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"), now), Now: now,
		NewID: uuid.NewString, SlowAnswer: time.Minute, Log: slog.New(slog.DiscardHandler),
	}))
	t.Cleanup(server.Close)
	return &sandbox{client(append([]func(*Options){sealing(t)}, edit...)...), t, server.URL, 0}
}

func (s *sandbox) endpoint(slug string) pfm.BankEndpoint {
	at := pfm.BankEndpoint{BaseURL: s.base + "/sandbox/banks/" + slug}
	for _, b := range bank.Catalogue() {
		if b.Slug == slug && b.MetadataPath() != "" {
			at.SCA = pfm.SCA{ClientID: bank.ClientID, TokenFirst: b.WantsTokenFirst()}
			if b.WantsTokenFirst() {
				at.SCA.MetadataURL = s.base + b.MetadataPath()
			}
		}
	}
	return at
}

// decide requests a consent and posts the user's decision to the bank's page.
// It returns the consent's ID and where the user was redirected.
func (s *sandbox) decide(slug string, form url.Values) (consentID, landed string) {
	s.t.Helper()
	requested := must(s.RequestConsent(s.t.Context(), s.endpoint(slug), consentRequest()))
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp := must(browser.PostForm(requested.Next.URL, form)) //nolint:bodyclose // closed below
	require.NoError(s.t, resp.Body.Close())
	require.Equal(s.t, http.StatusSeeOther, resp.StatusCode)
	return requested.Session.ConsentID, resp.Header.Get("Location")
}

// consentOf returns a valid consent of the persona for all accounts.
func (s *sandbox) consentOf(persona, slug string) string {
	s.t.Helper()
	id, landed := s.decide(slug, url.Values{
		"persona": {persona}, "customer": {"1"}, "decision": {"approve"}, "account[]": {"current", "savings", "card", "joint", "dollars"},
	})
	require.Equal(s.t, consentRequest().RedirectURL, landed)
	return id
}

func (s *sandbox) rows(slug string, session pfm.Session, account string, from pfm.Date) ([]pfm.BankTransaction, error) {
	var rows []pfm.BankTransaction
	for row, err := range s.Transactions(s.t.Context(), s.endpoint(slug), session, account, from) {
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func TestSandboxBanks(t *testing.T) {
	for _, b := range bank.Catalogue() {
		t.Run(b.Slug+" from consent to its end", func(t *testing.T) {
			s := newSandbox(t)
			at := s.endpoint(b.Slug)
			session := s.sessionOf("anna", b.Slug)

			consent := must(s.Consent(t.Context(), at, session))
			assert.Equal(t, pfm.ConsentValid, consent.State)
			assert.Greater(t, consent.ValidUntil, pfm.DateOf(testNow))
			assert.LessOrEqual(t, consent.ValidUntil, consentRequest().ValidUntil)

			assert.Equal(t, b.Traits.CardAccounts, consent.CardAccounts)
			session.CardAccounts = true // a bank that has none refuses, which does no harm
			accounts := must(s.Accounts(t.Context(), at, session))
			require.Len(t, accounts, len(b.SupportedAccountTypes))
			from := pfm.DateOf(testNow).AddDays(-45)
			for _, account := range accounts {
				require.NotEmpty(t, account.Balances, account.Product)
				rows := must(s.rows(b.Slug, session, account.ResourceID, from))
				require.NotEmpty(t, rows, account.Product)
				for i, row := range rows {
					assert.Equal(t, account.Currency, row.Currency)
					assert.NotEmpty(t, row.ValueDate+row.TransactionDate)
					assert.Equal(t, row.Booked, row.BookingDate != "")
					if i > 0 && rows[i-1].Booked && row.Booked {
						assert.GreaterOrEqual(t, rows[i-1].BookingDate, row.BookingDate)
					}
				}
			}

			require.NoError(t, s.EndConsent(t.Context(), at, session))
			if b.WantsTokenFirst() { // the token has gone, too
				_, err := s.Consent(t.Context(), at, session)
				requireKind(t, err, pfm.SupplierConsentInvalid)
				return
			}
			require.NoError(t, s.EndConsent(t.Context(), at, session), "it has ended already")
			consent = must(s.Consent(t.Context(), at, session))
			assert.Equal(t, pfm.ConsentTerminatedByTPP, consent.State)
			_, err := s.Accounts(t.Context(), at, session)
			requireKind(t, err, pfm.SupplierConsentInvalid)
		})
	}
}

// Approvals, codes and tokens work for a user whose clock was moved, and so does the next move.
func TestSandboxBanksFollowTheUsersTime(t *testing.T) {
	for _, b := range bank.Catalogue() {
		t.Run(b.Slug, func(t *testing.T) {
			s := newSandbox(t)
			at := s.endpoint(b.Slug)
			s.ahead = 100 * 24 * time.Hour
			session := s.sessionOf("anna", b.Slug)
			lasts := s.read(at, session)
			assert.Greater(t, lasts, pfm.DateOf(testNow.Add(s.ahead)).AddDays(-14))

			s.ahead += 60 * 24 * time.Hour
			session = must(s.RenewSession(s.ctx(), at, session))
			assert.Greater(t, s.read(at, session), lasts, "the persona goes on living")

			s.ahead += 300 * 24 * time.Hour
			session = must(s.RenewSession(s.ctx(), at, session))
			consent := must(s.Consent(s.ctx(), at, session))
			assert.Equal(t, pfm.ConsentExpired, consent.State)
			_, err := s.Accounts(s.ctx(), at, session)
			requireKind(t, err, pfm.SupplierConsentExpired)
		})
	}
}

// read returns the day of the latest booked row.
func (s *sandbox) read(at pfm.BankEndpoint, session pfm.Session) (latest pfm.Date) {
	s.t.Helper()
	accounts := must(s.Accounts(s.ctx(), at, session))
	from := pfm.DateOf(clock.Now(s.ctx(), func() time.Time { return testNow })).AddDays(-30)
	for row, err := range s.Transactions(s.ctx(), at, session, accounts[0].ResourceID, from) {
		require.NoError(s.t, err)
		latest = max(latest, row.BookingDate)
	}
	return latest
}

func TestSandboxBank(t *testing.T) {
	const slug = "lindenmark"

	t.Run("reports that the user refused", func(t *testing.T) {
		s := newSandbox(t)
		id, landed := s.decide(slug, url.Values{"decision": {"refuse"}})
		assert.Equal(t, consentRequest().RefusedURL, landed)
		consent := must(s.Consent(t.Context(), s.endpoint(slug), pfm.Session{ConsentID: id}))
		assert.Equal(t, pfm.ConsentRejected, consent.State)
	})

	t.Run("reports an unknown consent", func(t *testing.T) {
		s := newSandbox(t)
		_, err := s.Consent(t.Context(), s.endpoint(slug), pfm.Session{ConsentID: uuid.NewString()})
		requireKind(t, err, pfm.SupplierConsentUnknown)
		assert.NoError(t, s.EndConsent(t.Context(), s.endpoint(slug), pfm.Session{ConsentID: uuid.NewString()}))
	})

	t.Run("ends a user's old consent when they give a new one", func(t *testing.T) {
		s := newSandbox(t)
		former := s.consentOf("anna", slug)
		s.consentOf("anna", slug)
		_, err := s.Accounts(t.Context(), s.endpoint(slug), pfm.Session{ConsentID: former})
		requireKind(t, err, pfm.SupplierConsentExpired)
		consent := must(s.Consent(t.Context(), s.endpoint(slug), pfm.Session{ConsentID: former}))
		assert.Equal(t, pfm.ConsentExpired, consent.State)
	})

	t.Run("returns each row once over many pages", func(t *testing.T) {
		s := newSandbox(t)
		session := pfm.Session{ConsentID: s.consentOf("family", slug)}
		accounts := must(s.Accounts(t.Context(), s.endpoint(slug), session))
		most := 0
		for _, account := range accounts {
			rows := must(s.rows(slug, session, account.ResourceID, pfm.DateOf(testNow).AddDays(-365)))
			seen := map[string]bool{}
			for _, row := range rows {
				require.False(t, seen[row.ID], "a row came twice")
				seen[row.ID] = true
			}
			most = max(most, len(rows))
		}
		assert.Greater(t, most, 200, "more than one page")
	})

	t.Run("distinguishes accounts with one IBAN by currency", func(t *testing.T) {
		s := newSandbox(t)
		accounts, err := s.Accounts(t.Context(), s.endpoint(slug), pfm.Session{ConsentID: s.consentOf("freelancer", slug)})
		require.NoError(t, err)
		currencies := map[string][]string{}
		for _, a := range accounts {
			currencies[a.IBAN] = append(currencies[a.IBAN], a.Currency)
		}
		assert.Contains(t, currencies, accounts[0].IBAN)
		assert.ElementsMatch(t, []string{"EUR", "USD"}, currencies[accounts[0].IBAN])
	})

	t.Run("only limits reads without the user", func(t *testing.T) {
		s := newSandbox(t)
		away := pfm.Session{ConsentID: s.consentOf("anna", slug)}
		present := pfm.Session{ConsentID: away.ConsentID, PSUIPAddress: "2001:db8::7"}
		accounts := must(s.Accounts(t.Context(), s.endpoint(slug), present))
		today := pfm.DateOf(testNow)
		for range unattendedPerDay {
			_ = must(s.rows(slug, away, accounts[0].ResourceID, today))
		}
		_, err := s.rows(slug, away, accounts[0].ResourceID, today)
		requireKind(t, err, pfm.SupplierRateLimited)
		_, err = s.rows(slug, present, accounts[0].ResourceID, today)
		assert.NoError(t, err)
	})

	t.Run("refuses a period without data", func(t *testing.T) {
		s := newSandbox(t)
		session := pfm.Session{ConsentID: s.consentOf("anna", slug)}
		accounts := must(s.Accounts(t.Context(), s.endpoint(slug), session))
		_, err := s.rows(slug, session, accounts[0].ResourceID, "2001-01-01")
		assert.Equal(t, "PERIOD_INVALID", requireKind(t, err, pfm.SupplierRejected).BankCode)
	})

	t.Run("misbehaves", func(t *testing.T) {
		for persona, kind := range map[string]pfm.SupplierErrorKind{
			"failing": pfm.SupplierUnavailable, "garbled": pfm.SupplierInvalidResponse, "throttled": pfm.SupplierRateLimited,
			"revoked": pfm.SupplierConsentInvalid, "slow": pfm.SupplierUnavailable,
		} {
			t.Run(persona, func(t *testing.T) {
				s := newSandbox(t, func(o *Options) { o.Timeouts.Header = 300 * time.Millisecond })
				id := s.consentOf(persona, slug)

				_, err := s.Accounts(t.Context(), s.endpoint(slug), pfm.Session{ConsentID: id})

				e := requireKind(t, err, kind)
				switch persona {
				case "throttled":
					assert.Equal(t, 30*time.Second, e.RetryAfter)
				case "slow":
					assert.ErrorIs(t, e, context.DeadlineExceeded)
				case "revoked":
					consent := must(s.Consent(t.Context(), s.endpoint(slug), pfm.Session{ConsentID: id}))
					assert.Equal(t, pfm.ConsentRevokedByPSU, consent.State)
				}
			})
		}
	})
}
