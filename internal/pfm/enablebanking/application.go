package enablebanking

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// The errors of our key. They replace errors that may quote the secret.
var (
	errNoSecret = errors.New("the application's secret cannot be read")
	errBadKey   = errors.New("the application's secret is not a JSON object with applicationId and privateKey (RSA, PEM)")
)

const (
	// tokenLife is the lifetime of a token. The aggregator accepts up to a day.
	tokenLife = time.Hour
	// tokenReuse is how long a token is used before the secret is read again, so that a new key needs no restart.
	tokenReuse = 10 * time.Minute
	// tokenPause is how long to wait before reading a missing or broken secret again.
	tokenPause = 10 * time.Second
)

// newToken returns a JSON Web Token, signed with RS256 with the key in the application's secret.
func (o Options) newToken(ctx context.Context, name, _ string) (string, error) {
	text, err := o.Secret(ctx, name)
	if err != nil {
		return "", errNoSecret
	}
	var s struct{ ApplicationID, PrivateKey string }
	if json.Unmarshal([]byte(text), &s) != nil || s.ApplicationID == "" {
		return "", errBadKey
	}
	key := parseKey(s.PrivateKey)
	if key == nil {
		return "", errBadKey
	}
	signer, err := jose.NewSigner(
		jose.SigningKey{Algorithm: jose.RS256, Key: jose.JSONWebKey{Key: key, KeyID: s.ApplicationID}},
		(&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		return "", errBadKey
	}
	now := o.Now()
	token, err := jwt.Signed(signer).Claims(map[string]any{
		"iss": "enablebanking.com", "aud": "api.enablebanking.com", "iat": now.Unix(), "exp": now.Add(tokenLife).Unix(),
	}).Serialize()
	if err != nil {
		return "", errBadKey
	}
	return token, nil
}

// parseKey reads a private key in PKCS #8 or PKCS #1. It returns nil if there is none.
func parseKey(text string) *rsa.PrivateKey {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil
	}
	if key, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return key
	}
	parsed, _ := x509.ParsePKCS8PrivateKey(block.Bytes)
	key, _ := parsed.(*rsa.PrivateKey)
	return key
}
