package token

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/owner"
	"aviso/localstack/tests/clocktest"
)

const (
	rootA    = "first root, long enough to be one"
	rootB    = "second root, long enough to be one"
	issuer   = "https://api.example"
	audience = "https://aviso.example/test"
)

func start() time.Time { return clocktest.New().Now() }

// source is a key set that can be changed or made unavailable. It counts reads.
type source struct {
	mu    sync.Mutex
	keys  []jose.JSONWebKey
	err   error
	reads int
	hold  chan struct{} // if set, reads wait for it
}

func (s *source) PublicKeys(context.Context) ([]jose.JSONWebKey, error) {
	s.mu.Lock()
	s.reads++
	hold := s.hold
	s.mu.Unlock()
	if hold != nil {
		<-hold
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys, s.err
}

func (s *source) set(err error, keys ...SigningKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err, s.keys = err, nil
	for _, k := range keys {
		s.keys = append(s.keys, k.Public())
	}
}

func (s *source) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reads
}

// bench is a verifier with one key and a clock.
type bench struct {
	*Verifier
	t      testing.TB
	key    SigningKey
	source *source
	clock  *clocktest.Clock
	// disabled and unread are what is known of the partner.
	disabled bool
	unread   error
}

func (b *bench) isDisabled(_ context.Context, partner owner.PartnerID) (bool, error) {
	assert.EqualValues(b.t, "acme", partner, "nobody asks about the partner of a forged token")
	return b.disabled, b.unread
}

// newBench returns a bench of its own for a test, which runs in parallel with others.
func newBench(t *testing.T) *bench {
	t.Helper()
	t.Parallel()
	return makeBench(t)
}

func makeBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{t: t, key: signingKey(t, rootA), source: &source{}, clock: clocktest.New()}
	b.source.set(nil, b.key)
	b.Verifier = NewVerifier(b.source.PublicKeys, b.isDisabled, audience, b.clock.Now)
	return b
}

func signingKey(t testing.TB, root string) SigningKey {
	t.Helper()
	k, err := NewSigningKey(root)
	require.NoError(t, err)
	return k
}

// issue returns a token as the service issues it.
func (b *bench) issue(key SigningKey) string {
	b.t.Helper()
	i, err := NewIssuer(key, audience, b.clock.Now, func() string { return "jti" })
	require.NoError(b.t, err)
	token, _, err := i.Issue("acme", []string{"identity", "pfm"}, issuer)
	require.NoError(b.t, err)
	return token
}

// good returns the claims of a valid token.
func good() map[string]any {
	return map[string]any{
		"iss": issuer, "sub": "acme", "aud": audience, "exp": start().Add(time.Hour).Unix(), "iat": start().Unix(),
		"jti": "x", "client_id": "acme", "scope": "identity",
	}
}

func with(name string, value any) map[string]any {
	c := good()
	c[name] = value
	return c
}

// sign returns a token with any header and claims, signed with a valid key.
func sign(t testing.TB, key SigningKey, typ string, claims any) string {
	t.Helper()
	return compact(t, jose.ES256, key.key, key.ID, (&jose.SignerOptions{}).WithType(jose.ContentType(typ)), claims)
}

func compact(
	t testing.TB, alg jose.SignatureAlgorithm, key any, kid string, options *jose.SignerOptions, claims any,
) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: jose.JSONWebKey{Key: key, KeyID: kid}}, options)
	require.NoError(t, err)
	payload, err := json.Marshal(claims)
	require.NoError(t, err)
	jws, err := signer.Sign(payload)
	require.NoError(t, err)
	token, err := jws.CompactSerialize()
	require.NoError(t, err)
	return token
}

func (b *bench) refuses(token string) {
	b.t.Helper()
	p, err := b.Verify(b.t.Context(), token, issuer)
	assert.ErrorIs(b.t, err, ErrInvalid)
	assert.Empty(b.t, p)
}

func (b *bench) accepts(token string) {
	b.t.Helper()
	p, err := b.Verify(b.t.Context(), token, issuer)
	require.NoError(b.t, err)
	assert.EqualValues(b.t, "acme", p.Partner)
}

func TestToken(t *testing.T) {
	t.Parallel()

	t.Run("verifies as it was issued", func(t *testing.T) {
		b := newBench(t)
		for range 2 { // the second time from the cache
			p, err := b.Verify(t.Context(), b.issue(b.key), issuer)
			require.NoError(t, err)
			assert.Equal(t, Principal{Partner: "acme", Scopes: []string{"identity", "pfm"}}, p)
			assert.True(t, p.Has("pfm"))
			assert.False(t, p.Has("webhook"))
			assert.False(t, p.Has(""))
		}
	})

	t.Run("has the header and claims of RFC 9068", func(t *testing.T) {
		b := newBench(t)
		parts := strings.Split(b.issue(b.key), ".")
		require.Len(t, parts, 3)
		header, err := base64.RawURLEncoding.DecodeString(parts[0])
		require.NoError(t, err)
		assert.JSONEq(t, `{"alg":"ES256","typ":"at+jwt","kid":"`+b.key.ID+`"}`, string(header))
		payload, err := base64.RawURLEncoding.DecodeString(parts[1])
		require.NoError(t, err)
		assert.JSONEq(
			t,
			fmt.Sprintf(`{"iss":%q,"sub":"acme","client_id":"acme","aud":%q,"exp":%d,"iat":%d,"jti":"jti","scope":"identity pfm"}`,
				issuer, audience, start().Unix()+3600, start().Unix()),
			string(payload),
		)
	})

	t.Run("without scopes has none", func(t *testing.T) {
		b := newBench(t)
		p, err := b.Verify(t.Context(), sign(t, b.key, tokenType, with("scope", "")), issuer)
		require.NoError(t, err)
		assert.Empty(t, p.Scopes)
	})

	t.Run("is valid until the second of its expiry", func(t *testing.T) {
		t.Parallel()
		for _, warm := range []bool{true, false} {
			b := makeBench(t)
			token := b.issue(b.key)
			if warm {
				b.accepts(token)
			}
			b.clock.Advance(time.Hour - time.Nanosecond)
			b.accepts(token)
			b.clock.Advance(time.Nanosecond)
			b.refuses(token)
		}
	})

	t.Run("issued by a clock 30 seconds ahead is accepted", func(t *testing.T) {
		b := newBench(t)
		b.accepts(sign(t, b.key, tokenType, with("iat", start().Add(30*time.Second).Unix())))
		b.refuses(sign(t, b.key, tokenType, with("iat", start().Add(31*time.Second).Unix())))
	})

	t.Run("is refused while its partner is disabled, cached or not", func(t *testing.T) {
		b := newBench(t)
		for _, disabled := range []bool{true, false, true, false} {
			b.disabled = disabled
			if disabled {
				b.refuses(b.issue(b.key))
			} else {
				b.accepts(b.issue(b.key))
			}
		}
		b.unread = errors.New("table gone")
		p, err := b.Verify(t.Context(), b.issue(b.key), issuer)
		require.ErrorIs(t, err, b.unread)
		require.NotErrorIs(t, err, ErrInvalid, "a client would throw a good token away")
		assert.Empty(t, p)
	})

	t.Run("is valid for one issuer only, cached or not", func(t *testing.T) {
		b := newBench(t)
		token := b.issue(b.key)
		for range 2 {
			_, err := b.Verify(t.Context(), token, "https://other.example")
			require.ErrorIs(t, err, ErrInvalid)
			b.accepts(token)
		}
	})
}

func TestForgedToken(t *testing.T) {
	t.Parallel()

	for name, claims := range map[string]any{
		"another issuer": with("iss", "https://evil.example"), "no issuer": with("iss", nil),
		"another stage": with("aud", Audience("production")), "no audience": with("aud", nil), "a list of audiences": with("aud", []string{audience}),
		"no expiry": with("exp", nil), "an expiry in the past": with("exp", start().Unix()), "an expiry that is text": with("exp", "4102444800"),
		"no client": with("client_id", nil), "an empty client": with("client_id", ""),
		"another subject": with("sub", "evil"), "no subject": with("sub", nil),
		"no claims": map[string]any{}, "claims that are a list": []string{"acme"}, "claims that are text": "acme", "null": nil,
	} {
		t.Run("is refused with "+name, func(t *testing.T) {
			b := newBench(t)
			b.refuses(sign(t, b.key, tokenType, claims))
		})
	}

	for _, typ := range []string{"", "JWT", "at+JWT ", "application/jwt", "dpop+jwt"} {
		t.Run("is refused with the type "+typ, func(t *testing.T) {
			b := newBench(t)
			b.refuses(sign(t, b.key, typ, good()))
		})
	}

	t.Run("is refused without a signature", func(t *testing.T) {
		b := newBench(t)
		parts := strings.Split(b.issue(b.key), ".")
		for _, alg := range []string{"none", "None", "NONE", ""} {
			header := encode(`{"alg":"` + alg + `","typ":"at+jwt","kid":"` + b.key.ID + `"}`)
			b.refuses(header + "." + parts[1] + ".")
			b.refuses(header + "." + parts[1] + "." + parts[2])
		}
		b.refuses(parts[0] + "." + parts[1] + ".")
		b.refuses(parts[0] + "." + parts[1])
	})

	t.Run("is refused when the public key serves as a shared secret", func(t *testing.T) {
		b := newBench(t)
		der, err := x509.MarshalPKIXPublicKey(b.key.Public().Key)
		require.NoError(t, err)
		jwk, err := json.Marshal(b.key.Public())
		require.NoError(t, err)
		for _, secret := range [][]byte{der, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), jwk} {
			b.refuses(signAs(t, jose.HS256, secret, b.key.ID, nil))
		}
	})

	t.Run("is refused with another algorithm, even if the key fits it", func(t *testing.T) {
		b := newBench(t)
		other, err := rsa.GenerateKey(rand.Reader, 2048)
		require.NoError(t, err)
		b.source.keys = append(b.source.keys, jose.JSONWebKey{Key: other.Public(), KeyID: "rsa"})
		b.refuses(signAs(t, jose.RS256, other, "rsa", nil))
		b.refuses(signAs(t, jose.PS256, other, "rsa", nil))
	})

	t.Run("is refused with an embedded key", func(t *testing.T) {
		b := newBench(t)
		forger := signingKey(t, rootB)
		b.refuses(sign(t, SigningKey{ID: b.key.ID, key: forger.key}, tokenType, good()))
		public, err := json.Marshal(forger.Public())
		require.NoError(t, err)
		b.refuses(signAs(t, jose.ES256, forger.key, b.key.ID,
			map[jose.HeaderKey]any{"jwk": json.RawMessage(public), "jku": "https://evil.example/keys"}))
	})

	t.Run("is refused with an unknown critical header", func(t *testing.T) {
		b := newBench(t)
		b.accepts(signAs(t, jose.ES256, b.key.key, b.key.ID, map[jose.HeaderKey]any{"extra": "harmless"}))
		b.refuses(signAs(t, jose.ES256, b.key.key, b.key.ID, map[jose.HeaderKey]any{"crit": []string{"extra"}, "extra": "vital"}))
	})

	t.Run("is refused if any part is altered", func(t *testing.T) {
		b := newBench(t)
		token := b.issue(b.key)
		b.accepts(token)
		parts := strings.Split(token, ".")
		payload, err := base64.RawURLEncoding.DecodeString(parts[1])
		require.NoError(t, err)
		b.refuses(parts[0] + "." + encode(strings.Replace(string(payload), "acme", "evil", 2)) + "." + parts[2])
		b.refuses(parts[0] + "." + encode(strings.Replace(string(payload), "pfm", "webhook", 1)) + "." + parts[2])
	})

	t.Run("is refused as a JSON serialisation", func(t *testing.T) {
		b := newBench(t)
		parts := strings.Split(b.issue(b.key), ".")
		b.refuses(`{"protected":"` + parts[0] + `","payload":"` + parts[1] + `","signature":"` + parts[2] + `"}`)
	})
}

func encode(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }

// signAs returns a token with valid claims, the right type and any algorithm.
func signAs(t testing.TB, alg jose.SignatureAlgorithm, key any, kid string, extra map[jose.HeaderKey]any) string {
	t.Helper()
	options := (&jose.SignerOptions{}).WithType(tokenType)
	for name, value := range extra {
		options = options.WithHeader(name, value)
	}
	return compact(t, alg, key, kid, options, good())
}

func TestVerifyNeverPanicsNorTrusts(t *testing.T) {
	b := newBench(t)
	token := b.issue(b.key)
	b.accepts(token)
	_, rest, _ := strings.Cut(token, ".")
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.OneOf(
			rapid.String(),
			rapid.StringMatching(`[A-Za-z0-9_-]{0,20}(\.[A-Za-z0-9_-]{0,20}){0,5}`),
			rapid.Map(rapid.IntRange(0, len(token)), func(n int) string { return token[:n] }),
			rapid.Custom(func(t *rapid.T) string {
				at := rapid.IntRange(0, len(token)-1).Draw(t, "at")
				return token[:at] + string(rapid.Byte().Draw(t, "byte")) + token[at+1:]
			}),
			rapid.Map(
				rapid.MapOf(
					rapid.SampledFrom([]string{"alg", "typ", "kid", "crit", "b64", "jwk", "x5c", "zip"}),
					rapid.SampledFrom([]any{"ES256", "at+jwt", b.key.ID, nil, 1, true, []any{"b64"}, map[string]any{}}),
				),
				func(header map[string]any) string {
					text, _ := json.Marshal(header)
					return encode(string(text)) + "." + rest
				},
			),
		).Draw(t, "token")
		if raw == token {
			return
		}
		if p, err := b.Verify(context.Background(), raw, issuer); !errors.Is(err, ErrInvalid) || p.Partner != "" {
			// The last character of a part may have unused bits.
			if !sameBytes(raw, token) {
				t.Fatalf("accepted %q: %v %v", raw, p, err)
			}
		}
	})
}

func sameBytes(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		p, err1 := base64.RawURLEncoding.DecodeString(x[i])
		q, err2 := base64.RawURLEncoding.DecodeString(y[i])
		if err1 != nil || err2 != nil || !bytes.Equal(p, q) {
			return false
		}
	}
	return true
}
