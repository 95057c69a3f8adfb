package token

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/owner"
)

// FuzzVerify verifies any text. Only what the service signed is valid: the fuzzer knows
// a valid token, but no key.
func FuzzVerify(f *testing.F) {
	b := makeBench(f)
	valid := b.issue(b.key)
	header, rest, _ := strings.Cut(valid, ".")
	payload, signature, _ := strings.Cut(rest, ".")
	encode := base64.RawURLEncoding.EncodeToString
	for _, seed := range []string{
		"", ".", "..", valid, valid + "=", valid + ".", header + "..", header + "." + payload + ".",
		encode([]byte(`{"alg":"none","typ":"at+jwt"}`)) + "." + payload + ".",
		encode([]byte(`{"alg":"HS256","typ":"at+jwt","kid":"`+b.key.ID+`"}`)) + "." + payload + "." + signature,
		encode([]byte(`{"alg":"ES256","typ":"at+jwt","kid":"`+b.key.ID+`","crit":["b64"],"b64":false}`)) + "." + payload + "." + signature,
		encode([]byte(`{"alg":"ES256","typ":"at+jwt","jwk":{}}`)) + "." + payload + "." + signature,
		sign(f, b.key, "JWT", good()), sign(f, signingKey(f, rootB), tokenType, good()),
		sign(f, b.key, tokenType, with("exp", start().Unix())),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		b := makeBench(t)
		p, err := b.Verify(t.Context(), raw, issuer)
		if err != nil {
			require.ErrorIs(t, err, ErrInvalid)
			assert.Zero(t, p)
			return
		}
		// The last letter of base64 has unused bits, so a valid token has other spellings.
		parts := strings.Split(raw, ".")
		require.Len(t, parts, 3)
		assert.Equal(t, Principal{Partner: "acme", Scopes: []string{"identity", "pfm"}}, p)
		again, err := b.Verify(t.Context(), raw, issuer)
		require.NoError(t, err, "the second time, from memory")
		assert.Equal(t, p, again)
		_, err = b.Verify(t.Context(), raw, issuer+"/")
		require.ErrorIs(t, err, ErrInvalid, "for another issuer")
	})
}

// FuzzClaims signs any claims with a valid key. A token is valid only if the claims say
// so to encoding/json as well.
func FuzzClaims(f *testing.F) {
	for _, claims := range []any{
		good(), with("aud", []string{audience}), with("aud", "other"), with("exp", start().Unix()), with("exp", 1e300),
		with("iat", start().Unix()+31), with("client_id", ""), with("client_id", nil), with("scope", " a\u00a0b  c "), with("iss", nil),
		[]string{}, nil, "x", 7,
	} {
		text, err := json.Marshal(claims)
		require.NoError(f, err)
		f.Add(text)
	}
	f.Add([]byte(`{"client_id":"acme","client_id":"other"}`))
	f.Add([]byte("{\"client_id\":\"\xff\"}"))
	key := signingKey(f, rootA)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key.key, KeyID: key.ID}},
		(&jose.SignerOptions{}).WithType(tokenType))
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text []byte) {
		jws, err := signer.Sign(text)
		require.NoError(t, err)
		raw, err := jws.CompactSerialize()
		require.NoError(t, err)
		p, err := makeBench(t).Verify(t.Context(), raw, issuer)
		if err != nil {
			require.ErrorIs(t, err, ErrInvalid)
			assert.Zero(t, p)
			return
		}
		var c claims
		require.NoError(t, json.NewDecoder(bytes.NewReader(text)).Decode(&c))
		assert.Equal(t, owner.PartnerID(c.ClientID), p.Partner)
		assert.NotEmpty(t, p.Partner)
		assert.Equal(t, issuer, c.Issuer)
		assert.Equal(t, audience, c.Audience)
		assert.Greater(t, c.Expiry, start().Unix())
		assert.LessOrEqual(t, c.IssuedAt, start().Add(leeway).Unix())
		for _, scope := range p.Scopes {
			assert.NotEmpty(t, strings.TrimSpace(scope))
		}
	})
}
