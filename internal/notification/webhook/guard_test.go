package webhook

import (
	"encoding/base64"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"aviso/internal/aws/config"
	"aviso/internal/notification"
)

func keyOf(secret []byte) notification.Key {
	return notification.Key("whsec_" + base64.StdEncoding.EncodeToString(secret))
}

// public24 is a production client for which every name resolves to a public address.
func public24(dialer Dialer) *Client {
	return New(Options{Stage: config.Production, Now: time.Now, Resolver: leadsTo("93.184.216.34"), Dialer: dialer})
}

func TestPublic(t *testing.T) {
	for _, s := range []string{
		"1.0.0.0", "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "93.184.216.34", "100.63.255.255", "100.128.0.0",
		"126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
		"191.255.255.255", "192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
		"198.51.99.255", "203.0.112.255", "203.0.114.0", "223.255.255.255",
		"2001:200::1", "2001:4860:4860::8888", "2001:db7:ffff::1", "2003::1", "2600::1", "2606:4700:4700::1111", "2a00:1450::1",
		"3ffe::1", "3fff:1000::1",
	} {
		assert.True(t, public(netip.MustParseAddr(s)), s)
	}
	for _, s := range []string{
		"0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.0", "100.127.255.255", "127.0.0.1", "127.255.255.255",
		"169.254.0.1", "169.254.169.254", "169.254.170.2", "172.16.0.0", "172.31.255.255", "192.0.0.1", "192.0.0.170", "192.0.2.1",
		"192.88.99.1", "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1",
		"224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::2", "::7f00:1", "::8.8.8.8", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::ffff:0:7f00:1", "64:ff9b::7f00:1",
		"64:ff9b::808:808", "64:ff9b:1::1", "100::1", "100:0:0:1::1", "2001::1", "2001:0:4136:e378::1", "2001:2::1", "2001:10::1",
		"2001:20::1", "2001:1ff::1", "2001:db8::1", "2002::1", "2002:7f00:1::1", "3fff::1", "3fff:fff::1", "4000::1", "5f00::1",
		"fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "ff02::1", "ffff::1",
		"2a00:1450::5efe:7f00:1", "2a00:1450::200:5efe:808:808", "2606:4700::1%1",
	} {
		assert.False(t, public(netip.MustParseAddr(s)), s)
	}
	assert.False(t, public(netip.Addr{}), "not an address")
}

func drawV4(rt *rapid.T) netip.Addr {
	return netip.AddrFrom4([4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(rt, "v4")))
}

// internal reports whether net/netip classifies an address as not public.
func internal(a netip.Addr) bool {
	return !a.IsGlobalUnicast() || a.IsPrivate() || a.IsLoopback() || a.IsMulticast() || a.IsLinkLocalUnicast() ||
		a.IsUnspecified() || a.Is4In6() || a.Zone() != ""
}

func TestPublicAgreesWithNetip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v4 := drawV4(rt)
		v6 := netip.AddrFrom16([16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(rt, "v6")))
		// Random bytes rarely fall into the blocks that matter.
		prefix := rapid.SampledFrom(special).Draw(rt, "block")
		for _, a := range []netip.Addr{v4, v6} {
			if public(a) {
				assert.False(rt, internal(a), a)
			}
			if a.BitLen() == prefix.Addr().BitLen() {
				assert.False(rt, public(into(prefix, a)), "%s in %s", a, prefix)
			}
		}
	})
}

// into moves an address into a block and keeps the remaining bits.
func into(block netip.Prefix, a netip.Addr) netip.Addr {
	b, p := a.AsSlice(), block.Addr().AsSlice()
	for i := range block.Bits() {
		bit := byte(0x80 >> (i % 8))
		b[i/8] = b[i/8]&^bit | p[i/8]&bit
	}
	moved, _ := netip.AddrFromSlice(b)
	return moved
}

func TestIPv4InIPv6IsNeverPublic(t *testing.T) {
	forms := map[string]struct {
		prefix string
		at     int
	}{
		"mapped": {"::ffff:0:0", 12}, "compatible": {"::", 12}, "translated": {"::ffff:0:0:0", 12},
		"NAT64": {"64:ff9b::", 12}, "local NAT64": {"64:ff9b:1::", 12}, "6to4": {"2002::", 2},
		"Teredo server": {"2001::", 4}, "Teredo client": {"2001::", 12},
		"ISATAP": {"2a00:1450::5efe:0:0", 12}, "global ISATAP": {"2a00:1450::200:5efe:0:0", 12},
	}
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				b, v4 := netip.MustParseAddr(form.prefix).As16(), drawV4(rt).As4()
				copy(b[form.at:], v4[:])
				assert.False(rt, public(netip.AddrFrom16(b)))
			})
		})
	}
}

func TestGuard(t *testing.T) {
	at := netip.MustParseAddrPort
	never := []netip.AddrPort{at("127.0.0.1:9001"), at("[::ffff:127.0.0.1]:9002"), at("0.0.0.0:9003"), at("8.8.8.8:443")}
	t.Run("allows loopback in the local environment only", func(t *testing.T) {
		for _, a := range []string{"127.0.0.1:3000", "127.9.9.9:1", "[::1]:65535"} {
			assert.NoError(t, newGuard(config.Local, never).check(at(a)), a)
			for _, stage := range []config.Stage{config.Test, config.Acceptance, config.Production, ""} {
				assert.Error(t, newGuard(stage, never).check(at(a)), "%s in %s", a, stage)
			}
		}
	})
	t.Run("refuses other internal addresses in the local environment too", func(t *testing.T) {
		for _, a := range []string{"10.0.0.1:80", "0.0.0.0:80", "[::]:80", "169.254.169.254:80", "[::ffff:127.0.0.1]:80", "[::1%lo]:80"} {
			assert.Error(t, newGuard(config.Local, nil).check(at(a)), a)
		}
	})
	t.Run("refuses the service's own addresses in every stage", func(t *testing.T) {
		for _, a := range []string{
			"127.0.0.1:9001", "127.0.0.2:9001", "[::1]:9001", "127.0.0.1:9002", "127.0.0.1:9003", "[::1]:9003", "8.8.8.8:443",
		} {
			err := newGuard(config.Local, never).check(at(a))
			var refused *notification.AddressError
			assert.ErrorAs(t, err, &refused, a)
			assert.ErrorContains(t, err, "belongs to the service itself", a)
		}
		assert.NoError(t, newGuard(config.Local, never).check(at("8.8.8.8:80")), "another port")
		assert.NoError(t, newGuard(config.Local, never).check(at("8.8.4.4:9001")), "another host")
	})
}
