package main

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"

	"aviso/localstack/partner"
)

// description marks the subscriptions that this program creates.
const description = "make listen"

// service is a running local stack, as a partner sees it.
type service struct{ *partner.Client }

func newService(baseURL string) service {
	return service{&partner.Client{
		HTTP:    &http.Client{Timeout: partner.CallWithin},
		BaseURL: strings.TrimSuffix(baseURL, "/"), Vars: map[string]string{},
	}}
}

// isLocal reports whether an address is on this machine, where the sandbox's public
// credentials work.
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

const subscriptionsPath = "/webhooks/v1/subscriptions"

// subscribe subscribes the address to all events and returns the subscription's ID and
// key. It first deletes subscriptions left behind by a killed program: their callbacks
// would arrive too, signed with a lost key.
func (s service) subscribe(ctx context.Context, serverURL string) (id, key string, err error) {
	if err := s.token(ctx); err != nil {
		return "", "", err
	}
	list, err := s.Do(ctx, partner.Get(subscriptionsPath+"?limit=200"))
	if err != nil {
		return "", "", err
	}
	for _, old := range gjson.GetBytes(list, "data.subscriptions").Array() {
		if old.Get("description").Str == description && old.Get("serverUrl").Str == serverURL {
			if err := s.remove(ctx, old.Get("subscriptionId").Str); err != nil {
				return "", "", err
			}
		}
	}
	body := fmt.Sprintf(`{"serverUrl":%q,"events":["*"],"description":%q}`, serverURL, description)
	created, err := s.Do(ctx, partner.Post(subscriptionsPath, body))
	data := gjson.GetBytes(created, "data")
	return data.Get("subscription.subscriptionId").Str, data.Get("secret.key").Str, err
}

// unsubscribe deletes the subscription. It gets a new token, because the first may have
// expired.
func (s service) unsubscribe(ctx context.Context, id string) error {
	if err := s.token(ctx); err != nil {
		return err
	}
	return s.remove(ctx, id)
}

func (s service) remove(ctx context.Context, id string) error {
	_, err := s.Do(ctx, partner.Call{Method: http.MethodDelete, Path: subscriptionsPath + "/" + id})
	return err
}

func (s service) token(ctx context.Context) error {
	call := partner.Post("/oauth2/token", "grant_type=client_credentials&scope=webhook").
		Keeping("access_token", "TOKEN")
	call.Basic = true
	_, err := s.Do(ctx, call)
	return err
}
