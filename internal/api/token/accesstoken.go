// Package token issues and verifies OAuth 2.0 access tokens as JWTs (RFC 9068), and makes page tokens. Access tokens
// are signed with ES256 and verified as RFC 8725 recommends: fixed algorithm and type, issuer, audience and expiry.
// The package has no HTTP code, so functions without operations can make tokens too.
package token

import (
	"cmp"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"aviso/internal/owner"
	"aviso/internal/secret/keyring"
)

// leeway is the clock skew we tolerate.
const leeway = 30 * time.Second

// tokenType is the `typ` header of RFC 9068 §2.1.
const tokenType = "at+jwt"

// Audience returns the audience of a stage's tokens, so that a token of one stage is
// not valid in another.
func Audience(stage string) string { return "https://aviso.example/" + stage }

// ErrInvalid is returned for a token that is not ours, was altered, or is not valid at this time. It never says which
// of these: that would only help a forger.
var ErrInvalid = errors.New("invalid access token")

// Lifetime is the time for which an access token is valid.
const Lifetime = time.Hour

// Principal is the partner that a token identifies, and its scopes.
type Principal struct {
	Partner owner.PartnerID
	Scopes  []string
}

// Has reports whether the token carries the scope.
func (p Principal) Has(scope string) bool { return slices.Contains(p.Scopes, scope) }

// SigningKey is a private key and the ID under which its public key is published.
type SigningKey struct {
	ID  string
	key *ecdsa.PrivateKey
}

// NewSigningKey derives an ES256 key from a root secret. The same root always yields
// the same key, so all instances agree without coordination.
func NewSigningKey(root string) (SigningKey, error) {
	// With a probability of 2^-32 a derived number is not a valid scalar. The counter
	// then tries the next one.
	for i := range 8 {
		raw, err := keyring.Derive(root, fmt.Sprintf("sign/ES256/%d", i), 32)
		if err != nil {
			return SigningKey{}, err
		}
		key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), raw)
		if err != nil {
			continue
		}
		jwk := jose.JSONWebKey{Key: key.Public()}
		thumb, err := jwk.Thumbprint(crypto.SHA256)
		if err != nil {
			return SigningKey{}, fmt.Errorf("key thumbprint: %w", err)
		}
		return SigningKey{ID: base64.RawURLEncoding.EncodeToString(thumb[:12]), key: key}, nil
	}
	return SigningKey{}, errors.New("no signing key can be derived from the root secret")
}

// Public returns the public key as published in the key set (RFC 7517).
func (k SigningKey) Public() jose.JSONWebKey {
	return jose.JSONWebKey{Key: k.key.Public(), KeyID: k.ID, Algorithm: string(jose.ES256), Use: "sig"}
}

// claims are the claims of RFC 9068 §2.2.
type claims struct {
	Issuer   string `json:"iss"`
	Subject  string `json:"sub"`
	Audience string `json:"aud"`
	Expiry   int64  `json:"exp"`
	IssuedAt int64  `json:"iat"`
	ID       string `json:"jti"`
	ClientID string `json:"client_id"`
	Scope    string `json:"scope"`
}

// Issuer issues tokens.
type Issuer struct {
	signer   jose.Signer
	audience string
	now      func() time.Time
	newID    func() string
}

// NewIssuer returns an Issuer that signs tokens for the audience with key.
func NewIssuer(key SigningKey, audience string, now func() time.Time, newID func() string) (*Issuer, error) {
	signer, err := jose.NewSigner(
		jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key.key, KeyID: key.ID}},
		(&jose.SignerOptions{}).WithType(tokenType))
	if err != nil {
		return nil, fmt.Errorf("signer: %w", err)
	}
	return &Issuer{signer: signer, audience: audience, now: now, newID: newID}, nil
}

// Issue returns a token for the partner and scopes, and its lifetime. issuer is the public URL of the service, as in
// its metadata (RFC 8414).
func (i *Issuer) Issue(partner owner.PartnerID, scopes []string, issuer string) (string, time.Duration, error) {
	now := i.now()
	token, err := jwt.Signed(i.signer).Claims(claims{
		Issuer: issuer, Subject: string(partner), ClientID: string(partner), Audience: i.audience,
		IssuedAt: now.Unix(), Expiry: now.Add(Lifetime).Unix(), ID: i.newID(),
		Scope: strings.Join(scopes, " "),
	}).Serialize()
	if err != nil {
		return "", 0, fmt.Errorf("sign: %w", err)
	}
	return token, Lifetime, nil
}

// Verifier verifies tokens. It caches the key set and recently verified tokens in
// memory.
type Verifier struct {
	keys     *keyCache
	verified *verifiedTokens
	disabled owner.Disabled
	audience string
	now      func() time.Time
}

// NewVerifier returns a Verifier of tokens for the audience. publicKeys reads the
// keys that tokens may be signed with. Disabled partners have no valid tokens.
func NewVerifier(
	publicKeys func(context.Context) ([]jose.JSONWebKey, error), disabled owner.Disabled, audience string,
	now func() time.Time,
) *Verifier {
	return &Verifier{
		keys: &keyCache{read: publicKeys, now: now}, verified: &verifiedTokens{tokens: map[[32]byte]verifiedToken{}},
		disabled: disabled, audience: audience, now: now,
	}
}

// Warm reads the key set ahead of the first request.
func (v *Verifier) Warm(ctx context.Context) error {
	keys, err := v.keys.readAll(ctx)
	if err != nil {
		return err
	}
	v.keys.mu.Lock()
	defer v.keys.mu.Unlock()
	v.keys.keys, v.keys.readAt = keys, v.now()
	return nil
}

// Verify returns the principal of a token from issuer. It returns ErrInvalid if the token is not valid. Any other
// error means that the keys or the disabled partners could not be read.
func (v *Verifier) Verify(ctx context.Context, raw, issuer string) (Principal, error) {
	digest := sha256.Sum256([]byte(raw))
	t, known := v.verified.lookup(digest)
	var token *jwt.JSONWebToken
	if !known {
		var err error
		if token, err = jwt.ParseSigned(raw, []jose.SignatureAlgorithm{jose.ES256}); err != nil {
			return Principal{}, ErrInvalid
		}
		header := token.Headers[0]
		if typ, _ := header.ExtraHeaders[jose.HeaderType].(string); typ != tokenType {
			return Principal{}, ErrInvalid
		}
		t.keyID = header.KeyID
	}
	key, err := v.keys.find(ctx, t.keyID) // also for a cached token: its key may have been withdrawn
	if err != nil {
		return Principal{}, err
	}
	if !known && token.Claims(key, &t.claims) != nil {
		return Principal{}, ErrInvalid
	}
	// jwt.Claims.Validate accepts a token without expiry, and tolerates an expired one.
	now := v.now()
	if t.Issuer != issuer || t.Audience != v.audience || t.ClientID == "" || t.Subject != t.ClientID ||
		!now.Before(time.Unix(t.Expiry, 0)) || now.Add(leeway).Before(time.Unix(t.IssuedAt, 0)) {
		return Principal{}, ErrInvalid
	}
	if !known {
		v.verified.remember(digest, t)
	}
	if shut, err := v.disabled.Has(ctx, owner.PartnerID(t.ClientID)); err != nil || shut {
		return Principal{}, cmp.Or(err, ErrInvalid)
	}
	return Principal{Partner: owner.PartnerID(t.ClientID), Scopes: strings.Fields(t.Scope)}, nil
}
