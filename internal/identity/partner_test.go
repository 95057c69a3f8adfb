package identity_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/identity"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// partners implements the partner methods of a Store in memory. If err is set, every
// call returns it.
type partners struct {
	identity.PartnerStore
	err  error
	rows map[owner.PartnerID]identity.Partner
}

func (s *partners) Partner(_ context.Context, id owner.PartnerID) (identity.Partner, error) {
	if s.err != nil {
		return identity.Partner{}, s.err
	}
	p, ok := s.rows[id]
	if !ok {
		return identity.Partner{}, outcome.ErrNotFound
	}
	return p, nil
}

func (s *partners) PutPartner(_ context.Context, p identity.Partner) error {
	if s.rows == nil {
		s.rows = map[owner.PartnerID]identity.Partner{}
	}
	s.rows[p.ID] = p
	return s.err
}

func TestReturnURL(t *testing.T) {
	registered := []string{
		"https://partner.example/", "https://app.partner.example/bank/back", "https://partner.example:8443/cb/",
		"http://localhost:8080/", "https://xn--prtner-bua.example/", "https://[2001:db8::1]/", "https://bancio.example/",
		"https://bank.example/",
	}
	for _, tt := range []struct {
		name, target string
		want         bool
	}{
		{"the registered address", "https://app.partner.example/bank/back", true},
		{"a path below it", "https://app.partner.example/bank/back/now", true},
		{"a slash after it", "https://app.partner.example/bank/back/", true},
		{"with a query", "https://app.partner.example/bank/back?order=4711&x=https://evil.example/", true},
		{"anything below a root", "https://partner.example/any/where", true},
		{"a root without its slash", "https://partner.example", true},
		{"the default port spelled out", "https://partner.example:443/back", true},
		{"an empty port", "https://partner.example:/back", true},
		{"an upper-case host", "https://PARTNER.example/back", true},
		{"an upper-case scheme", "HTTPS://partner.example/back", true},
		{"a port that is registered", "https://partner.example:8443/cb/x", true},
		{"http where http is registered", "http://localhost:8080/back", true},
		{"a host in punycode", "https://xn--prtner-bua.example/back", true},
		{"an IPv6 host", "https://[2001:db8::1]/back", true},
		{"a harmless escape", "https://partner.example/r%C3%BCck", true},

		{"another host", "https://evil.example/", false},
		{"a host that begins alike", "https://partner.example.evil.example/", false},
		{"a host that ends alike", "https://evilpartner.example/", false},
		{"a host below", "https://sub.partner.example/", false},
		{"a host with a dot at its end", "https://partner.example./", false},
		{"another scheme", "http://partner.example/", false},
		{"https where http is registered", "https://localhost:8080/", false},
		{"another port", "https://partner.example:444/", false},
		{"the default port of the other scheme", "https://partner.example:80/", false},
		{"no port where one is registered", "http://localhost/", false},
		{"a port with a zero before it", "http://localhost:08080/", false},
		{"a path that begins alike", "https://app.partner.example/bank/backdoor", false},
		{"a path above", "https://app.partner.example/bank", false},
		{"a path in other case", "https://app.partner.example/Bank/Back", false},
		{"user information", "https://partner.example@evil.example/", false},
		{"user information before the host", "https://user@partner.example/", false},
		{"user information with a password", "https://user:word@partner.example/", false},
		{"empty user information", "https://@partner.example/", false},
		{"a backslash before the host's end", `https://partner.example\@evil.example/`, false},
		{"backslashes for slashes", `https:\\partner.example\`, false},
		{"a backslash in the path", `https://partner.example/\evil.example`, false},
		{"a disguised backslash", "https://partner.example/%5Cevil.example", false},
		{"doubled slashes", "https://partner.example//evil.example", false},
		{"doubled slashes at the end", "https://app.partner.example/bank/back//", false},
		{"no scheme", "//partner.example/", false},
		{"dots that lead out", "https://app.partner.example/bank/back/../../admin", false},
		{"a single dot", "https://app.partner.example/bank/back/./x", false},
		{"disguised dots", "https://app.partner.example/bank/back/%2e%2e/admin", false},
		{"half disguised dots", "https://app.partner.example/bank/back/.%2E/admin", false},
		{"disguised slashes", "https://app.partner.example/bank/back%2f..%2fadmin", false},
		{"a fragment", "https://partner.example/#token", false},
		{"javascript", "javascript:alert(1)//https://partner.example/", false},
		{"data", "data:text/html,https://partner.example/", false},
		{"an app's own scheme", "partner://partner.example/", false},
		{"an opaque URL", "https:partner.example/", false},
		{"a host as typed by people", "https://pärtner.example/", false},
		{"a host whose escaped letter has a dot", "https://banc%C4%B0o.example/cb", false},
		{"a host with an escaped sign for kelvin", "https://ban%E2%84%AA.example/cb", false},
		{"a host with an escaped wide dot", "https://partner%EF%BC%8Eexample/", false},
		{"a host with an escaped soft hyphen", "https://part%C2%ADner.example/", false},
		{"a line end", "https://partner.example/\r\nSet-Cookie: a=b", false},
		{"a tab within", "https://partner.exa\tmple/", false},
		{"a NUL", "https://partner.example/\x00", false},
		{"a space before", " https://partner.example/", false},
		{"a space within", "https://partner.example/a b", false},
		{"a broken escape", "https://partner.example/%zz", false},
		{"another IPv6 host", "https://[::1]/", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := &partners{}
			service := identity.NewPartners(store)
			require.NoError(t, store.PutPartner(t.Context(), identity.Partner{ID: "sandbox", ReturnURLs: registered}))
			got, err := service.ReturnURL(t.Context(), "sandbox", tt.target)
			require.NoError(t, err)
			if !tt.want {
				tt.target = ""
			}
			assert.Equal(t, tt.target, got.To)
		})
	}

	t.Run("an unknown partner has none", func(t *testing.T) {
		got, err := identity.NewPartners(&partners{}).ReturnURL(t.Context(), "nobody", "https://partner.example/")
		require.NoError(t, err)
		assert.Empty(t, got)
	})

	t.Run("without one, the first that is registered", func(t *testing.T) {
		store := &partners{}
		service := identity.NewPartners(store)
		require.NoError(t, store.PutPartner(t.Context(), identity.Partner{ID: "sandbox", ReturnURLs: registered}))
		require.NoError(t, store.PutPartner(t.Context(), identity.Partner{ID: "none"}))
		got, err := service.ReturnURL(t.Context(), "sandbox", "")
		require.NoError(t, err)
		assert.Equal(t, registered[0], got.To)
		got, err = service.ReturnURL(t.Context(), "none", "")
		require.NoError(t, err)
		assert.Empty(t, got)
	})

	t.Run("a failing store is an error, not a refusal", func(t *testing.T) {
		down := errors.New("down")
		_, err := identity.NewPartners(&partners{err: down}).ReturnURL(t.Context(), "sandbox", "https://partner.example/")
		assert.ErrorIs(t, err, down)
	})
}
