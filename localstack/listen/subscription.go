package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// callWithin bounds one call; the service's own functions have 20 s.
const callWithin = 25 * time.Second

// description marks the subscriptions that this program makes.
const description = "make listen"

// service is the partner's side of a running local stack.
type service struct {
	http    *http.Client
	baseURL string
}

func newService(baseURL string) *service {
	return &service{http: &http.Client{Timeout: callWithin}, baseURL: strings.TrimSuffix(baseURL, "/")}
}

// isLocal tells whether an address is of this machine, where the sandbox's
// public credentials are good.
func isLocal(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	switch u.Hostname() {
	case "localhost", "127.0.0.1", "::1":
		return true
	}
	return false
}

type subscription struct {
	ID          string `json:"subscriptionId"`
	ServerURL   string `json:"serverUrl"`
	Description string `json:"description"`
}

// subscribe subscribes the address to all events and gives the subscription's
// id and key. A subscription that a killed program has left behind is deleted
// first: its callbacks would come as well, signed with a key that is gone.
func (s *service) subscribe(ctx context.Context, serverURL string) (id, key string, err error) {
	token, err := s.token(ctx)
	if err != nil {
		return "", "", err
	}
	var list struct {
		Data struct{ Subscriptions []subscription }
	}
	if err := s.call(ctx, token, http.MethodGet, "?limit=200", nil, &list); err != nil {
		return "", "", err
	}
	for _, old := range list.Data.Subscriptions {
		if old.Description == description && old.ServerURL == serverURL {
			if err := s.call(ctx, token, http.MethodDelete, "/"+old.ID, nil, nil); err != nil {
				return "", "", err
			}
		}
	}
	var made struct {
		Data struct {
			Subscription subscription
			Secret       struct{ Key string }
		}
	}
	wish := map[string]any{"serverUrl": serverURL, "events": []string{"*"}, "description": description}
	if err := s.call(ctx, token, http.MethodPost, "", wish, &made); err != nil {
		return "", "", err
	}
	return made.Data.Subscription.ID, made.Data.Secret.Key, nil
}

// unsubscribe deletes the subscription. It asks for a token of its own: the
// first one may have ended meanwhile.
func (s *service) unsubscribe(ctx context.Context, id string) error {
	token, err := s.token(ctx)
	if err != nil {
		return err
	}
	return s.call(ctx, token, http.MethodDelete, "/"+id, nil, nil)
}

func (s *service) token(ctx context.Context) (string, error) {
	form := strings.NewReader("grant_type=client_credentials&scope=webhook")
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.baseURL+"/oauth2/token", form)
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth("sandbox", "sandbox-secret")
	var answer struct {
		Token string `json:"access_token"`
	}
	err = s.send(req, &answer)
	return answer.Token, err
}

// call is one on the path below the subscriptions.
func (s *service) call(ctx context.Context, token, method, path string, body, answer any) error {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, s.baseURL+"/webhooks/v1/subscriptions"+path, content)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return s.send(req, answer)
}

// send reads a success into answer, unless that is nil.
func (s *service) send(req *http.Request, answer any) error {
	resp, err := s.http.Do(req)
	if errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("nothing answers at %s; start the service first, in another terminal: make run", s.baseURL)
	}
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", req.Method, req.URL.Path, err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return fmt.Errorf("%s %s answered %d: %s", req.Method, req.URL.Path, resp.StatusCode, text)
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(text, answer)
}
