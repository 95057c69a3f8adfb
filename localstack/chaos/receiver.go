package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"aviso/internal/clock"
	"aviso/localstack/chaos/history"
)

// receivers are the partners' servers. Each subscription has its own path.
type receivers struct {
	dice    *dice
	weather *weather
	book    *history.Book
	now     func() time.Duration
	counts  *tally

	mu sync.Mutex
	// at is by path.
	at map[string]*receiver
}

// receiver is one subscription's.
type receiver struct {
	partner      string
	subscription string
	keys         []string
	// known is closed when the subscription and its key are known.
	known chan struct{}
}

// open returns the path of a new receiver.
func (r *receivers) open(path, partner string) *receiver {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := &receiver{partner: partner, known: make(chan struct{})}
	r.at[path] = one
	return one
}

// trust lets a receiver accept signatures by the key.
func (r *receivers) trust(one *receiver, subscription, key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	one.subscription = subscription
	one.keys = append(one.keys, key)
	if len(one.keys) == 1 {
		close(one.known)
	}
}

func (r *receivers) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	r.mu.Lock()
	one := r.at[req.URL.Path]
	r.mu.Unlock()
	if one == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	select {
	case <-one.known:
	case <-req.Context().Done():
		return
	}
	c := r.read(one, body, req.Header)
	respond, name := r.behaviour()
	c.Acknowledged = respond == nil && c.Genuine
	history.Note(r.book, func(h *history.History) *[]history.Callback { return &h.Callbacks }, c)
	switch {
	case !c.Genuine:
		w.WriteHeader(http.StatusUnauthorized)
	case respond != nil:
		r.counts.add(name)
		respond(w, req)
	default:
		acknowledge(w)
	}
}

func acknowledge(w http.ResponseWriter) {
	_ = json.NewEncoder(w).Encode(map[string]any{"isAcknowledged": true, "timestamp": time.Now().UTC()})
}

func (r *receivers) read(one *receiver, body []byte, header http.Header) history.Callback {
	var event struct {
		EventID, EventType, UserID string
		Data                       struct{ CancellationID string }
	}
	_ = json.Unmarshal(body, &event) // what is missing shows
	r.mu.Lock()
	defer r.mu.Unlock()
	c := history.Callback{
		Partner: one.partner, Subscription: one.subscription, Event: event.EventID, Type: event.EventType,
		User: event.UserID, Cancellation: event.Data.CancellationID, At: r.now(),
		Signatures: len(strings.Fields(header.Get("webhook-signature"))),
	}
	for _, key := range one.keys {
		// The stack's clock may be ahead.
		if w, err := webhooks.NewWebhook(key); err == nil && w.VerifyIgnoringTimestamp(body, header) == nil {
			c.Genuine = true
		}
	}
	return c
}

// behaviour returns how to answer the next callback instead of acknowledging it, or nil.
func (r *receivers) behaviour() (respond http.HandlerFunc, name string) {
	if !r.weather.bad() || !r.dice.in(6) {
		return nil, ""
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	wait := func(d time.Duration, then http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, req *http.Request) {
			if clock.Wait(req.Context(), d) {
				then(w, req)
			}
		}
	}
	cut := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	half := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, `{"isAcknowledged":true`)
		panic(http.ErrAbortHandler)
	}
	slow := func(w http.ResponseWriter, req *http.Request) {
		for _, part := range []string{`{"isAcknow`, `ledged":fal`, `se}`} {
			_, _ = io.WriteString(w, part)
			_ = http.NewResponseController(w).Flush()
			time.Sleep(time.Second)
		}
	}
	elsewhere := func(w http.ResponseWriter, req *http.Request) {
		http.Redirect(w, req, req.URL.Path+"/elsewhere", http.StatusTemporaryRedirect)
	}
	const minute = 61 * time.Second
	type choice struct {
		name string
		http.HandlerFunc
	}
	choices := []choice{
		{"500 receiver", status(http.StatusInternalServerError)}, {"204 receiver", status(http.StatusNoContent)},
		{"cut receiver", cut}, {"half an answer receiver", half}, {"slow body receiver", slow},
		{"redirect receiver", elsewhere}, {"late 500 receiver", wait(5*time.Second, status(http.StatusInternalServerError))},
	}
	if r.dice.in(10) {
		choices = []choice{{"hanging receiver", wait(minute, cut)}}
	}
	chosen := pick(r.dice, choices)
	return chosen.HandlerFunc, chosen.name
}
