// Package accesstoken issues and verifies OAuth 2.0 access tokens as JWTs
// (RFC 9068), signed with ES256 and checked as RFC 8725 advises: fixed
// algorithm and type, issuer, audience and expiry.
package accesstoken

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"aviso/internal/keyring"
	"aviso/internal/owner"
)

// leeway forgives clocks that differ a little.
const leeway = 30 * time.Second

// tokenType is the `typ` header of RFC 9068 §2.1.
const tokenType = "at+jwt"

// Audience is the resource that tokens of a stage are for, so that a token of
// one stage is worth nothing at another.
func Audience(stage string) string { return "https://aviso.example/" + stage }

// ErrInvalid says that a token is not one of ours, was altered, or does not
// hold at this time. It never says which, since that would help a forger only.
var ErrInvalid = errors.New("accesstoken: invalid token")

// Principal is whom a token speaks for and what it allows.
type Principal = owner.Principal

// SigningKey is a private key with the id it is published under.
type SigningKey struct {
	ID  string
	key *ecdsa.PrivateKey
}

// NewSigningKey derives the ES256 key of one root secret. The same root gives
// the same key, so that all instances agree without talking to each other.
func NewSigningKey(root string) (SigningKey, error) {
	// A derived number is a valid scalar but for a chance of 2^-32; the counter
	// is for that chance.
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
		thumb, err := jwk.Thumbprint(sha256Hash)
		if err != nil {
			return SigningKey{}, fmt.Errorf("key thumbprint: %w", err)
		}
		return SigningKey{ID: base64.RawURLEncoding.EncodeToString(thumb[:12]), key: key}, nil
	}
	return SigningKey{}, errors.New("accesstoken: root secret gives no signing key")
}

// Public is the key as the key set publishes it (RFC 7517).
func (k SigningKey) Public() jose.JSONWebKey {
	return jose.JSONWebKey{Key: k.key.Public(), KeyID: k.ID, Algorithm: string(jose.ES256), Use: "sig"}
}

// claims are those of RFC 9068 §2.2.
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

// Issuer makes tokens.
type Issuer struct {
	signer   jose.Signer
	audience string
	now      func() time.Time
	newID    func() string
}

// NewIssuer signs with key for the audience.
func NewIssuer(key SigningKey, audience string, now func() time.Time, newID func() string) (*Issuer, error) {
	signer, err := jose.NewSigner(
		jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key.key, KeyID: key.ID}},
		(&jose.SignerOptions{}).WithType(tokenType))
	if err != nil {
		return nil, fmt.Errorf("signer: %w", err)
	}
	return &Issuer{signer: signer, audience: audience, now: now, newID: newID}, nil
}

// Issue makes a token for the partner with these scopes. The issuer is the
// public address of the service, as its metadata names it (RFC 8414).
func (i *Issuer) Issue(p Principal, issuer string) (string, error) {
	now := i.now()
	payload, err := json.Marshal(claims{
		Issuer: issuer, Subject: string(p.Partner), ClientID: string(p.Partner), Audience: i.audience,
		IssuedAt: now.Unix(), Expiry: now.Add(owner.TokenLifetime).Unix(), ID: i.newID(), Scope: strings.Join(p.Scopes, " "),
	})
	if err != nil {
		return "", fmt.Errorf("claims: %w", err)
	}
	jws, err := i.signer.Sign(payload)
	if err != nil {
		return "", fmt.Errorf("sign: %w", err)
	}
	return jws.CompactSerialize()
}

// Verifier checks tokens. It keeps the key set, and the tokens it has lately
// found good, in memory.
type Verifier struct {
	keys     *keyCache
	good     *goodTokens
	audience string
	now      func() time.Time
}

// NewVerifier checks tokens for the audience. publicKeys reads the keys that may
// have signed one.
func NewVerifier(
	publicKeys func(context.Context) ([]jose.JSONWebKey, error), audience string, now func() time.Time,
) *Verifier {
	return &Verifier{keys: newKeyCache(publicKeys, now), good: newGoodTokens(), audience: audience, now: now}
}

// Warm reads the key set ahead of the first request.
func (v *Verifier) Warm(ctx context.Context) error { return v.keys.refresh(ctx) }

// Verify gives the principal of a token made by issuer. ErrInvalid when it is
// not to be trusted; any other error means that the keys could not be read.
func (v *Verifier) Verify(ctx context.Context, raw, issuer string) (Principal, error) {
	digest := sha256.Sum256([]byte(raw))
	if good, ok := v.good.lookup(digest, issuer, v.now()); ok {
		// Its key may have been withdrawn since.
		if _, err := v.keys.find(ctx, good.keyID); err != nil {
			return Principal{}, err
		}
		return good.principal, nil
	}
	jws, err := jose.ParseSignedCompact(raw, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil || len(jws.Signatures) != 1 {
		return Principal{}, ErrInvalid
	}
	header := jws.Signatures[0].Protected
	if typ, _ := header.ExtraHeaders[jose.HeaderType].(string); typ != tokenType {
		return Principal{}, ErrInvalid
	}
	key, err := v.keys.find(ctx, header.KeyID)
	if err != nil {
		return Principal{}, err
	}
	payload, err := jws.Verify(key)
	if err != nil {
		return Principal{}, ErrInvalid
	}
	var c claims
	if err := json.Unmarshal(payload, &c); err != nil {
		return Principal{}, ErrInvalid
	}
	now := v.now()
	if c.Issuer != issuer || c.Audience != v.audience || c.ClientID == "" ||
		!now.Before(time.Unix(c.Expiry, 0)) || now.Add(leeway).Before(time.Unix(c.IssuedAt, 0)) {
		return Principal{}, ErrInvalid
	}
	p := Principal{Partner: owner.PartnerID(c.ClientID), Scopes: strings.Fields(c.Scope)}
	v.good.remember(digest, goodToken{principal: p, issuer: issuer, expiry: time.Unix(c.Expiry, 0), keyID: header.KeyID})
	return p, nil
}
