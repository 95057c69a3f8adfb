package identity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"aviso/internal/owner"
)

// ErrInvalidClient is returned for an unknown client or a wrong secret.
var ErrInvalidClient = errors.New("identity: unknown client or wrong secret")

// ErrDisabled is the ErrInvalidClient for a disabled partner with a correct secret.
var ErrDisabled = fmt.Errorf("identity: the partner is disabled: %w", ErrInvalidClient)

// ErrInvalidScope is returned for a scope that is unknown or not granted to the
// partner.
var ErrInvalidScope = errors.New("identity: scope unknown or not granted")

// Token is an issued access token.
type Token struct {
	AccessToken string
	ExpiresIn   time.Duration
	Scopes      []string
}

// Tokens issues access tokens to partners.
type Tokens struct {
	partners  PartnerReader
	issue     Issue
	publish   func(context.Context) error
	published atomic.Bool
	now       func() time.Time
}

// Issue signs a token and returns it with its lifetime. issuer is the public URL of the service.
type Issue func(id owner.PartnerID, scopes []string, issuer string) (token string, lifetime time.Duration, err error)

// NewTokens wires the service. It calls publish before the first token, to publish the signing key for verifiers.
func NewTokens(
	partners PartnerReader, issue Issue, publish func(context.Context) error, now func() time.Time,
) *Tokens {
	return &Tokens{partners: partners, issue: issue, publish: publish, now: now}
}

// Issue returns a token for the requested scopes, or for all of the partner's scopes if the request names none (RFC
// 6749 §4.4, §3.3).
func (s *Tokens) Issue(ctx context.Context, id owner.PartnerID, secret, scope, issuer string) (Token, error) {
	partner, err := authenticate(ctx, s.partners, id, secret, s.now())
	if err != nil {
		return Token{}, err
	}
	scopes := strings.Fields(scope)
	if len(scopes) == 0 {
		scopes = partner.Scopes
	}
	for _, wanted := range scopes {
		if !slices.Contains(partner.Scopes, wanted) {
			return Token{}, ErrInvalidScope
		}
	}
	scopes = slices.Compact(slices.Sorted(slices.Values(scopes)))
	if err := s.PublishKey(ctx); err != nil {
		return Token{}, err
	}
	token, lifetime, err := s.issue(id, scopes, issuer)
	if err != nil {
		return Token{}, fmt.Errorf("issue token: %w", err)
	}
	return Token{AccessToken: token, ExpiresIn: lifetime, Scopes: scopes}, nil
}

// PublishKey publishes the signing key, once per function instance.
func (s *Tokens) PublishKey(ctx context.Context) error {
	if s.published.Load() {
		return nil
	}
	if err := s.publish(ctx); err != nil {
		return fmt.Errorf("publish signing key: %w", err)
	}
	s.published.Store(true)
	return nil
}
