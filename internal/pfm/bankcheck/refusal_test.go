package bankcheck_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankcheck"
	"aviso/localstack/tests/pfmtest"
)

// at returns a provider whose bank is this handler.
func at(t *testing.T, bank http.HandlerFunc) pfm.Provider {
	t.Helper()
	server := httptest.NewServer(bank)
	t.Cleanup(server.Close)
	p := pfmtest.Provider()
	p.Endpoint = pfm.BankEndpoint{BaseURL: server.URL}
	return p
}

func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func refusal(status int, code, text string) http.HandlerFunc {
	return answer(status, fmt.Sprintf(`{"tppMessages":[{"category":"ERROR","code":%q,"text":%q}]}`, code, text))
}

func TestBanksThatCannotBeConnected(t *testing.T) {
	t.Parallel()
	links := func(kind string) http.HandlerFunc {
		return answer(http.StatusCreated, fmt.Sprintf(`{"consentId":"c1","consentStatus":"received","_links":{%q:{"href":"/v1/x"}}}`, kind))
	}
	for name, c := range map[string]struct {
		bank    http.HandlerFunc
		code    string
		seen    string
		snippet map[string]any
	}{
		"fails":   {answer(http.StatusBadGateway, ""), "no-answer", "request consent: 502", map[string]any{}},
		"is busy": {refusal(http.StatusTooManyRequests, "ACCESS_EXCEEDED", ""), "rate-limited", "request consent: 429 ACCESS_EXCEEDED", map[string]any{}},
		"has no JSON": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, "answer-unreadable",
			"request consent: 200: response is not JSON", map[string]any{}},
		"has statements": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"/>`)
		}, "answer-unreadable", "request consent: 200: response is a camt.052 or camt.053 statement instead of the JSON that was asked for",
			map[string]any{}},
		"wants a password": {links("startAuthorisationWithPsuAuthentication"), "authorisation-unsupported",
			"request consent: 201: bank offers no redirect, no OAuth 2.0 and no decoupled authorisation", map[string]any{}},
		"wants a token first": {answer(http.StatusUnauthorized, ""), "token-wanted", "request consent: 401",
			map[string]any{"endpoint": map[string]any{"sca": map[string]any{
				"tokenFirst": true, "metadataUrl": "(address of the server's metadata)"}}}},
		"wants a seal": {refusal(http.StatusUnauthorized, "SIGNATURE_MISSING", ""), "seal-wanted",
			"request consent: 401 SIGNATURE_MISSING", map[string]any{"endpoint": map[string]any{"sealSecret": "(name of the secret)"}}},
		"wants a certificate": {refusal(http.StatusUnauthorized, "CERTIFICATE_MISSING", ""), "certificate-refused",
			"request consent: 401 CERTIFICATE_MISSING",
			map[string]any{"endpoint": map[string]any{"transportSecret": "(name of the secret)"}}},
		"wants IBANs": {refusal(http.StatusForbidden, "CONSENT_INVALID", ""), "ibans-wanted",
			"request consent: 403 CONSENT_INVALID", map[string]any{"endpoint": map[string]any{"sca": map[string]any{"asksIbans": true}}}},
		"wants a client ID": {links("scaOAuth"), "client-id-missing",
			"read authorization server's metadata: no client ID: neither the provider nor a QWAC has one",
			map[string]any{"endpoint": map[string]any{"sca": map[string]any{"clientId": "(your ID at the bank)"}}}},
		"refuses": {refusal(http.StatusForbidden, "SERVICE_BLOCKED", ""), "refused", "request consent: 403 SERVICE_BLOCKED", map[string]any{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := check(t, options(t, at(t, c.bank))).Report
			blocks := report.Of(bankcheck.Blocks)
			if assert.Len(t, blocks, 1, report.String()) {
				assert.Equal(t, c.code, blocks[0].Code)
				assert.Equal(t, c.seen, blocks[0].Seen)
			}
			assert.Equal(t, bankcheck.CannotConnect, report.Verdict())
			assert.Equal(t, c.snippet, report.Snippet())
			assert.Contains(t, report.String(), "The bank cannot be connected as it is.")
		})
	}

	t.Run("has its authorization server elsewhere", func(t *testing.T) {
		t.Parallel()
		const link = `{"consentId":"c1","_links":{"scaOAuth":{"href":"/.well-known/openid-configuration?authorizationId=1"}}}`
		mux := http.NewServeMux()
		mux.HandleFunc("POST /v1/consents", answer(http.StatusCreated, link))
		p := at(t, mux.ServeHTTP)
		metadata := fmt.Sprintf(`{"issuer":%q,"authorization_endpoint":"https://psd.bank.example/authorize/1",
			"token_endpoint":"https://tokens.bank.example/token"}`, p.Endpoint.BaseURL)
		mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, r *http.Request) {
			answer(http.StatusOK, metadata)(w, r)
		})
		p.Endpoint.SCA.ClientID, p.Endpoint.AuthorizationServers = "us", []string{"https://psd.bank.example"}
		report := check(t, options(t, p)).Report
		assert.Equal(t, []string{"authorization-server-elsewhere"}, codes(report))
		assert.Contains(t, report.String(), "authorization server is at https://tokens.bank.example\n")
		listed := []string{"https://psd.bank.example", "https://tokens.bank.example"}
		assert.Equal(t, map[string]any{"endpoint": map[string]any{"authorizationServers": listed}}, report.Snippet())

		c := bankcheck.New(options(t, p))
		c.Provider.Endpoint.AuthorizationServers = listed
		state := c.Run(t.Context(), bankcheck.State{}, pfm.UserAnswer{})
		assert.Contains(t, state.Next.URL, "https://psd.bank.example/authorize/1?", state.Report.String())

		metadata = `{"issuer":"https://honest.example"}`
		assert.Equal(t, []string{"issuer-elsewhere"}, codes(check(t, options(t, p)).Report))
	})
	t.Run("hangs", func(t *testing.T) {
		t.Parallel()
		end := make(chan struct{})
		p := at(t, func(http.ResponseWriter, *http.Request) { <-end })
		t.Cleanup(func() { close(end) }) // before the server closes
		impatient := options(t, p)
		impatient.Client.Timeouts.Header = time.Second
		report := check(t, impatient).Report
		assert.Equal(t, []string{"no-answer"}, codes(report))
		assert.Contains(t, report.String(), "request consent: context deadline exceeded")
	})
	t.Run("needs a certificate that we do not have", func(t *testing.T) {
		t.Parallel()
		p := at(t, answer(http.StatusOK, "{}"))
		p.Endpoint.TransportSecret = "qwac"
		report := check(t, options(t, p)).Report
		assert.Equal(t, []string{"own-certificate"}, codes(report))
		assert.Contains(t, report.String(), "certificate qwac: no such secret")
	})
	t.Run("gets no approval", func(t *testing.T) {
		t.Parallel()
		c := bankcheck.New(options(t, sandboxBank(t, "lindenmark")))
		state := c.Run(t.Context(), bankcheck.State{}, pfm.UserAnswer{})
		newUser(t).send(http.MethodPost, state.Next.URL, url.Values{"decision": {"refuse"}})
		state = c.Run(t.Context(), state, pfm.UserAnswer{Callback: url.Values{"refused": {"true"}}})
		assert.True(t, state.Done)
		assert.Equal(t, []string{"consent-not-given"}, codes(state.Report))
	})
	t.Run("is not there", func(t *testing.T) {
		t.Parallel()
		p := pfmtest.Provider()
		p.Endpoint = pfm.BankEndpoint{BaseURL: "http://127.0.0.1:1"}
		impatient := options(t, p)
		impatient.Client.Timeouts.Header = time.Second
		report := check(t, impatient).Report
		assert.Equal(t, []string{"no-answer"}, codes(report))
		assert.Contains(t, report.String(), "request consent: no connection")
	})
}

// reading is a bank that gives a consent at once, with these answers to reads.
func reading(t *testing.T, rows func(read int) string, wrap func(http.Handler) http.Handler) pfm.Provider {
	t.Helper()
	reads, mux := 0, http.NewServeMux()
	mux.HandleFunc("POST /v1/consents", answer(http.StatusCreated,
		`{"consentId":"c1","consentStatus":"received","_links":{"scaRedirect":{"href":"http://127.0.0.1:1/callback?done=1"}}}`))
	mux.HandleFunc("GET /v1/consents/c1", answer(http.StatusOK, `{"consentStatus":"valid","frequencyPerDay":1}`))
	mux.HandleFunc("DELETE /v1/consents/c1", refusal(http.StatusForbidden, "SERVICE_BLOCKED", ""))
	mux.HandleFunc("GET /v1/accounts", answer(http.StatusOK, `{"accounts":[{"resourceId":"a","iban":"DE89370400440532013000",
		"currency":"EUR","balances":[{"balanceType":"expected","balanceAmount":{"currency":"EUR","amount":"1.00"}}]}]}`))
	mux.HandleFunc("GET /v1/card-accounts", answer(http.StatusOK, `{"cardAccounts":[{"resourceId":"k","currency":"EUR",
		"maskedPan":"123456xxxxxx1234","balances":[{"balanceType":"expected","balanceAmount":{"currency":"EUR","amount":"1.00"}}]}]}`))
	mux.HandleFunc("GET /v1/accounts/a/transactions", func(w http.ResponseWriter, r *http.Request) {
		reads++
		answer(http.StatusOK, rows(reads))(w, r)
	})
	return at(t, wrap(mux).ServeHTTP)
}

func TestWhatOnlyASecondLookShows(t *testing.T) {
	t.Parallel()
	as := func(h http.Handler) http.Handler { return h }
	day := time.Now().AddDate(0, 0, -3).Format(time.DateOnly)
	row := func(ids string) string {
		return `{"transactions":{"booked":[{` + ids + `"bookingDate":"` + day + `","creditorName":"Shop",
			"remittanceInformationUnstructured":"Bread","transactionAmount":{"currency":"EUR","amount":"-1.00"}}]}}`
	}
	for name, c := range map[string]struct {
		rows   func(read int) string
		stable any
	}{
		"the entry reference stays": {func(read int) string {
			return row(fmt.Sprintf(`"transactionId":"id-%d","entryReference":"ref-1",`, read))
		}, "EntryReference"},
		"no ID stays": {func(read int) string { return row(fmt.Sprintf(`"entryReference":"ref-%d",`, read)) }, "None"},
		"all stay":    {func(int) string { return row(`"transactionId":"id-1",`) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report := check(t, options(t, reading(t, c.rows, as))).Report
			want := []string{"consent-not-ended", "card-accounts-apart"}
			profile := map[string]any{"cardAccounts": true}
			if c.stable != nil {
				want, profile["rowId"] = append(want, "row-id-changes"), c.stable
			}
			assert.ElementsMatch(t, want, codes(report), report.String())
			assert.Equal(t, map[string]any{"profile": profile}, report.Snippet())
			assert.Equal(t, bankcheck.ConnectsWithSettings, report.Verdict())
		})
	}

	t.Run("a bank that is busy after a while", func(t *testing.T) {
		t.Parallel()
		busy := func(h http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/transactions") {
					w.Header().Set("Retry-After", "3600")
					refusal(http.StatusTooManyRequests, "ACCESS_EXCEEDED", "")(w, r)
					return
				}
				h.ServeHTTP(w, r)
			})
		}
		state := check(t, options(t, reading(t, nil, busy)))
		assert.True(t, state.Kept, "it can be used again")
		assert.Contains(t, state.Report.String(), "read transactions: 429 ACCESS_EXCEEDED, to be repeated after 1h0m0s")
	})
}

// consenting is a bank that gives a consent with these members at once.
func consenting(t *testing.T, consent string, accounts, rows http.HandlerFunc) pfm.Provider {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/consents", answer(http.StatusCreated,
		`{"consentId":"c1","consentStatus":"received","_links":{"scaRedirect":{"href":"http://127.0.0.1:1/callback?done=1"}}}`))
	mux.HandleFunc("GET /v1/consents/c1", answer(http.StatusOK, consent))
	mux.HandleFunc("DELETE /v1/consents/c1", answer(http.StatusNoContent, ""))
	mux.HandleFunc("GET /v1/accounts", accounts)
	mux.HandleFunc("GET /v1/accounts/a/transactions", rows)
	return at(t, mux.ServeHTTP)
}

func TestBanksThatGiveLess(t *testing.T) {
	t.Parallel()
	const valid = `{"consentStatus":"valid"}`
	accounts := answer(http.StatusOK, `{"accounts":[{"resourceId":"a","iban":"DE89370400440532013000","currency":"EUR",
		"balances":[{"balanceType":"expected","balanceAmount":{"currency":"EUR","amount":"1.00"}}]}]}`)
	const none = `{"transactions":{"booked":[]}}`
	refusing := func(refused string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(refused, r.URL.Query().Get("bookingStatus")) {
				refusal(http.StatusBadRequest, "PARAMETER_NOT_SUPPORTED", "bookingStatus of DE89370400440532013000")(w, r)
				return
			}
			answer(http.StatusOK, none)(w, r)
		}
	}
	for name, c := range map[string]struct {
		bank    pfm.Provider
		codes   []string
		verdict bankcheck.Verdict
		says    string
	}{
		"another person must sign": {
			consenting(t, `{"consentStatus":"partiallyAuthorised"}`, accounts, refusing("both")),
			[]string{"second-signer-wanted"}, bankcheck.CannotConnect, "Another person must sign at the bank.",
		},
		"rows as camt": {
			consenting(t, valid, accounts, func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprint(w, `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.02"/>`)
			}),
			[]string{"rows-refused", "format-unsupported"}, bankcheck.CannotConnect, "Aviso reads rows as JSON only.",
		},
		"balances alone": {
			consenting(t, `{"consentStatus":"valid","access":{"balances":[{"iban":"DE89370400440532013000"}]}}`, accounts,
				refusing("both")),
			[]string{"rows-not-granted"}, bankcheck.CannotConnect, "the consent covers balances, but no transactions",
		},
		"pending rows apart": {
			consenting(t, valid, accounts, refusing("both")), []string{}, bankcheck.Connects, "Pending rows are listed only apart",
		},
		"no pending rows": {
			consenting(t, valid, accounts, refusing("both pending")), []string{}, bankcheck.Connects, "Pending rows are not listed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state := check(t, options(t, c.bank))
			assert.ElementsMatch(t, c.codes, codes(state.Report), state.Report.String())
			assert.Equal(t, c.verdict, state.Report.Verdict())
			assert.Contains(t, state.Report.String(), c.says)
			assert.NotContains(t, state.Report.String(), "DE89370400440532013000")
			if strings.Contains(name, "pending rows") {
				assert.Equal(t, []string{
					"read transactions: 400: PARAMETER_NOT_SUPPORTED, bookingStatus of DE89370400440532013000",
				}, state.Said)
			}
		})
	}

	for name, c := range map[string]struct {
		wants   func(body string, h http.Header) bool
		given   pfm.UserAnswer
		codes   []string
		setting string
	}{
		"a consent only with the ID that is known": {
			func(_ string, h http.Header) bool { return h.Get("Psu-Id") == "anna" },
			pfm.UserAnswer{PSUID: "anna"}, []string{"psu-id-wanted"}, "asksPsuId",
		},
		"a consent only for accounts that are known": {
			func(body string, _ http.Header) bool { return strings.Contains(body, `"balances":[{"iban"`) },
			pfm.UserAnswer{PSUID: "anna", IBANs: []string{"DE89370400440532013000"}}, []string{"accounts-wanted"}, "asksIbans",
		},
		"no consent, whatever is known": {
			func(string, http.Header) bool { return false },
			pfm.UserAnswer{PSUID: "anna", IBANs: []string{"DE89370400440532013000"}}, []string{"refused"}, "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := at(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if !c.wants(string(body), r.Header) {
					refusal(http.StatusBadRequest, "FORMAT_ERROR", "something is missing")(w, r)
					return
				}
				answer(http.StatusCreated, `{"consentId":"c1","_links":{"scaRedirect":{"href":"https://bank.example/sca"}}}`)(w, r)
			})
			state := bankcheck.New(options(t, p)).Run(t.Context(), bankcheck.State{}, c.given)
			assert.Equal(t, c.codes, codes(state.Report))
			assert.Equal(t, c.setting == "", state.Done)
			if c.setting != "" {
				assert.Equal(t, map[string]any{"endpoint": map[string]any{"sca": map[string]any{c.setting: true}}}, state.Report.Snippet())
			}
		})
	}

	t.Run("a consent only with the user's ID", func(t *testing.T) {
		t.Parallel()
		p := at(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Psu-Id") == "" {
				refusal(http.StatusUnauthorized, "PSU_CREDENTIALS_INVALID", "PSU-ID is missing")(w, r)
				return
			}
			answer(http.StatusCreated, `{"consentId":"c1","_links":{"scaRedirect":{"href":"https://bank.example/sca"}}}`)(w, r)
		})
		c := bankcheck.New(options(t, p))
		state := c.Run(t.Context(), bankcheck.State{}, pfm.UserAnswer{})
		require.Equal(t, pfm.Step{Kind: pfm.StepAsk, AsksPSUID: true}, state.Next)
		state = c.Run(t.Context(), state, pfm.UserAnswer{PSUID: "anna"})
		assert.Equal(t, pfm.StepRedirect, state.Next.Kind)
		assert.Equal(t, []string{"psu-id-wanted"}, codes(state.Report))
		assert.Equal(t, bankcheck.ConnectsWithSettings, state.Report.Verdict())
	})
}
