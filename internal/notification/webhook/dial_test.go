package webhook

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/notification"
)

func TestDial(t *testing.T) {
	production := func(r Resolver, d Dialer) *Client {
		return New(Options{Stage: config.Production, Now: time.Now, Resolver: r, Dialer: d})
	}
	address := listen(t, says(okAnswer))

	t.Run("resolves a fully qualified name once and dials the result", func(t *testing.T) {
		resolver, dialer := leadsTo("93.184.216.34"), to(address)
		got := production(resolver, dialer).Call(t.Context(), callTo("http://Partner.Example:8080/hook"))
		assert.Equal(t, notification.OutcomeAcknowledged, got.Outcome, got.Detail)
		assert.Equal(t, []string{"partner.example."}, resolver.asked)
		assert.Equal(t, []string{"93.184.216.34:8080"}, dialer.dialled)
	})

	t.Run("does not resolve an IP address in the URL", func(t *testing.T) {
		for url, want := range map[string]string{
			"http://93.184.216.34/": "93.184.216.34:80", "http://[2606:4700:4700:0::1111]/": "[2606:4700:4700::1111]:80",
		} {
			resolver, dialer := leadsTo("127.0.0.1"), to(address)
			got := production(resolver, dialer).Call(t.Context(), callTo(url))
			assert.Equal(t, notification.OutcomeAcknowledged, got.Outcome, got.Detail)
			assert.Empty(t, resolver.asked)
			assert.Equal(t, []string{want}, dialer.dialled)
		}
	})

	t.Run("is not misled by a name that changes between lookups", func(t *testing.T) {
		resolver := &names{answers: [][]netip.Addr{
			{netip.MustParseAddr("93.184.216.34")}, {netip.MustParseAddr("127.0.0.1")},
		}}
		dialer := to(address)
		c := production(resolver, dialer)
		require.NoError(t, c.Check("http://rebind.example/"))
		assert.Empty(t, resolver.asked, "Check needs no DNS")

		first := c.Call(t.Context(), callTo("http://rebind.example/"))
		second := c.Call(t.Context(), callTo("http://rebind.example/"))

		assert.Equal(t, notification.OutcomeAcknowledged, first.Outcome, first.Detail)
		assert.Equal(t, notification.OutcomeAddressRefused, second.Outcome)
		assert.Len(t, resolver.asked, 2, "one lookup per call")
		assert.Equal(t, []string{"93.184.216.34:80"}, dialer.dialled)
	})

	t.Run("refuses a name with one bad address in any position", func(t *testing.T) {
		for _, bad := range []string{"127.0.0.1", "::1", "10.1.2.3", "169.254.169.254", "fd00:ec2::254",
			"::ffff:10.0.0.1", "64:ff9b::a00:1", "0.0.0.0"} {
			for _, addrs := range [][]string{
				{bad}, {bad, "93.184.216.34"}, {"93.184.216.34", bad},
				{"93.184.216.34", "93.184.216.35", "93.184.216.36", "93.184.216.37", "93.184.216.38", bad},
			} {
				dialer := nowhere()
				got := production(leadsTo(addrs...), dialer).Call(t.Context(), callTo("http://mixed.example/"))
				assert.Equal(t, notification.OutcomeAddressRefused, got.Outcome, addrs)
				assert.Equal(t, "its host is not a public address, or does not resolve only to public addresses", got.Detail)
				assert.Empty(t, dialer.dialled, addrs)
			}
		}
	})

	t.Run("treats a mapped address from DNS as IPv4", func(t *testing.T) {
		dialer := to(address)
		got := production(leadsTo("::ffff:93.184.216.34"), dialer).Call(t.Context(), callTo("http://partner.example/"))
		assert.Equal(t, notification.OutcomeAcknowledged, got.Outcome, got.Detail)
		assert.Equal(t, []string{"93.184.216.34:80"}, dialer.dialled)
	})

	t.Run("refuses the service's own port for names that resolve to loopback", func(t *testing.T) {
		for _, addr := range []string{"127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"} {
			dialer := nowhere()
			c := New(Options{
				Stage: config.Local, Now: time.Now, Resolver: leadsTo(addr), Dialer: dialer,
				Refuse: []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:9001")},
			})
			got := c.Call(t.Context(), callTo("http://localhost:9001/2018-06-01/runtime/invocation/next"))
			assert.Equal(t, notification.OutcomeAddressRefused, got.Outcome)
			assert.Empty(t, dialer.dialled)
			assert.Equal(t, notification.OutcomeConnectionError, c.Call(t.Context(), callTo("http://localhost:9002/")).Outcome)
			assert.Len(t, dialer.dialled, 1, "other ports are open")
		}
	})

	t.Run("tries the next address, up to four", func(t *testing.T) {
		dialer := &dials{}
		dialer.connect = func(ctx context.Context, a string) (net.Conn, error) {
			if a == "93.184.216.4:80" {
				return (&net.Dialer{}).DialContext(ctx, "tcp", address)
			}
			return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
		}
		addrs := []string{"93.184.216.1", "93.184.216.2", "93.184.216.3", "93.184.216.4"}
		got := production(leadsTo(addrs...), dialer).Call(t.Context(), callTo("http://partner.example/"))
		assert.Equal(t, notification.OutcomeAcknowledged, got.Outcome, got.Detail)
		assert.Len(t, dialer.dialled, 4)

		dialer.dialled = nil
		got = production(leadsTo(append([]string{"93.184.216.5"}, addrs...)...), dialer).Call(
			t.Context(),
			callTo("http://partner.example/"),
		)
		assert.Equal(t, notification.OutcomeConnectionError, got.Outcome)
		assert.Equal(t, "the connection was refused", got.Detail)
		assert.Len(t, dialer.dialled, 4)
	})

	t.Run("leaves time for the other addresses", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			silent := &dials{connect: func(ctx context.Context, a string) (net.Conn, error) {
				if a == "93.184.216.2:80" {
					return nil, syscall.ECONNREFUSED
				}
				<-ctx.Done()
				return nil, ctx.Err()
			}}
			got := production(leadsTo("93.184.216.1", "93.184.216.2"), silent).Call(t.Context(), callTo("http://partner.example/"))
			assert.Equal(t, notification.OutcomeConnectionError, got.Outcome)
			assert.Equal(t, 30*time.Second, got.Took())

			got = production(leadsTo("93.184.216.2", "93.184.216.1"), silent).Call(t.Context(), callTo("http://partner.example/"))
			assert.Equal(t, notification.OutcomeTimeout, got.Outcome)
			assert.Equal(t, time.Minute, got.Took())
		})
	})
}

func TestDNSFailures(t *testing.T) {
	for name, tt := range map[string]struct {
		resolver *names
		detail   string
	}{
		"no such host": {&names{err: &net.DNSError{Err: "no such host", Name: "partner.example", IsNotFound: true}}, "the host has no address in DNS"},
		"no addresses": {&names{answers: [][]netip.Addr{nil}}, "the host has no address in DNS"},
		"server fails": {&names{err: &net.DNSError{Err: "server misbehaving", IsTemporary: true}}, "the DNS lookup of the host failed"},
		"the resolver's own timeout": {
			&names{err: &net.DNSError{Err: "i/o timeout", UnwrapErr: context.DeadlineExceeded, IsTimeout: true}},
			"the DNS lookup of the host failed",
		},
		"any other error": {&names{err: errors.New("partner.example")}, "the DNS lookup of the host failed"},
	} {
		t.Run(name, func(t *testing.T) {
			dialer := nowhere()
			c := New(Options{Stage: config.Test, Now: time.Now, Resolver: tt.resolver, Dialer: dialer})
			got := c.Call(t.Context(), callTo("https://partner.example/"))
			assert.Equal(t, notification.OutcomeDNSError, got.Outcome)
			assert.Equal(t, tt.detail, got.Detail)
			assert.Zero(t, got.HTTPStatus)
			assert.Empty(t, dialer.dialled)
		})
	}
}
