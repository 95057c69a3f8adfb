package xs2a

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/sandbox/bank"
)

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
			banks, err := url.Parse(s.base)
			require.NoError(t, err)
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
