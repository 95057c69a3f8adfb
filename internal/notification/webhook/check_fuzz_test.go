package webhook

import (
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/notification"
)

// FuzzCheck shows that no URL crashes the process, that only public addresses on
// allowed ports are dialled whatever DNS returns, and that a URL which Check accepts
// parses to the same again.
func FuzzCheck(f *testing.F) {
	for url := range hostile {
		f.Add(url, []byte{127, 0, 0, 1})
	}
	for _, url := range []string{"http://partner.example:8080/x", "https://bücher.example/",
		"https://[2606:4700::1]:8443/", "http://8.8.8.8"} {
		f.Add(url, []byte{93, 184, 216, 34})
		f.Add(url, []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 1})
	}
	f.Fuzz(func(t *testing.T, url string, dns []byte) {
		resolver := leadsTo("93.184.216.34")
		if a, ok := netip.AddrFromSlice(dns); ok {
			resolver.answers[0] = append(resolver.answers[0], a)
		}
		dialer := nowhere()
		c := New(Options{Stage: config.Production, Now: time.Now, Resolver: resolver, Dialer: dialer})

		err := c.Check(url)
		got := c.Call(t.Context(), callTo(url))

		for _, address := range dialer.dialled {
			a, err := netip.ParseAddrPort(address)
			require.NoError(t, err)
			assert.False(t, internal(a.Addr()), address)
			assert.Contains(t, []uint16{80, 8080, 8888, 443, 8443, 8843}, a.Port())
		}
		if err != nil {
			var refused *notification.AddressError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, notification.OutcomeAddressRefused, got.Outcome)
			assert.Empty(t, dialer.dialled)
			return
		}
		once, err := c.guard.parse(url)
		require.NoError(t, err)
		twice, err := c.guard.parse(once.String())
		if err != nil { // escaping made it too long
			require.ErrorContains(t, err, "longer")
			return
		}
		assert.Equal(t, once.String(), twice.String())
	})
}
