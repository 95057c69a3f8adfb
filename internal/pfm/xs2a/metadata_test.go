package xs2a

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/sandbox/bank"
)

// oauthBank is a bank at /psd2 that links metadata at an address of this server.
type oauthBank struct {
	*httptest.Server
	metadata map[string]any
	link     string
	exchange url.Values
}

func newOAuthBank(t *testing.T, at string, metadata map[string]any) *oauthBank {
	b := &oauthBank{metadata: metadata}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var answer any = b.metadata
		switch r.URL.Path {
		case "/psd2/v1/consents":
			w.WriteHeader(http.StatusCreated)
			answer = map[string]any{"consentId": "c-1", "_links": map[string]string{"scaOAuth": b.link}}
		case "/psd2/v1/consents/c-1":
			answer = map[string]any{"consentStatus": "valid"}
		case "/psd2/token":
			body, err := io.ReadAll(r.Body)
			assert.NoError(t, err)
			b.exchange, err = url.ParseQuery(string(body))
			assert.NoError(t, err)
			answer = map[string]any{"access_token": "token", "token_type": "Bearer"}
		}
		assert.NoError(t, json.NewEncoder(w).Encode(answer))
	}))
	t.Cleanup(b.Close)
	b.link = b.URL + at
	for member, address := range map[string]string{
		"issuer": "/psd2", "authorization_endpoint": "/psd2/authorize", "token_endpoint": "/psd2/token",
	} {
		given, ok := metadata[member].(string)
		if !ok {
			given = address
		}
		if !strings.Contains(given, "//") {
			metadata[member] = b.URL + given
		}
	}
	return b
}

func (b *oauthBank) endpoint() pfm.BankEndpoint {
	return pfm.BankEndpoint{BaseURL: b.URL + "/psd2", SCA: pfm.SCA{ClientID: "us"}}
}

// Metadata counts if its issuer is where it comes from. The addresses are those of real banks.
func TestIssuer(t *testing.T) {
	for name, tt := range map[string]struct {
		at, issuer string
		want       bool
	}{
		"of a host":                              {"/.well-known/oauth-authorization-server", "", true},
		"of a host, with a slash":                {"/.well-known/oauth-authorization-server", "/", true},
		"before its path":                        {"/.well-known/oauth-authorization-server/tenant", "/tenant", true},
		"before its path, with a slash":          {"/.well-known/oauth-authorization-server/tenant", "/tenant/", true},
		"after its path":                         {"/berlin/.well-known/openid-configuration?authorizationId=1", "/berlin", true},
		"without a name":                         {"/berlin/.well-known", "/berlin", true},
		"at an address of its own":               {"/berlin/oauth/metadata", "/berlin", true},
		"of a neighbour":                         {"/.well-known/oauth-authorization-server/a", "/b", false},
		"of a neighbour, after the path":         {"/a/.well-known/oauth-authorization-server", "/b", false},
		"of a neighbour, at an address":          {"/a/metadata", "/b", false},
		"of a neighbour whose name begins alike": {"/ab/metadata", "/a", false},
		"of the whole host instead of a path":    {"/a/.well-known/oauth-authorization-server", "", false},
		"of a path instead of the whole host":    {"/.well-known/oauth-authorization-server", "/a", false},
		"of another host":                        {"/.well-known/oauth-authorization-server", "https://honest.example", false},
		"of another host, without TLS":           {"/.well-known/oauth-authorization-server", "http://www.bank.example", false},
		"with a query":                           {"/.well-known/oauth-authorization-server", "/?a=b", false},
		"with dots":                              {"/a/metadata", "/b/../a", false},
		"with disguised dots":                    {"/a/%2e%2e/b/metadata", "/a", false},
		"that is not an address":                 {"/.well-known/oauth-authorization-server", "//%zz", false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newOAuthBank(t, tt.at, map[string]any{"issuer": tt.issuer})
			p, err := client(sealing(t)).RequestConsent(t.Context(), b.endpoint(), scaRequest())
			if !tt.want {
				requireKind(t, err, pfm.SupplierInvalidResponse)
				return
			}
			require.NoError(t, err)
			assert.Contains(t, p.Next.URL, b.URL+"/psd2/authorize?")
		})
	}

	t.Run("that is missing", func(t *testing.T) {
		for callback, want := range map[string]bool{"code=k": true, "code=k&iss=": false, "code=k&iss=https://honest.example": false} {
			b := newOAuthBank(t, "/psd2/metadata", map[string]any{"authorization_response_iss_parameter_supported": "true"})
			delete(b.metadata, "issuer")
			c := client(sealing(t))
			p := must(c.RequestConsent(t.Context(), b.endpoint(), scaRequest()))
			q := must(url.ParseQuery(callback))
			_, err := c.ContinueConsent(t.Context(), b.endpoint(), scaRequest(), p.Session, pfm.UserAnswer{Callback: q})
			assert.Equal(t, want, err == nil, callback)
			assert.Equal(t, want, b.exchange != nil, callback)
		}
	})
}

// Only an answer of the server that the user was sent to counts (RFC 9207), also a refusal.
func TestAnswerNamesTheServer(t *testing.T) {
	const other = "iss=https://other.example"
	for _, tt := range []struct {
		name, callback string
		advertised     bool
		want           bool
	}{
		{"names it", "code=k&iss=ISSUER", true, true},
		{"names it without having said so", "code=k&iss=ISSUER", false, true},
		{"names none, as announced", "code=k", false, true},
		{"names none, against what was announced", "code=k", true, false},
		{"names another", "code=k&" + other, true, false},
		{"names another without having said so", "code=k&" + other, false, false},
		{"names it with a slash", "code=k&iss=ISSUER/", true, false},
		{"names both", "code=k&iss=ISSUER&" + other, true, false},
		{"has two codes", "code=k&code=l&iss=ISSUER", true, false},
		{"names none of its own refusal", "error=access_denied", true, false},
		{"names another for a refusal", "error=access_denied&" + other, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			metadata := map[string]any{}
			if tt.advertised {
				metadata["authorization_response_iss_parameter_supported"] = true
			}
			b := newOAuthBank(t, "/psd2/.well-known/oauth-authorization-server", metadata)
			c := client(sealing(t))
			p := must(c.RequestConsent(t.Context(), b.endpoint(), scaRequest()))
			callback := must(url.ParseQuery(strings.ReplaceAll(tt.callback, "ISSUER", b.URL+"/psd2")))
			p, err := c.ContinueConsent(t.Context(), b.endpoint(), scaRequest(), p.Session, pfm.UserAnswer{Callback: callback})
			if !tt.want {
				requireKind(t, err, pfm.SupplierRejected)
				assert.Nil(t, b.exchange)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, pfm.ConsentValid, p.Consent.State)
			assert.Equal(t, "k", b.exchange.Get("code"))
		})
	}
}

// What the bank does not have on its own origin, the provider lists.
func TestServersOfTheProvider(t *testing.T) {
	const login, tokens = "https://login.bank.example/psd2/authorize", "https://tokens.bank.example/"
	for name, tt := range map[string]struct {
		metadata map[string]any
		listed   []string
		foreign  []string
	}{
		"has its own origin": {},
		"has others": {
			map[string]any{"authorization_endpoint": login, "token_endpoint": tokens, "revocation_endpoint": tokens}, nil,
			[]string{"https://login.bank.example", "https://tokens.bank.example"},
		},
		"has others, one of them listed": {
			map[string]any{"authorization_endpoint": login, "revocation_endpoint": tokens},
			[]string{"https://login.bank.example"}, []string{"https://tokens.bank.example"},
		},
		"has another path of a listed one": {
			map[string]any{"authorization_endpoint": login}, []string{"https://login.bank.example/berlin"},
			[]string{"https://login.bank.example"},
		},
		"has listed ones": {
			map[string]any{"authorization_endpoint": login, "revocation_endpoint": tokens},
			[]string{"https://login.bank.example/psd2", "https://tokens.bank.example"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.metadata == nil {
				tt.metadata = map[string]any{}
			}
			b := newOAuthBank(t, "/psd2/.well-known/oauth-authorization-server", tt.metadata)
			at := b.endpoint()
			at.AuthorizationServers = tt.listed
			_, err := client(sealing(t)).RequestConsent(t.Context(), at, scaRequest())
			if tt.foreign == nil {
				require.NoError(t, err)
				return
			}
			var foreign *ForeignServer
			require.ErrorAs(t, requireKind(t, err, pfm.SupplierRejected), &foreign)
			assert.Equal(t, tt.foreign, foreign.Origins)
		})
	}

	t.Run("has metadata elsewhere", func(t *testing.T) {
		b, other := newOAuthBank(t, "", map[string]any{}), newOAuthBank(t, "", map[string]any{})
		at := b.endpoint()
		at.SCA.MetadataURL = other.URL + "/psd2/metadata"
		_, err := client(sealing(t)).RequestConsent(t.Context(), at, scaRequest())
		require.NoError(t, err, "the operator has said so")

		elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			assert.Fail(t, "no call goes to a server that is not the provider's")
		}))
		t.Cleanup(elsewhere.Close)
		b = newOAuthBank(t, "", map[string]any{})
		b.link = elsewhere.URL + "/metadata"
		_, err = client(sealing(t)).RequestConsent(t.Context(), b.endpoint(), scaRequest())
		requireKind(t, err, pfm.SupplierRejected)
	})
}

// A token goes to the base URL that it was issued for, even if the provider gets another one.
func TestTokenStaysAtItsBank(t *testing.T) {
	s := newSandbox(t)
	session := s.sessionOf("anna", "erlenbach")
	moved := s.endpoint("erlenbach")
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		assert.Fail(t, "called", "%s %s", r.URL.Path, r.Header.Get("Authorization"))
	}))
	t.Cleanup(other.Close)
	moved.BaseURL = other.URL
	_, err := s.Accounts(t.Context(), moved, session)
	assert.ErrorIs(t, requireKind(t, err, pfm.SupplierConsentInvalid), errOtherBank)
	_, err = s.RenewSession(t.Context(), moved, session)
	assert.ErrorIs(t, requireKind(t, err, pfm.SupplierConsentInvalid), errOtherBank)
	require.Error(t, s.EndConsent(t.Context(), moved, session))
	_ = must(s.Accounts(t.Context(), s.endpoint("erlenbach"), session))
}

// A bank that plays OAuth's mix-up attacks gets neither a code nor a token of another bank. Each
// attack goes as far as the client lets it: the user approves whatever page comes.
func TestMixUp(t *testing.T) {
	attack := func(t *testing.T, s *sandbox, hostile *bank.Hostile) {
		t.Helper()
		at := pfm.BankEndpoint{BaseURL: hostile.BaseURL, SCA: pfm.SCA{ClientID: bank.ClientID}}
		p, err := s.RequestConsent(t.Context(), at, scaRequest())
		if err == nil {
			landed, parseErr := url.Parse(s.approve("anna", p.Next.URL))
			require.NoError(t, parseErr)
			p, err = s.ContinueConsent(t.Context(), at, scaRequest(), p.Session, pfm.UserAnswer{Callback: landed.Query()})
		}
		if err == nil {
			_, _ = s.Accounts(t.Context(), at, p.Session)
		}
		assert.Empty(t, hostile.Stolen())
		requireKind(t, err, pfm.SupplierRejected)
	}
	for _, way := range []bank.MixUp{bank.MixUpServer, bank.MixUpEndpoints, bank.MixUpUser} {
		t.Run(string(way), func(t *testing.T) {
			s := newSandbox(t)
			hostile := &bank.Hostile{Honest: s.base + "/sandbox/banks/erlenbach", Way: way}
			server := httptest.NewServer(hostile)
			t.Cleanup(server.Close)
			hostile.BaseURL = server.URL
			attack(t, s, hostile)
		})
		t.Run(string(way)+" behind a gateway that both share", func(t *testing.T) {
			hostile := &bank.Hostile{Way: way}
			s := newSandbox(t, func(o *Options) {
				o.Claimed = func(_ context.Context, e pfm.BankEndpoint, addresses []*url.URL) (bool, error) {
					all := []pfm.BankEndpoint{{BaseURL: hostile.Honest}, {BaseURL: hostile.BaseURL}}
					return slices.ContainsFunc(addresses, func(to *url.URL) bool { return e.IsClaimed(to, all) }), nil
				}
			})
			banks := must(url.Parse(s.base))
			mux := http.NewServeMux()
			mux.Handle("/", &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(banks)
				r.Out.Host = r.In.Host
			}})
			mux.Handle("/hostile/", hostile)
			gateway := httptest.NewServer(mux)
			t.Cleanup(gateway.Close)
			hostile.BaseURL, hostile.Honest = gateway.URL+"/hostile", gateway.URL+"/sandbox/banks/erlenbach"
			attack(t, s, hostile)
		})
	}
}

// approve follows a user from an address to the bank's page, and returns where approving leads.
func (s *sandbox) approve(persona, address string) string {
	s.t.Helper()
	return s.browse(http.MethodPost, s.browse(http.MethodGet, address, nil), approval(persona))
}
