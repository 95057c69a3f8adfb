package webhook

import (
	"cmp"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/notification"
)

const (
	notPublic  = "its host is not a public address, or does not resolve only to public addresses"
	notDecimal = "its host is not an IPv4 address of four decimal numbers"
	notURL     = "it is not a well-formed URL"
	ambiguity  = "it contains a space, a control character, a backslash or invalid UTF-8"
	badPort    = "its port is not a number from 1 to 65535 without leading zeros"
	closedPort = "its port is not allowed: use 80, 8080 or 8888 for http, and 443, 8443 or 8843 for https"
	noHost     = "it has no host"
	noName     = "its host is not a domain name"
	badScheme  = "its scheme is neither http nor https"
	userInfo   = "it contains user information"
	zone       = "its IPv6 address has a zone"
	localName  = "its host is a name in the local network"
	endsInDot  = "its host ends in a dot"
)

// hostile lists URLs that only the local environment accepts, each with the reason.
var hostile = map[string]string{
	// Loopback and the local network.
	"http://127.0.0.1/":                        notPublic,
	"http://127.0.0.1:8080/":                   notPublic,
	"http://127.255.255.254/":                  notPublic,
	"http://0.0.0.0/":                          notPublic,
	"http://10.0.0.1/":                         notPublic,
	"http://172.16.0.1/":                       notPublic,
	"http://172.31.255.255/":                   notPublic,
	"http://192.168.1.1/":                      notPublic,
	"http://100.64.0.1/":                       notPublic,
	"http://169.254.1.1/":                      notPublic,
	"http://169.254.169.254/latest/meta-data/": notPublic,
	"http://169.254.170.2/v2/credentials":      notPublic,
	"http://192.0.0.192/":                      notPublic,
	"http://192.0.2.1/":                        notPublic,
	"http://198.18.0.1/":                       notPublic,
	"http://198.51.100.1/":                     notPublic,
	"http://203.0.113.1/":                      notPublic,
	"http://224.0.0.1/":                        notPublic,
	"http://240.0.0.1/":                        notPublic,
	"http://255.255.255.255/":                  notPublic,
	"http://[::]/":                             notPublic,
	"http://[::1]/":                            notPublic,
	"http://[0:0:0:0:0:0:0:1]/":                notPublic,
	"http://[fe80::1]/":                        notPublic,
	"http://[fc00::1]/":                        notPublic,
	"http://[fd00:ec2::254]/":                  notPublic,
	"http://[ff02::1]/":                        notPublic,
	"http://[fec0::1]/":                        notPublic,
	"http://[2001:db8::1]/":                    notPublic,
	"http://[100::1]/":                         notPublic,
	// IPv4 in IPv6.
	"http://[::ffff:127.0.0.1]/":       notPublic,
	"http://[::ffff:7f00:1]/":          notPublic,
	"http://[::FFFF:169.254.169.254]/": notPublic,
	"http://[::ffff:8.8.8.8]/":         notPublic,
	"http://[::127.0.0.1]/":            notPublic,
	"http://[::ffff:0:127.0.0.1]/":     notPublic,
	"http://[64:ff9b::127.0.0.1]/":     notPublic,
	"http://[64:ff9b:1::a00:1]/":       notPublic,
	"http://[2002:7f00:1::]/":          notPublic,
	"http://[2002:a9fe:a9fe::1]/":      notPublic,
	"http://[2001:0:7f00:1::1]/":       notPublic,
	"http://[2a00::5efe:127.0.0.1]/":   notPublic,
	// Zones, and brackets around something other than an IPv6 address.
	"http://[fe80::1%25eth0]/":      zone,
	"http://[2606:4700::1%25eth0]/": zone,
	"http://[::1%25]/":              notURL,
	"http://[127.0.0.1]/":           notURL,
	"http://[partner.example]/":     notURL,
	"http://[1:2]/":                 notURL,
	"http://[v1.a]/":                notURL,
	"http://[]/":                    notURL,
	"http://[::1":                   notURL,
	"http://::1/":                   notURL,
	"http://[::1]partner.example/":  notURL,
	// Other spellings of IPv4.
	"http://2130706433/":                   notDecimal,
	"http://0x7f000001/":                   notDecimal,
	"http://0X7F000001/":                   notDecimal,
	"http://017700000001/":                 notDecimal,
	"http://0x7f.1/":                       notDecimal,
	"http://0177.0.0.1/":                   notDecimal,
	"http://127.1/":                        notDecimal,
	"http://127.0.1/":                      notDecimal,
	"http://0/":                            notDecimal,
	"http://0x/":                           notDecimal,
	"http://127.0.0.01/":                   notDecimal,
	"http://127.0.0.0x1/":                  notDecimal,
	"http://127.0.0.1.1/":                  notDecimal,
	"http://256.0.0.1/":                    notDecimal,
	"http://425.510.425.510/":              notDecimal,
	"http://93.184.216.034/":               notDecimal,
	"http://partner.example.7/":            notDecimal,
	"http://127.0.0.1./":                   endsInDot,
	"http://１２７.０.０.１/":                    notDecimal,
	"http://①②⑦.⓪.⓪.①/":                    notDecimal,
	"http://127。0。0。1/":                    notDecimal,
	"http://0ｘ7f.1/":                       notDecimal,
	"http://%31%32%37.0.0.1/":              notURL,
	"http://127.0.0.1%2f/":                 notURL,
	"http://127.0.0.1%00.partner.example/": notURL,
	"http://-1/":                           localName,
	"http://1e3/":                          localName,
	// Names of the local network.
	"http://localhost/":        localName,
	"http://LOCALHOST:8080/":   localName,
	"http://a.localhost/":      localName,
	"http://redis/":            localName,
	"http://ｌｏｃａｌｈｏｓｔ/":        localName,
	"http://localhost./":       endsInDot,
	"http://partner.example./": endsInDot,
	"http://./":                endsInDot,
	// Malformed names.
	"http://.partner.example/":                              noName,
	"http://partner..example/":                              noName,
	"http://a_b.example/":                                   noName,
	"http://*.partner.example/":                             noName,
	"http://a!b.example/":                                   noName,
	"http://a,b.example/":                                   noName,
	"http://xn--a.example/":                                 noName,
	"http://a\u200d.example/":                               noName,
	"http://partner\u2024example\uff0f.com/":                noName,
	"http://a℀.example/":                                    noName,
	"http://" + strings.Repeat("a", 64) + ".example/":       noName,
	"http://" + strings.Repeat("abcdefg.", 32) + "example/": noName,
	// Ambiguous hosts.
	"http://user@partner.example/":         userInfo,
	"http://user:secret@partner.example/":  userInfo,
	"http://@partner.example/":             userInfo,
	"http://:@partner.example/":            userInfo,
	"http://partner.example@127.0.0.1/":    userInfo,
	"http://partner.example%40@127.0.0.1/": userInfo,
	"http://partner.example\\@127.0.0.1/":  ambiguity,
	"http:\\\\partner.example\\":           ambiguity,
	"http://partner.example/\\..":          ambiguity,
	"http://127.0.0.1#@partner.example/":   "it has a fragment",
	"http://partner.example/#":             "it has a fragment",
	"http://partner.example#x":             "it has a fragment",
	" http://partner.example/":             ambiguity,
	"http://partner.example/ ":             ambiguity,
	"http://partner.example/a b":           ambiguity,
	"http://part\tner.example/":            ambiguity,
	"http://partner.example/\r\nHost: x":   ambiguity,
	"http://partner.example\x00/":          ambiguity,
	"http://partner.example/\x7f":          ambiguity,
	"http://partner.example/\u00a0":        ambiguity,
	"http://partner.example/\u2028":        ambiguity,
	"http://partner.example/\xff":          ambiguity,
	// Ports.
	"http://partner.example:443/":                              closedPort,
	"http://partner.example:22/":                               closedPort,
	"http://partner.example:9001/":                             closedPort,
	"http://partner.example:8443/":                             closedPort,
	"https://partner.example:80/":                              closedPort,
	"https://partner.example:8080/":                            closedPort,
	"https://partner.example:6379/":                            closedPort,
	"http://partner.example:0/":                                badPort,
	"http://partner.example:65536/":                            badPort,
	"http://partner.example:080/":                              badPort,
	"http://partner.example:99999999999999999999/":             badPort,
	"http://partner.example:/":                                 "its port is empty",
	"http://partner.example:-80/":                              notURL,
	"http://partner.example:+80/":                              notURL,
	"http://partner.example:http/":                             notURL,
	"http://partner.example:80:80/":                            notURL,
	"http://partner.example:８０/":                               notURL,
	"http://127.0.0.1:9001/2018-06-01/runtime/invocation/next": closedPort,
	// Schemes and shapes.
	"":                                  badScheme,
	"partner.example":                   badScheme,
	"/hook":                             badScheme,
	"//partner.example/":                badScheme,
	"ftp://partner.example/":            badScheme,
	"file:///etc/passwd":                badScheme,
	"gopher://127.0.0.1:6379/_FLUSHALL": badScheme,
	"javascript:alert(1)":               badScheme,
	"unix:///var/run/docker.sock":       badScheme,
	"ws://partner.example/":             badScheme,
	"data:text/plain,x":                 badScheme,
	"ｈｔｔｐ://partner.example/":           notURL,
	"http:partner.example":              noHost,
	"http:/partner.example/":            noHost,
	"http:///hook":                      noHost,
	"http://":                           noHost,
	"http://?x":                         noHost,
	"https://:443/":                     noHost,
	"http://partner.example/%zz":        notURL,
	":":                                 notURL,
	"http://partner.example/" + strings.Repeat("a", 1978): "it is longer than 2000 bytes",
}

func TestCheckRefuses(t *testing.T) {
	for url, why := range hostile {
		t.Run(url, func(t *testing.T) {
			for _, stage := range []config.Stage{config.Test, config.Acceptance, config.Production, ""} {
				if why == closedPort && stage == config.Production && strings.HasPrefix(url, "https:") {
					continue // TestPortsInProduction
				}
				dialer := nowhere()
				c := New(Options{Stage: stage, Now: time.Now, Resolver: leadsTo("93.184.216.34"), Dialer: dialer})

				var refused *notification.AddressError
				require.ErrorAs(t, c.Check(url), &refused)
				assert.Equal(t, why, refused.Reason)

				got := c.Call(t.Context(), callTo(url))
				assert.Equal(t, notification.OutcomeAddressRefused, got.Outcome)
				assert.Equal(t, why, got.Detail)
				assert.Empty(t, dialer.dialled)
			}
		})
	}
}

// The interface limits the ports of https in test environments only.
func TestPortsInProduction(t *testing.T) {
	check := func(stage config.Stage, url string) error {
		return New(Options{Stage: stage, Now: time.Now}).Check(url)
	}
	for _, url := range []string{"https://partner.example:1/", "https://partner.example:9443/", "https://partner.example:65535/"} {
		require.NoError(t, check(config.Production, url))
		require.ErrorContains(t, check(config.Acceptance, url), closedPort)
	}
	require.ErrorContains(t, check(config.Production, "http://partner.example:9080/"), closedPort)
	require.ErrorContains(t, check(config.Production, "https://127.0.0.1:9443/"), "not a public address")
}

func TestCheckAccepts(t *testing.T) {
	long := "https://partner.example/" + strings.Repeat("a", maxURL-len("https://partner.example/"))
	for url, want := range map[string][2]string{
		"http://partner.example":                 {"partner.example:80", "http://partner.example"},
		"http://partner.example:80/":             {"partner.example:80", "http://partner.example/"},
		"HTTPS://Partner.Example:443/Hook?A=b":   {"partner.example:443", "https://partner.example/Hook?A=b"},
		"http://partner.example:8080/":           {"partner.example:8080", "http://partner.example:8080/"},
		"http://partner.example:8888/":           {"partner.example:8888", "http://partner.example:8888/"},
		"https://partner.example:8443/":          {"partner.example:8443", "https://partner.example:8443/"},
		"https://partner.example:8843/":          {"partner.example:8843", "https://partner.example:8843/"},
		"https://bücher.example/":                {"xn--bcher-kva.example:443", "https://xn--bcher-kva.example/"},
		"https://b%C3%BCcher.example/":           {"xn--bcher-kva.example:443", "https://xn--bcher-kva.example/"},
		"https://BÜCHER.example/straße":          {"xn--bcher-kva.example:443", "https://xn--bcher-kva.example/stra%C3%9Fe"},
		"https://ab--cd.example/":                {"ab--cd.example:443", "https://ab--cd.example/"},
		"https://123.example/":                   {"123.example:443", "https://123.example/"},
		"https://0x7f.example/":                  {"0x7f.example:443", "https://0x7f.example/"},
		"https://127.0.0.1.example/":             {"127.0.0.1.example:443", "https://127.0.0.1.example/"},
		"https://partner.example/a%2Fb/../c?d&e": {"partner.example:443", "https://partner.example/a%2Fb/../c?d&e"},
		"https://partner.example/?u=http://10.1": {"partner.example:443", "https://partner.example/?u=http://10.1"},
		"http://93.184.216.34/":                  {"93.184.216.34:80", "http://93.184.216.34/"},
		"http://[2606:4700:4700::1111]:8080/":    {"[2606:4700:4700::1111]:8080", "http://[2606:4700:4700::1111]:8080/"},
		"https://[2606:4700:4700:0:0::1111]/":    {"[2606:4700:4700::1111]:443", "https://[2606:4700:4700::1111]/"},
		"http://partner.example//127.0.0.1/@x:y": {"partner.example:80", "http://partner.example//127.0.0.1/@x:y"},
		long:                                     {"partner.example:443", long},
	} {
		t.Run(url, func(t *testing.T) {
			for _, stage := range []config.Stage{config.Local, config.Test, config.Acceptance, config.Production} {
				assert.NoError(t, New(Options{Stage: stage, Now: time.Now}).Check(url))
			}
			got, err := newGuard(config.Production, nil).parse(url)
			require.NoError(t, err)
			address := net.JoinHostPort(got.Hostname(), cmp.Or(got.Port(), defaultPort(got.Scheme)))
			assert.Equal(t, want, [2]string{address, got.String()})
		})
	}
}

func TestCheckInTheLocalEnvironment(t *testing.T) {
	c := New(Options{
		Stage: config.Local, Now: time.Now, Refuse: []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:9001")},
	})
	for _, url := range []string{
		"http://127.0.0.1:41234/", "https://127.0.0.1:1/", "http://localhost:65535/", "http://[::1]:9002/", "http://receiver:3000/",
		"https://partner.example:12345/", "http://localhost/",
	} {
		assert.NoError(t, c.Check(url), url)
	}
	for url, why := range map[string]string{
		"http://127.0.0.1:9001/": "its address belongs to the service itself", "http://127.0.0.9:9001/": "its address belongs to the service itself",
		"http://[::1]:9001/": "its address belongs to the service itself", "http://10.0.0.1:3000/": notPublic, "http://0.0.0.0:3000/": notPublic,
		"http://169.254.169.254/": notPublic, "http://[::ffff:127.0.0.1]:3000/": notPublic, "http://127.1:3000/": notDecimal,
		"http://u@localhost/": userInfo, "ftp://localhost/": badScheme, "http://localhost:0/": badPort, "http://localhost./": endsInDot,
	} {
		err := c.Check(url)
		assert.ErrorContains(t, err, why, url)
	}
}
