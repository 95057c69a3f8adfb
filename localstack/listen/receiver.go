package main

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"time"

	"aviso/internal/clock"
)

// maxBody is far larger than any callback.
const maxBody = 1 << 20

// receiver serves callbacks (POST), and users who return from a bank (GET).
type receiver struct {
	verifier  verifier
	behaviour behaviour
	screen    *screen
	now       func() time.Time

	mu sync.Mutex
	// deliveries counts each event's deliveries, by event ID.
	deliveries map[string]int
}

func newReceiver(v verifier, b behaviour, s *screen, now func() time.Time) *receiver {
	return &receiver{verifier: v, behaviour: b, screen: s, now: now, deliveries: map[string]int{}}
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	switch req.Method {
	case http.MethodPost:
		r.callback(w, req)
	case http.MethodGet, http.MethodHead:
		r.page(w, req)
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func (r *receiver) callback(w http.ResponseWriter, req *http.Request) {
	begun := r.now()
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxBody))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	c := callback{at: begun, body: body}
	genuine, how := r.verifier.verify(body, req.Header)
	c.verified = how
	answer := refusal()
	if genuine {
		c.delivery = r.count(req.Header.Get("webhook-id"))
		f := r.behaviour.at(c.delivery)
		if f == hang && !r.wait(req, c) {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		answer = f.reply(r.now())
	}
	write(w, answer)
	r.screen.callback(c, answer, r.now().Sub(begun))
}

func (r *receiver) count(eventID string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.deliveries[eventID]++
	return r.deliveries[eventID]
}

// wait hangs. It returns false if the caller gives up or the program ends.
func (r *receiver) wait(req *http.Request, c callback) bool {
	r.screen.hanging(c)
	if !clock.Wait(req.Context(), hangFor) {
		r.screen.abandoned(c, r.now().Sub(c.at))
		return false
	}
	return true
}

func write(w http.ResponseWriter, a reply) {
	if a.body == nil {
		w.WriteHeader(a.status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(a.status)
	_ = json.NewEncoder(w).Encode(a.body) // fails only if the caller has gone
}
