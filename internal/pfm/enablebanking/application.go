package enablebanking

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// What can be wrong with our key. These texts replace errors that may quote the secret.
var (
	errNoSecret = errors.New("the application's secret cannot be read")
	errBadKey   = errors.New("the application's secret is not a JSON object with applicationId and privateKey (RSA, PEM)")
)

const (
	// tokenLife is how long a token lasts. The aggregator takes up to a day.
	tokenLife = time.Hour
	// tokenReuse is how long a token is used before the secret is read again, so that a new
	// key needs no restart.
	tokenReuse = 10 * time.Minute
)

// application is our application at the aggregator, with a token.
type application struct {
	token string
	until time.Time
}

// applications caches the applications by the name of their secret.
type applications struct {
	secret func(ctx context.Context, name string) (string, error)
	now    func() time.Time

	mu   sync.Mutex
	held map[string]*application
}

// token returns a token of the application whose secret has this name.
func (a *applications) token(ctx context.Context, name string) (string, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	if held, ok := a.held[name]; ok && now.Before(held.until) {
		return held.token, nil
	}
	text, err := a.secret(ctx, name)
	if err != nil {
		return "", errNoSecret
	}
	token, err := newToken(text, now)
	if err != nil {
		return "", err
	}
	a.held[name] = &application{token, now.Add(tokenReuse)}
	return token, nil
}

// forget makes the next call read the secret again.
func (a *applications) forget(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.held, name)
}

// newToken returns a JSON Web Token signed with RS256.
func newToken(secret string, now time.Time) (string, error) {
	var s struct{ ApplicationID, PrivateKey string }
	if json.Unmarshal([]byte(secret), &s) != nil || s.ApplicationID == "" {
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
