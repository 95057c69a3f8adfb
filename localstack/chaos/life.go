package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"aviso/internal/clock"
	"aviso/localstack/chaos/history"
)

// returnURL is below a return URL that the seed registers.
const returnURL = "https://partner.example/back"

const (
	cancellationsPath = "/cancellations/v1/cancellations"
	connectionsPath   = "/openbanking/v1/connections"
)

// life is what a partner does for one user.
type life struct {
	*run
	name   string
	client *client
	dice   *dice
	user   string

	mu sync.Mutex
	// left are the products that the user has not cancelled yet.
	left        []product
	made        []string // cancellations
	connections []string
}

// live plays one user from the first call to the last.
func (r *run) live(ctx context.Context, n int) {
	d := newDice(r.seed, fmt.Sprint("life ", n))
	l := &life{
		run: r, name: fmt.Sprintf("life-%d", n), client: pick(d, r.clients), dice: d, left: slices.Clone(r.products),
	}
	d.mu.Lock()
	d.rand.Shuffle(len(l.left), func(i, j int) { l.left[i], l.left[j] = l.left[j], l.left[i] })
	d.mu.Unlock()
	if !l.arrive(ctx) {
		return
	}
	steps := []func(context.Context){
		l.cancel, l.cancel, l.cancelTwice, l.cancelByIdentifier, l.withdraw, l.connect, l.refresh, l.reconnect, l.look,
	}
	for range d.between(3, 8) {
		if !r.goesOn(ctx) {
			return
		}
		pick(d, steps)(ctx)
		clock.Wait(ctx, d.wait(0, time.Second))
	}
	if d.in(2) {
		l.leave(ctx)
	}
}

// key returns a new idempotency key.
func (l *life) key(what string) string { return fmt.Sprintf("%s-%s-%d", l.name, what, l.keys.Add(1)) }

func (l *life) arrive(ctx context.Context) bool {
	body := map[string]any{"countryCode": "DE", "languageCode": "de"}
	if l.dice.in(2) {
		body["externalId"] = l.name
	}
	made, err := l.client.do(ctx, request{
		operation: "createUser", method: http.MethodPost, path: "/identity/v1/users", key: l.key("user"), body: body,
		object: "data.user.userId",
	})
	if err != nil || !made.ok() {
		return false
	}
	l.user = made.body.Get("data.user.userId").String()
	history.Note(l.book, func(h *history.History) *[]history.User { return &h.Users },
		history.User{Partner: l.client.partner, ID: l.user})
	for _, t := range l.terms {
		accepted, err := l.client.do(ctx, request{
			operation: "acceptTerms", method: http.MethodPost, path: "/identity/v1/users/" + l.user + "/terms-acceptances",
			user: l.user, key: l.key("terms"), body: t, object: "data.termsAcceptance.acceptedAt",
		})
		if err != nil || !accepted.ok() {
			return false
		}
	}
	return true
}

// wish takes a product that the user has not cancelled yet and notes the intent.
func (l *life) wish() (body map[string]any, intent string, ok bool) {
	if len(l.left) == 0 {
		return nil, "", false
	}
	p := l.left[0]
	l.left = l.left[1:]
	intent = l.key("intent")
	history.Note(l.book, func(h *history.History) *[]history.Intent { return &h.Intents }, history.Intent{
		ID: intent, Partner: l.client.partner, User: l.user, Product: p.id, Fallback: p.fallback,
	})
	return p.letter(), intent, true
}

func (l *life) post(ctx context.Context, body map[string]any, intent, key string) {
	made, err := l.client.do(ctx, request{
		operation: "createCancellation", method: http.MethodPost, path: cancellationsPath, user: l.user,
		key: key, intent: intent, body: body, object: "data.cancellation.cancellationId",
	})
	if err == nil && made.ok() {
		l.mu.Lock()
		l.made = append(l.made, made.body.Get("data.cancellation.cancellationId").String())
		l.mu.Unlock()
	}
}

// cancel cancels a product, and sometimes sends the request again although it was
// answered.
func (l *life) cancel(ctx context.Context) {
	body, intent, ok := l.wish()
	if !ok {
		return
	}
	key := l.key("cancel")
	l.post(ctx, body, intent, key)
	if l.dice.in(3) {
		l.post(ctx, body, intent, key)
	}
}

// cancelTwice sends the same request several times at once.
func (l *life) cancelTwice(ctx context.Context) {
	body, intent, ok := l.wish()
	if !ok {
		return
	}
	key := l.key("cancel")
	var all sync.WaitGroup
	for range l.dice.between(2, 4) {
		all.Go(func() { l.post(ctx, body, intent, key) })
	}
	all.Wait()
}

// cancelByIdentifier names the request by an identifier of the partner's, and may send it
// again under another key.
func (l *life) cancelByIdentifier(ctx context.Context) {
	body, intent, ok := l.wish()
	if !ok {
		return
	}
	body["externalCancellationRequestIdentifier"] = intent
	l.post(ctx, body, intent, l.key("cancel"))
	if l.dice.in(2) {
		l.post(ctx, body, intent, l.key("cancel"))
	}
}

func (l *life) withdraw(ctx context.Context) {
	if len(l.made) == 0 {
		l.cancel(ctx)
	}
	if len(l.made) == 0 {
		return
	}
	id := l.made[len(l.made)-1]
	taken, err := l.client.do(ctx, request{
		operation: "withdrawCancellation", method: http.MethodPost, path: cancellationsPath + "/" + id + "/withdraw", user: l.user,
	})
	if err == nil && taken.ok() {
		history.Note(l.book, func(h *history.History) *[]history.Withdrawal { return &h.Withdrawals },
			history.Withdrawal{Cancellation: id, Ended: taken.ended})
	}
}

func (l *life) connect(ctx context.Context) {
	if l.connected.Add(1) > maxConnections {
		l.look(ctx)
		return
	}
	made, err := l.client.do(ctx, request{
		operation: "createConnection", method: http.MethodPost, path: connectionsPath, user: l.user, key: l.key("connect"),
		body: map[string]any{"providerId": pick(l.dice, l.banks), "returnUrl": returnURL}, object: "data.connectionId",
	})
	if err != nil || !made.ok() {
		return
	}
	id := made.body.Get("data.connectionId").String()
	l.approve(ctx, made.body.Get("data.redirectUrl").String())
	l.connections = append(l.connections, id)
	for range 8 {
		c, err := l.client.read(ctx, l.user, connectionsPath+"/"+id)
		if err != nil || !c.ok() || c.body.Get("data.connection.lastSuccessAt").Time().Year() > 1 {
			return
		}
		if !clock.Wait(ctx, time.Second) {
			return
		}
	}
}

// approve is the user at the bank, who tries again if a page does not open.
func (l *life) approve(ctx context.Context, link string) {
	for range 4 {
		b := newBrowser(l.transport)
		_, err := b.visit(ctx, link, pick(l.dice, []string{"anna", "family", "student"}), l.name)
		if err == nil || !clock.Wait(ctx, l.dice.wait(time.Second, 4*time.Second)) {
			l.counts.add("visits to a bank")
			return
		}
		l.counts.add("visits to a bank broken")
	}
}

func (l *life) refresh(ctx context.Context) {
	if len(l.connections) == 0 {
		return
	}
	// Mostly too early; the clock decides.
	_, _ = l.client.do(ctx, request{
		operation: "refresh", method: http.MethodPost, path: connectionsPath + "/" + pick(l.dice, l.connections) + "/refresh",
		user: l.user, key: l.key("refresh"),
	})
}

func (l *life) reconnect(ctx context.Context) {
	if len(l.connections) == 0 {
		l.connect(ctx)
		return
	}
	id := pick(l.dice, l.connections)
	made, err := l.client.do(ctx, request{
		operation: "reconnect", method: http.MethodPost, path: connectionsPath + "/" + id + "/reconnect",
		user: l.user, key: l.key("reconnect"), body: map[string]any{"returnUrl": returnURL}, object: "data.connectionId",
	})
	if err == nil && made.ok() {
		l.approve(ctx, made.body.Get("data.redirectUrl").String())
	}
}

// look reads what there is to read.
func (l *life) look(ctx context.Context) {
	for _, path := range []string{
		"/openbanking/v1/accounts", "/openbanking/v1/transactions?limit=100", "/openbanking/v1/insights/categories",
		"/openbanking/v1/insights/merchants", cancellationsPath,
	} {
		if _, err := l.client.read(ctx, l.user, path); err != nil {
			return
		}
	}
}

// leave erases the user, sometimes while letters are waiting.
func (l *life) leave(ctx context.Context) {
	if !l.dice.in(3) {
		var all sync.WaitGroup
		for range min(4, len(l.left)) {
			body, intent, _ := l.wish()
			key := l.key("cancel")
			all.Go(func() { l.post(ctx, body, intent, key) })
		}
		all.Wait()
	}
	gone, err := l.client.do(ctx, request{
		operation: "eraseUser", method: http.MethodDelete, path: "/identity/v1/users/" + l.user, user: l.user,
		object: "data.erasure.erasureId",
	})
	if err != nil {
		history.Note(l.book, func(h *history.History) *[]history.Erasure { return &h.Erasures },
			history.Erasure{Partner: l.client.partner, User: l.user, Ended: history.Never, Complete: true})
		return
	}
	id := gone.body.Get("data.erasure.erasureId").String()
	history.Note(l.book, func(h *history.History) *[]history.Erasure { return &h.Erasures }, history.Erasure{
		Partner: l.client.partner, User: l.user, ID: id, Ended: gone.ended,
		Complete: id == "", // the receipt's ID was lost with its answer; the tables will tell
	})
}
