package carrier

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"sync"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/observe"
)

const jsonAPI = "application/vnd.api+json"

// call makes a call with a token. If the API rejects the token, call retries once
// with a new one: tokens become invalid early when the secret changes. It returns
// the response's status even with a failure.
func (p *Post) call(ctx context.Context, r request) (response, *cancellation.CarrierError) {
	r.media = jsonAPI
	for attempt := 0; ; attempt++ {
		token, failure := p.token(ctx)
		if failure != nil {
			return response{}, failure
		}
		r.authorization = "Bearer " + token
		a, failure := p.client.do(ctx, r)
		if a.status != http.StatusUnauthorized || attempt > 0 {
			return a, failure
		}
		p.tokens.forget(token)
	}
}

// letterCall makes a call that returns a letter. If id is set, the letter must have
// that ID.
func (p *Post) letterCall(ctx context.Context, r request, id string) (letter, *cancellation.CarrierError) {
	a, failure := p.call(ctx, r)
	if failure != nil {
		return letter{}, failure
	}
	return parseLetter(r.operation, a, id)
}

func parseLetter(operation string, a response, id string) (letter, *cancellation.CarrierError) {
	var answered struct {
		Data letter `json:"data"`
	}
	l := &answered.Data
	if json.Unmarshal(a.body, &answered) != nil || l.Type != typeLetters || !idPattern.MatchString(l.ID) || id != "" && l.ID != id {
		return letter{}, malformed(operation)
	}
	return *l, nil
}

// tokenMargin is how long before it expires a token is no longer used, so that it
// does not expire in transit.
const tokenMargin = time.Minute

const fetchToken = "fetch token"

// tokens caches the last access token until it expires.
type tokens struct {
	mu    sync.Mutex
	last  observe.Secret
	until time.Time
}

// token returns the cached token or a new one (OAuth 2.0 client credentials, RFC 6749, 4.4). It
// waits for a call in progress, so that concurrent letters share one token.
func (p *Post) token(ctx context.Context) (observe.Secret, *cancellation.CarrierError) {
	p.tokens.mu.Lock()
	defer p.tokens.mu.Unlock()
	if p.tokens.last != "" && p.Now().Before(p.tokens.until) {
		return p.tokens.last, nil
	}
	var body struct {
		Token     string `json:"access_token"`
		ExpiresIn int64  `json:"expires_in"`
	}
	asked := p.Now()
	_, failure := p.client.do(ctx, request{
		operation: fetchToken, method: http.MethodPost, url: p.IdentityURL + "/auth/access-tokens",
		header: map[string]string{"Accept": "application/json"},
		media:  "application/x-www-form-urlencoded", body: []byte(url.Values{
			"grant_type": {"client_credentials"}, "scope": {"letter"},
			"client_id": {p.ClientID}, "client_secret": {string(p.ClientSecret)},
		}.Encode()), into: &body,
	})
	if failure == nil && !tokenPattern.MatchString(body.Token) {
		failure = malformed(fetchToken)
	}
	if failure != nil {
		return "", asBusy(failure)
	}
	// The documented maximum is twelve hours.
	life := time.Duration(min(max(body.ExpiresIn, 0), int64(12*time.Hour/time.Second))) * time.Second
	p.tokens.last, p.tokens.until = observe.Secret(body.Token), asked.Add(life-tokenMargin)
	return p.tokens.last, nil
}

// forget removes a token that the API rejected from the cache.
func (t *tokens) forget(token observe.Secret) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == token {
		t.last = ""
	}
}
