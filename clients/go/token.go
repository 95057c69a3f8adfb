package aviso

import (
	"context"
	"net/http"
	"time"
)

// tokens keeps the access token. Whoever finds none fetches it while the others wait.
type tokens struct {
	lock    chan struct{} // has room for one; a mutex would not give up with the context
	token   string
	renewAt time.Time
}

func newTokens() *tokens { return &tokens{lock: make(chan struct{}, 1)} }

func (t *tokens) get(ctx context.Context, c *Client) (string, error) {
	select {
	case t.lock <- struct{}{}:
	case <-ctx.Done():
		return "", lost(ctx.Err())
	}
	defer func() { <-t.lock }()
	if t.token != "" && time.Now().Before(t.renewAt) {
		return t.token, nil
	}
	req := &http.Request{Header: http.Header{
		"Accept": {"application/json"}, "Content-Type": {"application/x-www-form-urlencoded"}, "User-Agent": {c.config.UserAgent},
	}}
	req.SetBasicAuth(c.config.ClientID, c.config.ClientSecret)
	body, err := c.sendWithRetries(ctx, &call{
		method: http.MethodPost, url: c.config.BaseURL + "/oauth2/token", header: req.Header,
		body: []byte("grant_type=client_credentials"), repeatable: true,
	})
	if err != nil {
		return "", err
	}
	answer, err := decode[TokenResponse](body)
	if err != nil {
		return "", lost(err)
	}
	lifetime := time.Duration(answer.ExpiresIn) * time.Second
	t.token, t.renewAt = answer.AccessToken, time.Now().Add(lifetime-min(time.Minute, lifetime/10))
	return t.token, nil
}

// forget drops a token that was refused, unless another has taken its place.
func (t *tokens) forget(token string) {
	t.lock <- struct{}{}
	defer func() { <-t.lock }()
	if t.token == token {
		t.token = ""
	}
}
