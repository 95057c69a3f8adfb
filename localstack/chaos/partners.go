package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"aviso/internal/clock"
	"aviso/localstack/chaos/history"
)

const subscriptionsPath = "/webhooks/v1/subscriptions"

// The service's limits.
const (
	maxSubscriptions = 50
	maxSigning       = 5
)

// subscribe makes a subscription with its receiver and returns its ID.
func (r *run) subscribe(ctx context.Context, c *client, key string, events ...string) (string, error) {
	path := "/" + key
	one := r.receivers.open(path, c.partner)
	made, err := c.do(ctx, request{
		operation: "createSubscription", method: http.MethodPost, path: subscriptionsPath, key: key,
		body:   map[string]any{"serverUrl": r.receiverURL + path, "events": events, "description": key},
		object: "data.subscription.subscriptionId",
	})
	if err != nil || !made.ok() {
		return "", fmt.Errorf("subscription %s: %d %s %w", key, made.status, made.code, errUndecided)
	}
	id := made.body.Get("data.subscription.subscriptionId").String()
	r.receivers.trust(one, id, made.body.Get("data.secret.key").String())
	return id, nil
}

// listen makes the subscriptions that stay until the end.
func (r *run) listen(ctx context.Context) error {
	for _, c := range r.clients {
		for i := range 2 {
			id, err := r.subscribe(ctx, c, fmt.Sprintf("%s-steady-%d", c.partner, i), "*")
			if err != nil {
				return err
			}
			history.Note(r.book, func(h *history.History) *[]history.Subscription { return &h.Subscriptions },
				history.Subscription{Partner: c.partner, ID: id, Since: r.now()})
		}
	}
	return nil
}

// notify lets a partner cause events.
func (r *run) notify(ctx context.Context, c *client) {
	d := newDice(r.seed, "events of "+c.partner)
	for r.goesOn(ctx) {
		r.simulate(ctx, c, d)
		clock.Wait(ctx, d.wait(500*time.Millisecond, 4*time.Second))
	}
}

// flood lets a partner go to its limits.
func (r *run) flood(ctx context.Context, c *client) {
	d := newDice(r.seed, "floods of "+c.partner)
	for clock.Wait(ctx, d.wait(5*time.Second, 20*time.Second)) && r.goesOn(ctx) {
		if d.in(2) {
			r.floodSubscriptions(ctx, c, d)
		} else {
			r.floodSecrets(ctx, c, d)
		}
	}
}

// simulate asks for an event.
func (r *run) simulate(ctx context.Context, c *client, d *dice) {
	kind := pick(d, []string{"webhook.ping", "webhook.ping", "connection.expiring", "cancellation.delivered", "transactions.updated"})
	begun := r.now()
	key := fmt.Sprintf("%s-event-%d", c.partner, r.keys.Add(1))
	made, err := c.do(ctx, request{
		operation: "simulateEvent", method: http.MethodPost, path: "/webhooks/v1/events", key: key,
		body: map[string]any{"eventType": kind}, object: "data.event.eventId",
	})
	if err == nil && made.ok() {
		history.Note(r.book, func(h *history.History) *[]history.Event { return &h.Events }, history.Event{
			Partner: c.partner, ID: made.body.Get("data.event.eventId").String(), Type: kind, Begun: begun,
		})
	}
}

// together runs n calls at once, a few more than the machine can.
func together(n int, call func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { call(i) })
	}
	all.Wait()
}

func (r *run) count(what, of string, n, least, limit int) {
	history.Note(r.book, func(h *history.History) *[]history.Count { return &h.Counts },
		history.Count{What: what, Owner: of, N: n, Least: least, Limit: limit})
}

// floodSubscriptions asks for more subscriptions at once than a partner may have.
func (r *run) floodSubscriptions(ctx context.Context, c *client, d *dice) {
	flood := fmt.Sprintf("%s-flood-%d", c.partner, r.keys.Add(1))
	together(d.between(52, 80), func(i int) {
		// Nobody causes this event, so that the flood costs no callbacks.
		_, _ = r.subscribe(ctx, c, fmt.Sprintf("%s-%d", flood, i), "connection.revoked")
	})
	list, err := c.read(ctx, "", subscriptionsPath)
	if err != nil || !list.ok() {
		return
	}
	all := list.body.Get("data.subscriptions").Array()
	r.count("subscriptions", c.partner, len(all), 0, maxSubscriptions)
	r.noteSubscriptions(c, all)
	var flooded []string
	for _, s := range all {
		if s.Get("events.0").String() == "connection.revoked" {
			flooded = append(flooded, s.Get("subscriptionId").String())
		}
	}
	together(len(flooded), func(i int) { r.unsubscribe(ctx, c, flooded[i]) })
}

// noteSubscriptions notes which subscription a key has made: the description is the key.
func (r *run) noteSubscriptions(c *client, all []gjson.Result) {
	for _, s := range all {
		history.Note(r.book, func(h *history.History) *[]history.Call { return &h.Calls }, history.Call{
			Partner: c.partner, Operation: "createSubscription", Key: s.Get("description").String(),
			Begun: r.now(), Ended: r.now(), Status: http.StatusOK, Object: s.Get("subscriptionId").String(),
		})
	}
}

func (r *run) unsubscribe(ctx context.Context, c *client, id string) {
	_, _ = c.do(ctx, request{
		operation: "deleteSubscription", method: http.MethodDelete, path: subscriptionsPath + "/" + id,
	})
}

// floodSecrets asks for many secrets at once, and then revokes all of them at once.
func (r *run) floodSecrets(ctx context.Context, c *client, d *dice) {
	key := fmt.Sprintf("%s-secrets-%d", c.partner, r.keys.Add(1))
	id, err := r.subscribe(ctx, c, key, "connection.revoked")
	if err != nil {
		return
	}
	defer r.unsubscribe(ctx, c, id)
	path := subscriptionsPath + "/" + id + "/secrets"
	together(d.between(10, 30), func(i int) {
		_, _ = c.do(ctx, request{
			operation: "createSecret", method: http.MethodPost, path: path, key: fmt.Sprintf("%s-%d", key, i),
			body: map[string]any{}, object: "data.secret.secretId",
		})
	})
	signing, _, ok := r.secrets(ctx, c, path)
	if !ok {
		return
	}
	r.count("secrets that sign", "subscription "+id, len(signing), 1, maxSigning)
	together(len(signing), func(i int) {
		_, _ = c.do(ctx, request{operation: "revokeSecret", method: http.MethodDelete, path: path + "/" + signing[i]})
	})
	if signing, active, ok := r.secrets(ctx, c, path); ok {
		r.count("active secrets", "subscription "+id, active, 1, max(1, len(signing)))
	}
}

// secrets returns the secrets that sign, and how many of them are active.
func (r *run) secrets(ctx context.Context, c *client, path string) (signing []string, active int, ok bool) {
	list, err := c.read(ctx, "", path)
	if err != nil || !list.ok() {
		return nil, 0, false
	}
	for _, s := range list.body.Get("data.secrets").Array() {
		switch s.Get("status").String() {
		case "Active":
			active++
			signing = append(signing, s.Get("secretId").String())
		case "Expiring":
			signing = append(signing, s.Get("secretId").String())
		}
	}
	return signing, active, true
}
