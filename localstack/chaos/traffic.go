package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	aviso "aviso.example/client"

	"aviso/internal/clock"
	"aviso/localstack/stack/partner"
)

const (
	// returnURL is below a return URL that the seed registers.
	returnURL = "https://partner.example/back"
	// lives is how many users are busy at the same time.
	lives = 6
	// maxConnected is how many users connect banks: each brings hundreds of rows.
	maxConnected = 120
)

// partnerSide is a partner with its client and the subscriptions that get everything.
type partnerSide struct {
	*run
	name   string
	client *aviso.Client
	steady []string
}

// prepare makes what has to exist before anything breaks.
func (r *run) prepare(ctx context.Context, baseURL string) error {
	calls := &http.Client{Timeout: partner.CallWithin, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	for _, name := range []string{"sandbox", "sandbox-2"} {
		client, err := aviso.New(aviso.Config{
			BaseURL: baseURL, ClientID: name, ClientSecret: name + "-secret", HTTPClient: calls,
			MaxRetries: 1000, Timeout: r.duration + 3*time.Minute, // a partner who must know
		})
		if err != nil {
			return err
		}
		p := &partnerSide{run: r, name: name, client: client}
		r.partners = append(r.partners, p)
		for i := range 2 {
			made, err := p.subscribe(ctx, fmt.Sprintf("%s-steady-%d", name, i), "*")
			if err != nil {
				return err
			}
			r.receivers.keys["/"+made.Subscription.Description] = key{made.Subscription.SubscriptionID, made.Secret.Key}
			p.steady = append(p.steady, made.Subscription.SubscriptionID)
		}
	}
	banks, err := r.partners[0].client.Providers.ListPage(ctx, &aviso.ListProvidersParams{ProviderNameFilter: "linden"})
	if err != nil {
		return err
	}
	r.bank = banks.Items[0].ID
	for _, name := range []string{ // the first few send no e-mail
		"Nur Post", "Nur Einschreiben", "Nur Fax", "Einschreiben oder Fax", "Nur E-Mail", "Success Society",
		"Alle Kanäle", "Complaint Club", "Bounce GmbH", "Suppressed Ltd", "Sackgasse GmbH",
	} {
		_, found, err := partner.Find(ctx, r.partners[0].client, name)
		if err != nil {
			return err
		}
		r.products = append(r.products, partner.Letter(found))
	}
	return nil
}

// created notes what a call under a key has made in each of the collections, if that is known.
func created[T any](r *run, key string, made T, err error, id func(T) string, collections ...string) (T, error) {
	one := request{Key: key}
	if failure, failed := errors.AsType[*aviso.Error](err); failed {
		one.Refused = failure.Status >= 400 && failure.Status < 500
	} else if err == nil {
		one.Object = id(made)
	}
	for _, one.Collection = range collections {
		r.note(func(all *record) { all.Requests = append(all.Requests, one) })
	}
	return made, err
}

func (p *partnerSide) subscribe(ctx context.Context, key, event string) (*aviso.CreatedWebhookSubscriptionData, error) {
	url := p.receivers.url + "/" + key
	body := aviso.CreateWebhookSubscriptionRequest{ServerURL: url, Events: []string{event}, Description: key}
	made, err := p.client.Webhooks.CreateSubscription(ctx, body, aviso.WithIdempotencyKey(key))
	id := func(s *aviso.CreatedWebhookSubscriptionData) string { return s.Subscription.SubscriptionID }
	return created(p.run, key, made, err, id, "subscriptions of "+p.name)
}

func (p *partnerSide) ping(ctx context.Context, key string) {
	body := aviso.SimulateEventRequest{EventType: "webhook.ping"}
	made, err := p.client.Webhooks.SimulateEvent(ctx, body, aviso.WithIdempotencyKey(key))
	id := func(e *aviso.SimulatedEvent) string { return e.EventID }
	_, _ = created(p.run, key, made, err, id, "pings to "+p.steady[0], "pings to "+p.steady[1])
}

// work lets partners and users work for as long as things break.
func (r *run) work(ctx context.Context) *sync.WaitGroup {
	var busy sync.WaitGroup
	var next atomic.Int64
	for range lives {
		busy.Go(func() {
			for r.breaking.Load() && ctx.Err() == nil {
				n := next.Add(1)
				l := &life{name: fmt.Sprintf("user-%d", n), left: slices.Clone(r.products), connects: n <= maxConnected}
				l.dice = newDice(r.seed, l.name)
				l.partnerSide = pick(l.dice, r.partners)
				l.live(ctx)
			}
		})
	}
	for _, p := range r.partners {
		d := newDice(r.seed, "events of "+p.name)
		busy.Go(func() {
			for n := 0; r.breaking.Load() && ctx.Err() == nil; n++ {
				p.ping(ctx, fmt.Sprintf("%s-ping-%d", p.name, n))
				if n%10 == 0 && n < 400 { // a partner may have 50; nobody causes these events
					_, _ = p.subscribe(ctx, fmt.Sprintf("%s-more-%d", p.name, n), "connection.revoked")
				}
				clock.Wait(ctx, d.wait(300*time.Millisecond, 2*time.Second))
			}
		})
	}
	return &busy
}

// life is what a partner does for one user.
type life struct {
	*partnerSide
	name string
	dice *dice
	user *aviso.UserView
	keys atomic.Int64
	// left are the products that the user has not cancelled yet.
	left []aviso.CreateCancellationRequest
	// made is the last cancellation.
	made        atomic.Value
	connections []string
	connects    bool
}

// live plays one user from the first call to the last. Users who leave in the end send no e-mail:
// their erasure would wait for 15 minutes if a kill cuts a mail off, and their clock is gone.
func (l *life) live(ctx context.Context) {
	leaves := l.dice.in(2)
	if leaves {
		l.left = l.left[:4]
	}
	if l.arrive(ctx) != nil {
		return
	}
	steps := []func(context.Context){l.cancel, l.cancel, l.withdraw, l.connect, l.refresh}
	for range 3 + l.dice.upTo(6) {
		if l.breaking.Load() {
			pick(l.dice, steps)(ctx)
			clock.Wait(ctx, l.dice.wait(0, time.Second))
		}
	}
	if leaves {
		l.leave(ctx)
	}
}

// key returns a new idempotency key.
func (l *life) key(what string) string { return fmt.Sprintf("%s-%s-%d", l.name, what, l.keys.Add(1)) }

func (l *life) arrive(ctx context.Context) error {
	key, body := l.key("user"), aviso.CreateUserRequest{CountryCode: "DE", LanguageCode: "de"}
	made, err := l.client.Users.Create(ctx, body, aviso.WithIdempotencyKey(key))
	if _, err := created(l.run, key, made, err, func(u *aviso.User) string { return u.UserID }, "users"); err != nil {
		return err
	}
	l.user = l.client.User(made.UserID)
	l.note(func(all *record) { all.Users = append(all.Users, user{l.partnerSide.name, made.UserID}) })
	_, err = partner.AcceptTerms(ctx, l.client, made.UserID)
	return err
}

// cancel cancels a product that the user has not cancelled yet. It sends the request a few times
// at once, and then again.
func (l *life) cancel(ctx context.Context) {
	if len(l.left) == 0 {
		return
	}
	i, key, collection := l.dice.upTo(len(l.left)), l.key("cancel"), "cancellations of "+l.user.ID
	body := l.left[i]
	l.left = slices.Delete(l.left, i, i+1)
	id := func(c *aviso.CreatedCancellationData) string { return c.Cancellation.CancellationID }
	send := func() {
		made, err := l.user.Cancellations.Create(ctx, body, nil, aviso.WithIdempotencyKey(key))
		if made, err := created(l.run, key, made, err, id, collection); err == nil {
			l.made.Store(id(made))
		}
	}
	var all sync.WaitGroup
	for range 1 + l.dice.upTo(3) {
		all.Go(send)
	}
	all.Wait()
	for range l.dice.upTo(2) {
		send()
	}
}

// withdraw may come too late.
func (l *life) withdraw(ctx context.Context) {
	l.cancel(ctx)
	if id, ok := l.made.Load().(string); ok {
		_, _ = l.user.Cancellations.Withdraw(ctx, id)
	}
}

func (l *life) connect(ctx context.Context) {
	if !l.connects {
		return
	}
	key := l.key("connect")
	body := aviso.CreateConnectionRequest{ProviderID: l.bank, ReturnURL: returnURL}
	link, err := l.user.Connections.Create(ctx, body, aviso.WithIdempotencyKey(key))
	id := func(c *aviso.ConnectionLink) string { return c.ConnectionID }
	if _, err := created(l.run, key, link, err, id, "connections of "+l.user.ID); err != nil {
		return
	}
	l.connections = append(l.connections, link.ConnectionID)
	persona := pick(l.dice, []string{"anna", "family", "student"})
	// A page may not open.
	_, _ = partner.Approve(ctx, nil, link.RedirectURL, returnURL, persona, "current", "savings", "card")
}

// refresh is mostly too early; the clock decides.
func (l *life) refresh(ctx context.Context) {
	if len(l.connections) > 0 {
		_, _ = l.user.Connections.Refresh(ctx, pick(l.dice, l.connections), nil)
	}
}

// leave erases the user, while letters are waiting.
func (l *life) leave(ctx context.Context) {
	l.cancel(ctx)
	gone := erasure{user: user{l.partnerSide.name, l.user.ID}}
	made, err := l.client.Users.Delete(ctx, l.user.ID)
	if err == nil {
		gone.ID = made.ErasureID
	}
	// Not found: an earlier try has worked, but the receipt was lost with its answer.
	if err == nil || errors.Is(err, aviso.ErrNotFound) {
		l.note(func(all *record) { all.Erasures = append(all.Erasures, gone) })
	}
}
