// Package seal seals evidence. It signs with a key that does not sign access tokens, but is published beside those
// keys. It also gets the time stamp of an authority that speaks RFC 3161.
package seal

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"

	"aviso/internal/secret/keyring"
)

// Key signs evidence with ES256.
type Key struct {
	ID string
	// Certificates certify the key; the key's own comes first. There may be none.
	Certificates []*x509.Certificate
	private      *ecdsa.PrivateKey
}

// DeriveKey derives a key from a root secret. The same root always yields the same key.
func DeriveKey(root string) (Key, error) {
	// One in 2^32 derived numbers is not a valid scalar. The counter then tries the next one.
	for i := range 8 {
		raw, err := keyring.Derive(root, fmt.Sprintf("sign/evidence/ES256/%d", i), 32)
		if err != nil {
			return Key{}, err
		}
		if private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), raw); err == nil {
			return NewKey(private)
		}
	}
	return Key{}, errors.New("evidence key: no key can be derived from the root secret")
}

// ReadKey reads a key with its certificates. The secret is a JSON object of certificate (the chain in PEM, ours
// first) and key (in PEM). Errors do not quote it.
func ReadKey(secret string, now time.Time) (Key, error) {
	var s struct{ Certificate, Key string }
	if json.Unmarshal([]byte(secret), &s) != nil || s.Certificate == "" || s.Key == "" {
		return Key{}, errors.New("evidence key: the secret is not a JSON object with certificate and key")
	}
	pair, err := tls.X509KeyPair([]byte(s.Certificate), []byte(s.Key))
	if err != nil {
		return Key{}, errors.New("evidence key: certificate and key do not match, or are not PEM")
	}
	private, ok := pair.PrivateKey.(*ecdsa.PrivateKey)
	if !ok || private.Curve != elliptic.P256() {
		return Key{}, errors.New("evidence key: ES256 needs a key on the curve P-256")
	}
	chain, err := x509.ParseCertificates(slices.Concat(pair.Certificate...))
	if err != nil {
		return Key{}, errors.New("evidence key: a certificate of the chain cannot be read")
	}
	for i, c := range chain {
		if now.Before(c.NotBefore) || now.After(c.NotAfter) {
			return Key{}, fmt.Errorf("evidence key: certificate %d of the chain is valid from %s to %s only",
				i+1, c.NotBefore.Format(time.DateOnly), c.NotAfter.Format(time.DateOnly))
		}
		if i+1 < len(chain) && c.CheckSignatureFrom(chain[i+1]) != nil {
			return Key{}, fmt.Errorf("evidence key: certificate %d of the chain was not issued by the next one", i+1)
		}
	}
	const signs = x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment
	if usage := chain[0].KeyUsage; usage != 0 && usage&signs == 0 {
		return Key{}, errors.New("evidence key: the certificate does not allow signatures")
	}
	return NewKey(private, chain...)
}

// NewKey returns a key with its certificates, if there are any.
func NewKey(private *ecdsa.PrivateKey, chain ...*x509.Certificate) (Key, error) {
	public := jose.JSONWebKey{Key: private.Public()}
	thumb, err := public.Thumbprint(crypto.SHA256)
	if err != nil {
		return Key{}, fmt.Errorf("key thumbprint: %w", err)
	}
	if len(chain) > 0 && !private.PublicKey.Equal(chain[0].PublicKey) {
		return Key{}, errors.New("evidence key: the certificate is of another key")
	}
	return Key{ID: "evidence-" + base64.RawURLEncoding.EncodeToString(thumb[:12]), Certificates: chain, private: private}, nil
}

// Public returns the public key as published in the key set (RFC 7517).
func (k Key) Public() jose.JSONWebKey {
	return jose.JSONWebKey{
		Key: k.private.Public(), KeyID: k.ID, Algorithm: string(jose.ES256), Use: "sig", Certificates: k.Certificates,
	}
}

// Sign returns a JWS of content without the content (RFC 7515, appendix F).
func (k Key) Sign(content []byte) ([]byte, error) {
	options := &jose.SignerOptions{}
	if len(k.Certificates) > 0 {
		var chain [][]byte
		for _, c := range k.Certificates {
			chain = append(chain, c.Raw)
		}
		options.WithHeader("x5c", chain)
	}
	key := jose.JSONWebKey{Key: k.private, KeyID: k.ID}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, options)
	if err != nil {
		return nil, fmt.Errorf("sign evidence: %w", err)
	}
	signed, err := signer.Sign(content)
	if err != nil {
		return nil, fmt.Errorf("sign evidence: %w", err)
	}
	text, err := signed.DetachedCompactSerialize()
	return []byte(text), err
}
