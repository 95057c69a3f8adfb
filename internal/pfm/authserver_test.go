package pfm_test

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
)

func TestAuthorizationServers(t *testing.T) {
	at := func(baseURL string, servers ...string) pfm.BankEndpoint {
		return pfm.BankEndpoint{BaseURL: baseURL, AuthorizationServers: servers}
	}
	const a = "https://a.example/xs2a"
	tokenFirst := at(a)
	tokenFirst.SCA.MetadataURL = "https://login.a.example/metadata"
	for name, tt := range map[string]struct {
		address string
		bank    pfm.BankEndpoint
		others  []pfm.BankEndpoint
		has     bool
		claimed bool
	}{
		"below the base URL":             {a + "/oauth", at(a), nil, true, false},
		"beside it":                      {"https://A.example:443/oauth", at(a), nil, true, false},
		"another port":                   {"https://a.example:444/oauth", at(a), nil, false, false},
		"without TLS":                    {"http://a.example/oauth", at(a), nil, false, false},
		"a host below":                   {"https://login.a.example/", at(a), nil, false, false},
		"a host that looks alike":        {"https://%C3%A1.example/", at(a), nil, false, false},
		"listed":                         {"https://login.a.example/x", at(a, "https://login.a.example"), nil, true, false},
		"a listed path":                  {"https://b.example/a/token", at(a, "https://b.example/a"), nil, true, false},
		"a listed path with a slash":     {"https://b.example/a/token", at(a, "https://b.example/a/"), nil, true, false},
		"beside a listed path":           {"https://b.example/ab", at(a, "https://b.example/a"), nil, false, false},
		"out of a listed path, by dots":  {"https://b.example/a/../b", at(a, "https://b.example/a"), nil, false, false},
		"out of it, by escaped dots":     {"https://b.example/a/%2e%2e/b", at(a, "https://b.example/a"), nil, false, false},
		"out of it, by an escaped slash": {"https://b.example/a%2f..%2fb", at(a, "https://b.example/a"), nil, false, false},
		"where the metadata is":          {"https://login.a.example/token", tokenFirst, nil, true, false},
		"no address":                     {"/token", at(a), nil, false, false},

		"another bank's origin":                     {"https://b.example/oauth", at(a, "https://b.example/oauth"), []pfm.BankEndpoint{at("https://b.example/xs2a")}, true, true},
		"what another bank lists":                   {"https://c.example/b", at(a, "https://c.example"), []pfm.BankEndpoint{at("https://b.example", "https://c.example/b")}, true, true},
		"beside what another bank lists":            {"https://c.example/a", at(a, "https://c.example/a"), []pfm.BankEndpoint{at("https://b.example", "https://c.example/b")}, true, false},
		"a neighbour's path":                        {"https://a.example/b/token", at(a), []pfm.BankEndpoint{at(a), at("https://a.example/b")}, true, true},
		"a neighbour's listed path":                 {"https://a.example/idp/b", at(a), []pfm.BankEndpoint{at("https://a.example/b", "https://a.example/idp/b")}, true, true},
		"a server of the gateway":                   {"https://a.example/idp", at(a), []pfm.BankEndpoint{at("https://a.example/b")}, true, false},
		"a server that both list":                   {"https://idp.example/x", at(a, "https://idp.example"), []pfm.BankEndpoint{at("https://a.example/b", "https://idp.example")}, true, false},
		"the own path below a neighbour's":          {a + "/token", at(a), []pfm.BankEndpoint{at("https://a.example")}, true, false},
		"the interface of the same bank, once more": {a + "/token", at(a), []pfm.BankEndpoint{at(a, "https://x.example")}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			to, err := url.Parse(tt.address)
			require.NoError(t, err)
			assert.Equal(t, tt.has, tt.bank.HasServer(to))
			assert.Equal(t, tt.claimed, tt.bank.IsClaimed(to, tt.others))
		})
	}
}
