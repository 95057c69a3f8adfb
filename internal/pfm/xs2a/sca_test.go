package xs2a

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
	"aviso/internal/secret/keyring"
)

// sealing lets the client keep secrets.
func sealing(t *testing.T) func(*Options) {
	sealer := must(keyring.Root{Current: strings.Repeat("k", 32)}.Sealer("bank"))
	return func(o *Options) { o.Sealer = sealer }
}

// browse follows redirects between banks, and returns the last address.
func (s *sandbox) browse(method, address string, form url.Values) string {
	s.t.Helper()
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for strings.HasPrefix(address, "http://127.0.0.1:") {
		req := must(http.NewRequestWithContext(s.t.Context(), method, address, strings.NewReader(form.Encode())))
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		resp := must(browser.Do(req)) //nolint:bodyclose // closed below
		require.NoError(s.t, resp.Body.Close())
		if resp.StatusCode == http.StatusOK {
			return address
		}
		require.Equal(s.t, http.StatusSeeOther, resp.StatusCode, "%s %s", method, address)
		next := must(resp.Location())
		method, address = http.MethodGet, next.String()
	}
	return address
}

// request returns a request for a consent, with which the user can go to the bank.
func scaRequest() pfm.ConsentRequest {
	req := consentRequest()
	req.CallbackURL, req.State = "http://localhost:3000/connect/back", "s"
	return req
}

// approval is the form with which a persona approves.
func approval(persona string) url.Values {
	return url.Values{
		"persona": {persona}, "customer": {"1"}, "decision": {"approve"},
		"account[]": {"current", "savings", "card", "joint", "dollars"},
	}
}

// step does what the user is asked for, and continues.
func (s *sandbox) step(slug, persona string, p pfm.ConsentProgress) pfm.ConsentProgress {
	s.t.Helper()
	var answer pfm.UserAnswer
	switch p.Next.Kind {
	case pfm.StepAsk:
		answer.PSUID = persona
	case pfm.StepRedirect:
		landed := must(url.Parse(s.approve(persona, p.Next.URL)))
		answer.Callback = landed.Query()
	case pfm.StepWait:
		found := regexp.MustCompile(`at (\S+) and confirm the request (\S+)\.`).FindStringSubmatch(p.Next.Message)
		require.NotNil(s.t, found, p.Next.Message)
		page := s.browse(http.MethodPost, found[1], url.Values{"code": {found[2]}})
		s.browse(http.MethodPost, page, approval(persona))
	}
	next := must(s.ContinueConsent(s.ctx(), s.endpoint(slug), scaRequest(), p.Session, answer))
	return next
}

// sessionOf returns a session with a valid consent, whatever the bank's approach is.
func (s *sandbox) sessionOf(persona, slug string) pfm.Session {
	s.t.Helper()
	p := must(s.RequestConsent(s.ctx(), s.endpoint(slug), scaRequest()))
	for p.Next.Kind != "" {
		p = s.step(slug, persona, p)
	}
	require.Equal(s.t, pfm.ConsentValid, p.Consent.State)
	return p.Session
}

func TestSCAApproaches(t *testing.T) {
	for slug, want := range map[string][]pfm.StepKind{
		"lindenmark":   {pfm.StepRedirect},
		"erlenbach":    {pfm.StepRedirect},
		"kastanienhof": {pfm.StepRedirect, pfm.StepRedirect},
		"norrsken":     {pfm.StepAsk, pfm.StepWait},
		"tulpenburg":   {pfm.StepAsk, pfm.StepRedirect},
	} {
		t.Run(slug, func(t *testing.T) {
			s := newSandbox(t)
			p := must(s.RequestConsent(t.Context(), s.endpoint(slug), scaRequest()))
			var steps []pfm.StepKind
			for p.Next.Kind != "" {
				steps = append(steps, p.Next.Kind)
				p = s.step(slug, "anna", p)
			}
			assert.Equal(t, want, steps)
		})
	}
}

func TestOAuth(t *testing.T) {
	const slug = "erlenbach"
	at := func(now *time.Time) func(*Options) {
		return func(o *Options) { o.Now = func() time.Time { return *now } }
	}

	t.Run("reads nothing without the token", func(t *testing.T) {
		s := newSandbox(t)
		session := s.sessionOf("anna", slug)
		_, err := s.Accounts(t.Context(), s.endpoint(slug), pfm.Session{ConsentID: session.ConsentID})
		requireKind(t, err, pfm.SupplierRejected)
		stolen := session
		stolen.ConnectionID = "connection-2"
		_, err = s.Accounts(t.Context(), s.endpoint(slug), stolen)
		requireKind(t, err, pfm.SupplierConsentInvalid)
		assert.NotContains(t, session.Secret, "eyJ")
	})

	t.Run("renews a token that ends soon, once", func(t *testing.T) {
		now := testNow
		s := newSandbox(t, at(&now))
		session := s.sessionOf("anna", slug)
		same := must(s.RenewSession(t.Context(), s.endpoint(slug), session))
		assert.Equal(t, session, same)
		now = now.Add(6 * time.Minute)
		renewed := must(s.RenewSession(t.Context(), s.endpoint(slug), session))
		assert.NotEqual(t, session.Secret, renewed.Secret)
		_ = must(s.Accounts(t.Context(), s.endpoint(slug), renewed))

		// As if we had crashed before storing the renewed one.
		_, err := s.RenewSession(t.Context(), s.endpoint(slug), session)
		assert.Equal(t, invalidGrant, requireKind(t, err, pfm.SupplierConsentInvalid).BankCode)
		_, err = s.Accounts(t.Context(), s.endpoint(slug), renewed)
		requireKind(t, err, pfm.SupplierConsentInvalid)
	})

	t.Run("uses a code once, and only with its verifier", func(t *testing.T) {
		s := newSandbox(t)
		p := must(s.RequestConsent(t.Context(), s.endpoint(slug), scaRequest()))
		other := must(s.RequestConsent(t.Context(), s.endpoint(slug), scaRequest()))
		landed := must(url.Parse(s.approve("anna", p.Next.URL)))
		answer := pfm.UserAnswer{Callback: landed.Query()}
		_, err := s.ContinueConsent(t.Context(), s.endpoint(slug), scaRequest(), other.Session, answer)
		requireKind(t, err, pfm.SupplierRejected)
		_, err = s.ContinueConsent(t.Context(), s.endpoint(slug), scaRequest(), p.Session, answer)
		requireKind(t, err, pfm.SupplierRejected)
	})

	t.Run("tells a refusal from an approval", func(t *testing.T) {
		s := newSandbox(t)
		p := must(s.RequestConsent(t.Context(), s.endpoint(slug), scaRequest()))
		for query, want := range map[string]pfm.ConsentState{
			"error=access_denied": pfm.ConsentRejected, "error=server_error": "", "": "",
		} {
			callback := must(url.ParseQuery(query))
			callback.Set("iss", s.endpoint(slug).BaseURL)
			answer := pfm.UserAnswer{Callback: callback}
			got := must(s.ContinueConsent(t.Context(), s.endpoint(slug), scaRequest(), p.Session, answer))
			assert.Equal(t, want, got.Consent.State, query)
			assert.Empty(t, got.Next)
		}
	})

	t.Run("revokes the tokens with the consent", func(t *testing.T) {
		var calls []string
		now := testNow
		s := newSandbox(t, at(&now), observing(&calls))
		session := s.sessionOf("anna", slug)
		now = now.Add(20 * time.Minute) // the token has expired meanwhile
		require.NoError(t, s.EndConsent(t.Context(), s.endpoint(slug), session))
		assert.Equal(t, []string{"renew token", "end consent", "revoke token", "revoke token"}, calls[len(calls)-4:])
	})

	t.Run("takes our ID from the QWAC", func(t *testing.T) {
		_, err := client().clientID(t.Context(), pfm.BankEndpoint{})
		assert.ErrorIs(t, err, errNoClientID)
	})
}

func TestDecoupled(t *testing.T) {
	const slug = "norrsken"
	t.Run("asks again for an ID that the bank does not know", func(t *testing.T) {
		s := newSandbox(t)
		p := must(s.RequestConsent(t.Context(), s.endpoint(slug), scaRequest()))
		assert.Equal(t, pfm.Step{Kind: pfm.StepAsk, AsksPSUID: true}, p.Next)
		p, err := s.ContinueConsent(t.Context(), s.endpoint(slug), scaRequest(), p.Session, pfm.UserAnswer{PSUID: "nobody"})
		require.NoError(t, err)
		assert.Equal(t, pfm.Step{Kind: pfm.StepAsk, AsksPSUID: true, Refused: true}, p.Next)
		p = s.step(slug, "anna", p)
		assert.Equal(t, pfm.StepWait, p.Next.Kind)
		again := must(s.ContinueConsent(t.Context(), s.endpoint(slug), scaRequest(), p.Session, pfm.UserAnswer{}))
		assert.Equal(t, p.Next, again.Next, "still waiting")
	})

	t.Run("says that the user has refused", func(t *testing.T) {
		s := newSandbox(t)
		p := must(s.RequestConsent(t.Context(), s.endpoint(slug), scaRequest()))
		p = s.step(slug, "anna", p)
		found := regexp.MustCompile(`at (\S+) and confirm the request (\S+)\.`).FindStringSubmatch(p.Next.Message)
		page := s.browse(http.MethodPost, found[1], url.Values{"code": {found[2]}})
		s.browse(http.MethodPost, page, url.Values{"decision": {"refuse"}})
		p = must(s.ContinueConsent(t.Context(), s.endpoint(slug), scaRequest(), p.Session, pfm.UserAnswer{}))
		assert.Equal(t, pfm.ConsentRejected, p.Consent.State)
	})
}

func TestSCAOfOtherBanks(t *testing.T) {
	const wait = `{"scaStatus":"started","psuMessage":"Öffnen Sie die App\u202e\u0000","_links":{"scaStatus":{"href":"/v1/status"}}}`
	start := func(kind string) string {
		return `{"consentId":"c-1","_links":{"` + kind + `":{"href":"/v1/consents/c-1/authorisations"}}}`
	}
	begin := func(t *testing.T, p *peer) (pfm.ConsentProgress, error) {
		return client(sealing(t)).RequestConsent(t.Context(), p.bank, scaRequest())
	}
	goOn := func(t *testing.T, p *peer, s pfm.Session, a pfm.UserAnswer) (pfm.ConsentProgress, error) {
		return client(sealing(t)).ContinueConsent(t.Context(), p.bank, scaRequest(), s, a)
	}

	t.Run("decoupled from the start, with failures", func(t *testing.T) {
		for status, want := range map[string]pfm.ConsentState{"finalised": pfm.ConsentValid, "exempted": pfm.ConsentValid, "failed": ""} {
			p := newPeer(t).on("POST /v1/consents", http.StatusCreated, `{"consentId":"c-1",`+wait[1:])
			got := must(begin(t, p))
			assert.Equal(t, pfm.Step{Kind: pfm.StepWait, Message: "Öffnen Sie die App"}, got.Next)
			p.on("GET /v1/status", 200, `{"scaStatus":"`+status+`"}`)
			consent := map[bool]string{true: "received", false: "valid"}[status == "failed"]
			p.on("GET /v1/consents/c-1", 200, `{"consentStatus":"`+consent+`","validUntil":"2026-08-29"}`)
			got = must(goOn(t, p, got.Session, pfm.UserAnswer{}))
			assert.Equal(t, want, got.Consent.State, status)
		}
	})

	t.Run("the ID by PUT", func(t *testing.T) {
		p := newPeer(t).on("POST /v1/consents", http.StatusCreated, start("startAuthorisation"))
		p.on("POST /v1/consents/c-1/authorisations", http.StatusCreated,
			`{"_links":{"updatePsuIdentification":{"href":"/v1/consents/c-1/authorisations/a"}}}`)
		got := must(begin(t, p))
		p.on("PUT /v1/consents/c-1/authorisations/a", 200, `{"_links":{"scaRedirect":{"href":"https://b.example/sca"}}}`)
		got = must(goOn(t, p, got.Session, pfm.UserAnswer{PSUID: "anna\r\nX: y"}))
		assert.Equal(t, "https://b.example/sca", got.Next.URL)
		assert.Equal(t, "anna  X: y", p.calls[2].header.Get("PSU-ID"))
	})

	t.Run("the ID with the consent, and named accounts", func(t *testing.T) {
		p := newPeer(t)
		p.bank.SCA = pfm.SCA{AsksPSUID: true, AsksIBANs: true}
		got := must(begin(t, p))
		assert.Equal(t, pfm.Step{Kind: pfm.StepAsk, AsksPSUID: true, AsksIBANs: true}, got.Next)
		answer := pfm.UserAnswer{PSUID: "anna", IBANs: []string{"DE89370400440532013000"}}
		p.on("POST /v1/consents", 401, tppMessage("PSU_CREDENTIALS_INVALID"))
		got = must(goOn(t, p, got.Session, answer))
		assert.True(t, got.Next.Refused)
		p.on("POST /v1/consents", http.StatusCreated, createdBody)
		got = must(goOn(t, p, got.Session, answer))
		assert.Equal(t, pfm.StepRedirect, got.Next.Kind)
		assert.Equal(t, "anna", p.calls[1].header.Get("PSU-ID"))
		assert.Contains(t, p.calls[1].body, `"balances":[{"iban":"DE89370400440532013000"}]`)
	})

	t.Run("the ID that the bank wants with the consent without saying so", func(t *testing.T) {
		p := newPeer(t).on("POST /v1/consents", 401, tppMessage("PSU_CREDENTIALS_INVALID"))
		got := must(begin(t, p))
		assert.Equal(t, pfm.Step{Kind: pfm.StepAsk, AsksPSUID: true}, got.Next)
	})

	t.Run("the code of the return is sent to the bank", func(t *testing.T) {
		for _, status := range []int{200, 400} { // the state counts, also if the code was accepted before
			p := newPeer(t).on("POST /v1/consents", http.StatusCreated, `{"consentId":"c-1","_links":{
				"scaRedirect":{"href":"https://b.example/sca"},
				"confirmation":{"href":"http://internal:8080/v1/consents/c-1/authorisations/a"}}}`)
			got := must(begin(t, p))
			assert.Equal(t, "https://b.example/sca", got.Next.URL)
			p.on("PUT /v1/consents/c-1/authorisations/a", status, `{"scaStatus":"finalised"}`)
			p.on("GET /v1/consents/c-1", 200, `{"consentStatus":"valid"}`)
			got = must(goOn(t, p, got.Session, pfm.UserAnswer{Callback: url.Values{"confirmationCode": {"2256ffgh"}}}))
			assert.Equal(t, pfm.ConsentValid, got.Consent.State)
			assert.JSONEq(t, `{"confirmationCode":"2256ffgh"}`, p.calls[1].body)
		}
	})

	t.Run("the token is sent to the bank", func(t *testing.T) {
		p := newPeer(t).on("POST /v1/consents", http.StatusCreated, `{"consentId":"c-1","_links":{
			"scaOAuth":{"href":"/v1/metadata"},"confirmation":{"href":"/v1/consents/c-1/authorisations/a"}}}`)
		p.bank.SCA.ClientID = "us"
		p.on("GET /v1/metadata", 200, `{"authorization_endpoint":"/authorize","token_endpoint":"/psd2/oauth/token"}`)
		got := must(begin(t, p))
		p.on("POST /oauth/token", 200, `{"access_token":"token","token_type":"Bearer"}`)
		p.on("PUT /v1/consents/c-1/authorisations/a", 200, `{"scaStatus":"finalised"}`)
		p.on("GET /v1/consents/c-1", 200, `{"consentStatus":"valid"}`)
		got = must(goOn(t, p, got.Session, pfm.UserAnswer{Callback: url.Values{"code": {"k"}}}))
		assert.Equal(t, pfm.ConsentValid, got.Consent.State)
		confirmation := p.calls[len(p.calls)-2]
		assert.JSONEq(t, `{}`, confirmation.body)
		assert.Equal(t, "Bearer token", confirmation.header.Get("Authorization"))
	})

	t.Run("another person must sign in the bank's app, too", func(t *testing.T) {
		p := newPeer(t).on("POST /v1/consents", http.StatusCreated,
			`{"consentId":"c-1","_links":{"scaStatus":{"href":"/v1/consents/c-1/authorisations/a"}}}`)
		got := must(begin(t, p))
		p.on("GET /v1/consents/c-1/authorisations/a", 200, `{"scaStatus":"finalised"}`)
		p.on("GET /v1/consents/c-1", 200, `{"consentStatus":"partiallyAuthorised"}`)
		got = must(goOn(t, p, got.Session, pfm.UserAnswer{}))
		assert.Equal(t, pfm.Step{Kind: pfm.StepWait, OtherMustSign: true}, got.Next)
	})

	t.Run("never a password", func(t *testing.T) {
		for _, kind := range []string{
			"startAuthorisationWithPsuAuthentication", "startAuthorisationWithEncryptedPsuAuthentication",
			"updatePsuAuthentication", "selectAuthenticationMethod", "startAuthorisationWithTransactionAuthorisation",
		} {
			p := newPeer(t).on("POST /v1/consents", http.StatusCreated,
				strings.Replace(start(kind), "{", `{"psuMessage":"x",`, 1)).deletes("c-1")
			_, err := begin(t, p)
			assert.ErrorIs(t, requireKind(t, err, pfm.SupplierRejected), errEmbedded, kind)
		}
	})

	t.Run("a start that leads to a start for ever", func(t *testing.T) {
		p := newPeer(t).on("POST /v1/consents", http.StatusCreated, start("startAuthorisation")).deletes("c-1")
		for range maxSteps {
			p.on("POST /v1/consents/c-1/authorisations", http.StatusCreated, start("startAuthorisation"))
		}
		_, err := begin(t, p)
		requireKind(t, err, pfm.SupplierInvalidResponse)
	})

	t.Run("an authorization server without PKCE, or with bad addresses", func(t *testing.T) {
		for _, body := range []string{
			`{"authorization_endpoint":"https://a.example/a","token_endpoint":"https://a.example/t",
				"code_challenge_methods_supported":["plain"]}`,
			`{"authorization_endpoint":"javascript:x","token_endpoint":"https://a.example/t"}`,
			`{"authorization_endpoint":"https://a.example/a"}`, `[]`,
		} {
			p := newPeer(t)
			p.bank.SCA.ClientID = "us"
			p.on("POST /v1/consents", http.StatusCreated, `{"consentId":"c-1","_links":{"scaOAuth":{"href":"/v1/metadata"}}}`).deletes("c-1")
			p.on("GET /v1/metadata", 200, strings.Replace(body, "{", `{"issuer":"`+p.bank.BaseURL+`",`, 1))
			_, err := begin(t, p)
			assert.NotErrorIs(t, requireKind(t, err, pfm.SupplierInvalidResponse), errIssuer)
		}
	})
}

// A token that comes before the consent must not be lost: the code that it was got for is used.
func TestTokenBeforeTheConsent(t *testing.T) {
	begin := func(t *testing.T) (*peer, *Client, pfm.Session) {
		p := newPeer(t)
		p.bank.SCA = pfm.SCA{ClientID: "us", TokenFirst: true, MetadataURL: p.origin + "/psd2/oauth/metadata"}
		p.on("GET /oauth/metadata", 200,
			`{"issuer":"`+p.bank.BaseURL+`","authorization_endpoint":"authorize","token_endpoint":"/psd2/oauth/token",
				"revocation_endpoint":"revoke"}`)
		c := client(sealing(t))
		got := must(c.RequestConsent(t.Context(), p.bank, scaRequest()))
		assert.Contains(t, got.Next.URL, p.origin+"/psd2/oauth/authorize?", "the addresses have no host")
		p.on("POST /oauth/token", 200, `{"access_token":"token","token_type":"Bearer"}`)
		p.on("POST /v1/consents", http.StatusServiceUnavailable, `{}`)
		answer := pfm.UserAnswer{Callback: url.Values{"code": {"k"}}}
		got = must(c.ContinueConsent(t.Context(), p.bank, scaRequest(), got.Session, answer))
		require.Equal(t, pfm.Step{Kind: pfm.StepWait}, got.Next)
		return p, c, got.Session
	}

	t.Run("is kept if the bank does not answer", func(t *testing.T) {
		p, c, session := begin(t)
		p.on("POST /v1/consents", http.StatusCreated, createdBody)
		got := must(c.ContinueConsent(t.Context(), p.bank, scaRequest(), session, pfm.UserAnswer{}))
		assert.Equal(t, pfm.StepRedirect, got.Next.Kind)
		assert.Equal(t, "Bearer token", p.calls[len(p.calls)-1].header.Get("Authorization"))
	})

	t.Run("is revoked if there is no consent in the end", func(t *testing.T) {
		p, c, session := begin(t)
		p.on("POST /oauth/revoke", 200, `{}`)
		require.NoError(t, c.EndConsent(t.Context(), p.bank, session))
	})
}

// observing records the operations of the calls.
func observing(calls *[]string) func(*Options) {
	return func(o *Options) {
		o.Observe = func(_ context.Context, call bankwire.Call) { *calls = append(*calls, call.Operation) }
	}
}
