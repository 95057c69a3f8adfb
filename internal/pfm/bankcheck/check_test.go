package bankcheck_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/outbound"
	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
	"aviso/internal/pfm/xs2a"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/sandboxdb"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

// ours is where banks send users back; nobody listens there.
const ours = "http://127.0.0.1:1/callback"

func options(t *testing.T, p pfm.Provider) bankcheck.Options {
	t.Helper()
	sealer, err := keyring.Root{Current: "the root of the tests"}.Sealer("bank")
	require.NoError(t, err)
	return bankcheck.Options{
		Provider: p, RedirectURL: ours, PSUIPAddress: "203.0.113.7",
		Client: xs2a.Options{
			NewRequestID: uuid.NewString, Now: time.Now, Sealer: sealer,
			Timeouts: outbound.Timeouts{Connect: time.Minute, Header: time.Minute, Total: time.Minute},
		},
	}
}

// user does what a user does: give an ID, and approve at the bank.
type user struct {
	*testing.T
	browser *http.Client
	persona string
}

func newUser(t *testing.T) user {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return user{t, &http.Client{CheckRedirect: stay}, "anna"}
}

func (u user) send(method, address string, form url.Values) (status int, location string) {
	u.Helper()
	req, err := http.NewRequestWithContext(u.Context(), method, address, strings.NewReader(form.Encode()))
	require.NoError(u, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := u.browser.Do(req)
	require.NoError(u, err)
	require.NoError(u, res.Body.Close())
	to, err := req.URL.Parse(res.Header.Get("Location"))
	require.NoError(u, err)
	return res.StatusCode, to.String()
}

var inApp = regexp.MustCompile(`at (\S+) and confirm the request (\w+)\.`)

// approve goes through the pages of a bank and returns the query of the way back.
func (u user) approve(next pfm.Step) url.Values {
	u.Helper()
	address := next.URL
	if next.Kind == pfm.StepWait {
		found := inApp.FindStringSubmatch(next.Message)
		require.NotNil(u, found, next.Message)
		_, address = u.send(http.MethodPost, found[1], url.Values{"code": {found[2]}})
	}
	form := url.Values{"persona": {u.persona}, "decision": {"approve"}, "account[]": {"current", "savings", "card"}}
	for range 5 {
		if strings.HasPrefix(address, ours) {
			back, err := url.Parse(address)
			require.NoError(u, err)
			return back.Query()
		}
		method := http.MethodGet
		if strings.Contains(address, "/authorise/") {
			method = http.MethodPost
		}
		_, address = u.send(method, address, form)
		if next.Kind == pfm.StepWait {
			return nil
		}
	}
	require.Fail(u, "the bank does not send the user back", address)
	return nil
}

// check runs a check to its end.
func check(t *testing.T, o bankcheck.Options) bankcheck.State {
	t.Helper()
	return newUser(t).check(o)
}

// check runs a whole check.
func (u user) check(o bankcheck.Options) bankcheck.State {
	u.Helper()
	t, c := u.T, bankcheck.New(o)
	state := c.Run(t.Context(), bankcheck.State{}, pfm.UserAnswer{})
	for step := 0; !state.Done; step++ {
		require.Less(t, step, 10, "%+v", state.Next)
		answer := pfm.UserAnswer{}
		switch state.Next.Kind {
		case pfm.StepAsk:
			answer.PSUID = "anna"
		case pfm.StepRedirect, pfm.StepWait:
			if step < 4 {
				answer.Callback = u.approve(state.Next)
			}
		}
		stored, err := json.Marshal(state) // it passes through the operator's hands
		require.NoError(t, err)
		state = bankcheck.State{}
		require.NoError(t, json.Unmarshal(stored, &state))
		state = c.Run(t.Context(), state, answer)
	}
	return state
}

func codes(r bankcheck.Report) []string {
	all := []string{}
	for _, f := range r.Findings {
		all = append(all, f.Code)
	}
	return all
}

// sandboxBank starts the sandbox's banks and returns one as a provider.
func sandboxBank(t *testing.T, slug string) pfm.Provider {
	t.Helper()
	server := httptest.NewServer(bank.New(bank.Options{
		Store: sandboxdb.New(testenv.DynamoDB(t), testenv.Table(t, "SandboxTable"), time.Now),
		Now:   time.Now, NewID: uuid.NewString, Log: slog.New(slog.DiscardHandler),
	}))
	t.Cleanup(server.Close)
	p := pfmtest.Provider()
	for _, b := range bank.Catalogue() {
		if b.Slug == slug {
			p.Endpoint = pfm.BankEndpoint{BaseURL: server.URL + "/sandbox/banks/" + slug}
			p.CountryCode, p.MaxFetchInterval, p.MaxConsentDays = b.CountryCode, b.MaxFetchInterval, b.MaxConsentDays
			if at := b.MetadataPath(); at != "" {
				p.Endpoint.SCA = pfm.SCA{ClientID: bank.ClientID, TokenFirst: b.WantsTokenFirst()}
				if b.WantsTokenFirst() {
					p.Endpoint.SCA.MetadataURL = server.URL + at
				}
			}
		}
	}
	return p
}

func TestSandboxBanks(t *testing.T) {
	t.Parallel()
	for _, slug := range []string{"lindenmark", "hansekontor", "larkspur", "erlenbach", "kastanienhof", "norrsken", "tulpenburg"} {
		t.Run(slug, func(t *testing.T) {
			t.Parallel()
			report := check(t, options(t, sandboxBank(t, slug))).Report
			assert.Empty(t, codes(report), report.String())
			assert.Equal(t, bankcheck.Connects, report.Verdict())
			assert.Regexp(t, `CurrentAccount in [A-Z]{3}: \d\d+ rows since \d{4}-`, report.String())
		})
	}
}

// What a check says of each person at a sandbox bank is what a sync makes of the bank.
func TestSandboxPersonas(t *testing.T) {
	t.Parallel()
	for persona, want := range map[string]struct {
		verdict bankcheck.Verdict
		codes   []string
	}{
		"anna": {bankcheck.Connects, nil}, "family": {bankcheck.Connects, nil}, "student": {bankcheck.Connects, nil},
		"freelancer": {bankcheck.Connects, nil}, "newcomer": {bankcheck.Connects, nil},
		"slow":      {bankcheck.CannotConnect, []string{"no-answer"}},
		"failing":   {bankcheck.CannotConnect, []string{"no-answer"}},
		"garbled":   {bankcheck.CannotConnect, []string{"answer-unreadable"}},
		"throttled": {bankcheck.CannotConnect, []string{"rate-limited"}},
		"revoked":   {bankcheck.CannotConnect, []string{"consent-ended"}},
	} {
		t.Run(persona, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			u.persona = persona
			state := u.check(options(t, sandboxBank(t, "lindenmark")))
			assert.Equal(t, want.verdict, state.Report.Verdict(), state.Report.String())
			assert.ElementsMatch(t, want.codes, codes(state.Report))
		})
	}
}

func TestTheLongestHistory(t *testing.T) {
	t.Parallel()
	for asked, want := range map[int]any{730: 365, 365: nil, 100: nil} {
		p := sandboxBank(t, "erlenbach")
		p.MaxFetchInterval = asked
		report := check(t, options(t, p)).Report
		assert.Equal(t, want, report.Snippet()["maxFetchInterval"], report.String())
	}
}
