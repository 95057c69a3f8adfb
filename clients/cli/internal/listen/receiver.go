package listen

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// maxBody is far larger than any callback.
const maxBody = 1 << 20

// receiver serves callbacks (POST), and users who return from a bank (GET).
type receiver struct {
	verifier  verifier
	behaviour behaviour
	forwardTo string // may be empty
	screen    *screen
	now       func() time.Time

	mu sync.Mutex
	// deliveries counts each event's deliveries, by event ID.
	deliveries map[string]int
}

func newReceiver(v verifier, o Options, s *screen, now func() time.Time) *receiver {
	return &receiver{verifier: v, behaviour: o.behaviour, forwardTo: o.ForwardTo, screen: s, now: now, deliveries: map[string]int{}}
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
		if f == none && r.forwardTo != "" {
			answer = forward(req.Context(), r.forwardTo, body, req.Header)
		} else {
			answer = f.reply(r.now())
		}
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
	select {
	case <-time.After(hangFor):
		return true
	case <-req.Context().Done():
		r.screen.abandoned(c, r.now().Sub(c.at))
		return false
	}
}

func write(w http.ResponseWriter, a reply) {
	if len(a.body) > 0 {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.body) // fails only if the caller has gone
}
