package connection_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/xs2a"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// A user connects a bank that plays OAuth's mix-up attacks, and approves at the honest bank to
// which that leads. Wherever the hostile bank has the user sent back, it gets nothing.
func TestMixUpOfBanks(t *testing.T) {
	const here = "http://localhost:3000"
	honest := pfmtest.Provider()
	for _, tt := range []struct {
		name, returnTo string
		way            bank.MixUp
		opens          bool
	}{
		{"its server", "", bank.MixUpServer, false},
		{"its endpoints", "", bank.MixUpEndpoints, false},
		{"its users, who come back as Aviso said", "", bank.MixUpUser, true},
		{"its users, who come back for the honest bank", here + "/connect/callback/" + honest.ID, bank.MixUpUser, true},
		{"its users, who come back for all banks", here + "/connect/callback", bank.MixUpUser, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.visitor.BaseURL = here
			banks := httptest.NewServer(bank.New(bank.Options{
				Store: sandboxdb.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"), w.clock.Now),
				Now:   w.clock.Now, NewID: uuid.NewString, Log: slog.New(slog.DiscardHandler),
			}))
			t.Cleanup(banks.Close)
			hostile := &bank.Hostile{Honest: banks.URL + "/sandbox/banks/erlenbach", Way: tt.way, ReturnTo: tt.returnTo}
			evil := httptest.NewServer(hostile)
			t.Cleanup(evil.Close)
			hostile.BaseURL = evil.URL
			p := honest
			p.ID, p.Endpoint = pfmtest.ID(66), pfm.BankEndpoint{BaseURL: evil.URL, SCA: pfm.SCA{ClientID: bank.ClientID}}
			require.NoError(t, w.store.PutProvider(t.Context(), p))
			sealer, err := keyring.Root{Current: strings.Repeat("k", 32)}.Sealer("bank")
			require.NoError(t, err)
			client := xs2a.New(xs2a.Options{NewRequestID: uuid.NewString, Now: w.clock.Now, Sealer: sealer, Claimed: w.store.IsClaimed})
			w.connections = connection.New(connection.Deps{
				Store: w.store, Bank: func(pfm.BankEndpoint) pfm.Supplier { return client }, Gate: pfmtest.Gate{}, AnyUser: pfmtest.Gate{},
				ReturnURL: pfmtest.ReturnURLs{returnURL}.Choose, Now: w.clock.Now, NewID: uuid.NewString, NewSecret: uuid.NewString,
			})
			c, err := w.connections.Create(t.Context(), pfmtest.User(), p.ID, returnURL, nil)
			require.NoError(t, err)
			visit, err := w.connections.Open(t.Context(), c.ID, c.Authorisation.Link, w.visitor)
			if !tt.opens {
				require.ErrorIs(t, err, connection.ErrBankRefused)
			} else {
				require.NoError(t, err)
				back := approve(t, visit.RedirectTo)
				require.NotEmpty(t, back.Query().Get("code"), "the honest bank has fallen for it")
				user := w.visitor
				user.BrowserKey = visit.BrowserKey
				_, err = w.connections.Finish(t.Context(), back.Path, back.Query(), user)
				require.Error(t, err)
			}
			assert.NotEqual(t, connection.Active, w.read(c.ID).Status)
			for _, job := range w.jobs() {
				assert.Equal(t, connection.JobEndConsent, job.Action, "nothing else")
			}
			assert.Empty(t, hostile.Stolen())
		})
	}
}

// approve follows a user from an address to a sandbox bank's page, approves there, and returns
// where that leads.
func approve(t *testing.T, address string) *url.URL {
	t.Helper()
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	form := url.Values{"persona": {"anna"}, "decision": {"approve"}, "account[]": {"current"}}
	for strings.HasPrefix(address, "http://127.0.0.1:") {
		method, body := http.MethodGet, ""
		if strings.Contains(address, "/authorise/") {
			method, body = http.MethodPost, form.Encode()
		}
		req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		resp, err := browser.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		next, err := resp.Location()
		require.NoError(t, err)
		address = next.String()
	}
	back, err := url.Parse(address)
	require.NoError(t, err)
	return back
}
