package xs2a

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/bankwire"
)

// banking is a client with its own vault and clock.
type banking struct {
	*Client
	vault *vault

	mu   sync.Mutex
	now  time.Time
	told []time.Duration
}

func newBanking() *banking {
	b := &banking{vault: &vault{}, now: testNow}
	b.Client = client(func(o *Options) {
		o.Secrets, o.Now = b.vault, b.clock
		o.Expiring = func(_ context.Context, _ string, left time.Duration) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.told = append(b.told, left)
		}
	})
	return b
}

func (b *banking) clock() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

func (b *banking) advance(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = b.now.Add(d)
}

func (b *banking) read(t *testing.T, bank pfm.BankEndpoint) error {
	t.Helper()
	_, err := b.Consent(t.Context(), bank, pfm.Session{ConsentID: "c"})
	return err
}

const oneYear = 365 * 24 * time.Hour

func TestTransportCertificate(t *testing.T) {
	t.Parallel()
	for name, version := range map[string]uint16{"TLS 1.2": tls.VersionTLS12, "TLS 1.3": tls.VersionTLS13} {
		t.Run("is sent to the bank over "+name, func(t *testing.T) {
			t.Parallel()
			good := newAuthority(t, "Good")
			bank, b := newTLSBank(t, good, version), newBanking()
			b.vault.put("qwac", good.issue(7, ellipticKey(t), testNow.Add(oneYear), bank.roots...).text)
			require.NoError(t, b.read(t, bank.endpoint("qwac")))
			require.NoError(t, b.read(t, bank.endpoint("qwac")))
			require.Len(t, bank.seen(), 2)
			assert.Equal(t, "7", bank.seen()[0].serial)
			assert.Equal(t, bank.seen()[0], bank.seen()[1], "the connection is reused")
			assert.Equal(t, 1, b.vault.count())
		})

		t.Run("from another authority is refused over "+name, func(t *testing.T) {
			t.Parallel()
			bank, b := newTLSBank(t, newAuthority(t, "Good"), version), newBanking()
			b.vault.put("qwac", newAuthority(t, "Other").issue(7, ellipticKey(t), testNow.Add(oneYear), bank.roots...).text)
			e := requireKind(t, b.read(t, bank.endpoint("qwac")), pfm.SupplierUnavailable)
			assert.ErrorIs(t, e, bankwire.ErrAlert)
			assert.Empty(t, bank.seen())
		})

		t.Run("is missing if the endpoint names none over "+name, func(t *testing.T) {
			t.Parallel()
			good := newAuthority(t, "Good")
			bank, b := newTLSBank(t, good, version), newBanking()
			// The bank's own certificate is trusted, like one from a public authority.
			b.caller.HTTP = bank.Client()
			e := requireKind(t, b.read(t, bank.endpoint("")), pfm.SupplierUnavailable)
			assert.ErrorIs(t, e, bankwire.ErrAlert)
			assert.Empty(t, bank.seen())
			assert.Zero(t, b.vault.count(), "no secret is read")
		})
	}

	t.Run("does not make the bank's own certificate trusted", func(t *testing.T) {
		t.Parallel()
		good := newAuthority(t, "Good")
		bank, b := newTLSBank(t, good, tls.VersionTLS13), newBanking()
		b.vault.put("public", good.issue(7, ellipticKey(t), testNow.Add(oneYear)).text)
		b.vault.put("other", good.issue(7, ellipticKey(t), testNow.Add(oneYear), good.cert).text)
		for _, secret := range []string{"public", "other"} {
			assert.ErrorIs(t, requireKind(t, b.read(t, bank.endpoint(secret)), pfm.SupplierUnavailable), bankwire.ErrHandshake, secret)
		}
		assert.Empty(t, bank.seen())
	})

	t.Run("has its own connections", func(t *testing.T) {
		t.Parallel()
		good := newAuthority(t, "Good")
		bank, b := newTLSBank(t, good, tls.VersionTLS13), newBanking()
		b.vault.put("one", good.issue(1, ellipticKey(t), testNow.Add(oneYear), bank.roots...).text)
		b.vault.put("two", good.issue(2, ellipticKey(t), testNow.Add(oneYear), bank.roots...).text)
		for range 3 {
			require.NoError(t, b.read(t, bank.endpoint("one")))
			require.NoError(t, b.read(t, bank.endpoint("two")))
		}
		serials := map[string]string{} // by connection
		for i, s := range bank.seen() {
			assert.Equal(t, []string{"1", "2"}[i%2], s.serial)
			serials[s.from] = s.serial
		}
		assert.Len(t, serials, 2, "one connection each")
	})
}

// reading returns a bank that trusts good, and banking that has read it with the first certificate.
func reading(t *testing.T) (good *authority, bank *tlsBank, b *banking) {
	t.Helper()
	good = newAuthority(t, "Good")
	bank, b = newTLSBank(t, good, tls.VersionTLS13), newBanking()
	b.vault.put("qwac", good.issue(1, ellipticKey(t), testNow.Add(oneYear), bank.roots...).text)
	require.NoError(t, b.read(t, bank.endpoint("qwac")))
	return good, bank, b
}

func TestRenewedCertificate(t *testing.T) {
	t.Parallel()

	t.Run("is used after the old one's lifetime, over a new connection", func(t *testing.T) {
		t.Parallel()
		good, bank, b := reading(t)
		b.vault.put("qwac", good.issue(2, ellipticKey(t), testNow.Add(oneYear), bank.roots...).text)
		b.advance(certificateLife - time.Second)
		require.NoError(t, b.read(t, bank.endpoint("qwac")))
		b.advance(time.Second)
		require.NoError(t, b.read(t, bank.endpoint("qwac")))
		seen := bank.seen()
		assert.Equal(t, []string{"1", "1", "2"}, []string{seen[0].serial, seen[1].serial, seen[2].serial})
		assert.Equal(t, seen[0].from, seen[1].from)
		assert.NotEqual(t, seen[1].from, seen[2].from)
		assert.Equal(t, 2, b.vault.count())
	})

	t.Run("keeps its connections if it has not changed", func(t *testing.T) {
		t.Parallel()
		_, bank, b := reading(t)
		b.advance(certificateLife)
		require.NoError(t, b.read(t, bank.endpoint("qwac")))
		assert.Equal(t, 2, b.vault.count())
		assert.Equal(t, bank.seen()[0], bank.seen()[1])
	})

	t.Run("leaves the old one in use while its secret cannot be read", func(t *testing.T) {
		t.Parallel()
		good, bank, b := reading(t)
		b.vault.fail(errAway)
		b.advance(certificateLife)
		require.NoError(t, b.read(t, bank.endpoint("qwac")))
		require.NoError(t, b.read(t, bank.endpoint("qwac")))
		assert.Equal(t, 2, b.vault.count(), "not read at every call")
		b.vault.fail(nil)
		b.vault.put("qwac", good.issue(2, ellipticKey(t), testNow.Add(oneYear), bank.roots...).text)
		b.advance(certificatePause)
		require.NoError(t, b.read(t, bank.endpoint("qwac")))
		assert.Equal(t, "2", bank.seen()[3].serial)
	})

	t.Run("is no longer used after its secret is deleted", func(t *testing.T) {
		t.Parallel()
		_, bank, b := reading(t)
		b.vault.mu.Lock()
		delete(b.vault.texts, "qwac")
		b.vault.mu.Unlock()
		b.advance(certificateLife)
		assert.ErrorIs(t, b.read(t, bank.endpoint("qwac")), errNoSecret)
		assert.Len(t, bank.seen(), 1)
	})
}

func TestInvalidCertificate(t *testing.T) {
	t.Parallel()
	a := newAuthority(t, "Good")
	key, other := ellipticKey(t), ellipticKey(t)
	fine := a.issue(1, key, testNow.Add(oneYear))
	for name, tt := range map[string]struct {
		text  string
		cause error
	}{
		"not JSON":               {"-----BEGIN PRIVATE KEY-----", errNotAnObject},
		"members of other types": {`{"certificate":["hunter2"],"key":{}}`, errNotAnObject},
		"no key":                 {`{"certificate":"hunter2"}`, errNotAnObject},
		"not PEM":                {`{"certificate":"hunter2","key":"hunter2"}`, errNotAPair},
		"another's key":          {secretText(t, []*x509.Certificate{fine.cert}, other, nil), errNotAPair},
		"roots that are not PEM": {fine.text[:len(fine.text)-2] + `hunter2"}`, errNoRoots},
		"an expired certificate": {a.issue(1, key, testNow.Add(-time.Second)).text, errExpired},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBanking()
			b.vault.put("qwac", tt.text)
			err := b.read(t, pfm.BankEndpoint{BaseURL: "https://bank.invalid", TransportSecret: "qwac"})
			assert.ErrorIs(t, requireKind(t, err, pfm.SupplierUnavailable), tt.cause)
			assert.Equal(
				t, "bank: read consent: SupplierUnavailable: certificate qwac: "+tt.cause.Error(), err.Error(),
				"the error does not quote the secret",
			)
		})
	}

	t.Run("a certificate that is not valid yet", func(t *testing.T) {
		t.Parallel()
		b := newBanking()
		b.vault.put("qwac", fine.text)
		b.advance(-oneYear)
		assert.ErrorIs(t, b.read(t, pfm.BankEndpoint{BaseURL: "https://bank.invalid", TransportSecret: "qwac"}), errNotYetValid)
	})

	t.Run("no secret, or no Secrets", func(t *testing.T) {
		t.Parallel()
		b := newBanking()
		at := pfm.BankEndpoint{BaseURL: "https://bank.invalid", SealSecret: "qseal"}
		for range 3 {
			assert.ErrorIs(t, requireKind(t, b.read(t, at), pfm.SupplierUnavailable), errNoSecret)
		}
		assert.Equal(t, 1, b.vault.count(), "not read at every call")
		b.advance(certificatePause)
		assert.Error(t, b.read(t, at))
		assert.Equal(t, 2, b.vault.count())
		_, err := client().Consent(t.Context(), at, pfm.Session{ConsentID: "c"})
		assert.ErrorIs(t, err, errNoSecret)
	})

	t.Run("a secret that cannot be read", func(t *testing.T) {
		t.Parallel()
		b := newBanking()
		b.vault.fail(errAway)
		err := b.read(t, pfm.BankEndpoint{BaseURL: "https://bank.invalid", TransportSecret: "qwac"})
		assert.ErrorIs(t, requireKind(t, err, pfm.SupplierUnavailable), errUnreadable)
		assert.NotContains(t, err.Error(), "PRIVATE")
	})

	t.Run("a certificate that expires while it is in use", func(t *testing.T) {
		t.Parallel()
		bank, b := newTLSBank(t, a, tls.VersionTLS13), newBanking()
		b.vault.put("qwac", a.issue(1, key, testNow.Add(time.Minute), bank.roots...).text)
		require.NoError(t, b.read(t, bank.endpoint("qwac")))
		b.advance(time.Minute + time.Second)
		assert.ErrorIs(t, b.read(t, bank.endpoint("qwac")), errExpired)
	})
}

func TestConcurrentCallsReadCertificateOnce(t *testing.T) {
	t.Parallel()
	good := newAuthority(t, "Good")
	bank, b := newTLSBank(t, good, tls.VersionTLS13), newBanking()
	b.vault.put("qwac", good.issue(1, ellipticKey(t), testNow.Add(oneYear), bank.roots...).text)
	b.vault.hold = make(chan struct{})

	t.Run("a caller who gives up leaves it to the next", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			_, err := b.Consent(ctx, bank.endpoint("qwac"), pfm.Session{ConsentID: "c"})
			ended <- err
		}()
		require.Eventually(t, func() bool { return b.vault.count() == 1 }, 5*time.Second, time.Millisecond)
		cancel()
		assert.ErrorIs(t, <-ended, context.Canceled)
	})

	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { assert.NoError(t, b.read(t, bank.endpoint("qwac"))) })
	}
	require.Eventually(t, func() bool { return b.vault.count() == 2 }, 5*time.Second, time.Millisecond)
	close(b.vault.hold)
	all.Wait()
	assert.Equal(t, 2, b.vault.count())
}

func TestReportsCertificateThatExpiresSoon(t *testing.T) {
	t.Parallel()
	good := newAuthority(t, "Good")
	bank, b := newTLSBank(t, good, tls.VersionTLS13), newBanking()
	b.vault.put("qwac", good.issue(1, ellipticKey(t), testNow.Add(expiresSoon), bank.roots...).text)
	require.NoError(t, b.read(t, bank.endpoint("qwac")))
	assert.Empty(t, b.told)
	b.advance(certificateLife)
	require.NoError(t, b.read(t, bank.endpoint("qwac")))
	require.NoError(t, b.read(t, bank.endpoint("qwac")))
	assert.Equal(t, []time.Duration{expiresSoon - certificateLife}, b.told, "once for each read")
	b.advance(expiresSoon)
	require.Error(t, b.read(t, bank.endpoint("qwac")))
	assert.Equal(t, -certificateLife, b.told[1])
}

func TestRedirectIsNotFollowedWithACertificate(t *testing.T) {
	t.Parallel()
	good := newAuthority(t, "Good")
	bank, b := newTLSBank(t, good, tls.VersionTLS13), newBanking()
	bank.Config.Handler = http.RedirectHandler("/elsewhere", http.StatusTemporaryRedirect)
	b.vault.put("qwac", good.issue(1, ellipticKey(t), testNow.Add(oneYear), bank.roots...).text)
	e := requireKind(t, b.read(t, bank.endpoint("qwac")), pfm.SupplierInvalidResponse)
	assert.Equal(t, http.StatusTemporaryRedirect, e.Status)
	assert.NotErrorIs(t, e, bankwire.ErrAlert)
}
