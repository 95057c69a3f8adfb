package budget

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	aviso "aviso.example/client"
)

// hooks receives Aviso's callbacks.
type hooks struct {
	address string
	client  *aviso.Client
	arrived func(*aviso.Event)

	mu       sync.Mutex
	receiver http.Handler
	seen     map[string]bool
}

const subscriptionName = "Budgeting app"

// subscribe makes the app's subscription once. The key is told only when it is made, and this app
// keeps nothing, so it replaces the subscription of its last run.
func (h *hooks) subscribe(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.receiver != nil {
		return nil
	}
	old, err := h.client.Webhooks.ListSubscriptions(ctx)
	if err != nil {
		return err
	}
	for _, s := range old {
		if s.Description == subscriptionName && s.ServerURL == h.address {
			if err := h.client.Webhooks.DeleteSubscription(ctx, s.SubscriptionID); err != nil {
				return err
			}
		}
	}
	made, err := h.client.Webhooks.CreateSubscription(ctx, aviso.CreateWebhookSubscriptionRequest{
		ServerURL: h.address, Events: []string{"*"}, Description: subscriptionName,
	})
	if err != nil {
		return err
	}
	// The client checks the signature, and acknowledges what store takes.
	h.receiver, err = aviso.Receiver(h.store, made.Secret.Key)
	return err
}

func (h *hooks) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	receiver := h.receiver
	h.mu.Unlock()
	if receiver == nil {
		http.Error(w, "This app has no subscription.", http.StatusServiceUnavailable)
		return
	}
	receiver.ServeHTTP(w, r)
}

// maxSeen limits the IDs that are kept; repeats come within two hours.
const maxSeen = 10_000

// store passes on an event unless it has been here before.
func (h *hooks) store(_ *http.Request, event *aviso.Event) error {
	h.mu.Lock()
	known := h.seen[event.EventID]
	if len(h.seen) >= maxSeen {
		clear(h.seen)
	}
	h.seen[event.EventID] = true
	h.mu.Unlock()
	if !known {
		h.arrived(event)
	}
	return nil
}

// arrived tells the user's pages that there is something new. They ask Aviso what it is.
func (a *App) arrived(event *aviso.Event) { a.live.tell(event.UserID) }

// live knows the pages that wait for news about a user.
type live struct {
	mu    sync.Mutex
	pages map[string]map[chan struct{}]bool
}

func newLive() *live { return &live{pages: map[string]map[chan struct{}]bool{}} }

func (l *live) tell(user string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for page := range l.pages[user] {
		select {
		case page <- struct{}{}:
		default: // it has not yet looked at the last news
		}
	}
}

func (l *live) join(user string) (news chan struct{}, leave func()) {
	news = make(chan struct{}, 1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pages[user] == nil {
		l.pages[user] = map[chan struct{}]bool{}
	}
	l.pages[user][news] = true
	return news, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if delete(l.pages[user], news); len(l.pages[user]) == 0 {
			delete(l.pages, user)
		}
	}
}

// follow sends a server-sent event whenever there is something new.
func (v *visit) follow() error {
	news, leave := v.live.join(v.user.ID)
	defer leave()
	v.w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(v.w)
	for text := ": hello\n\n"; ; {
		if _, err := fmt.Fprint(v.w, text); err != nil || out.Flush() != nil {
			return nil // the page was closed
		}
		select {
		case <-v.r.Context().Done():
			return nil
		case <-v.ended:
			return nil
		case <-news:
			text = "data: news\n\n"
		case <-time.After(20 * time.Second):
			text = ": still here\n\n" // so that nothing on the way closes the connection
		}
	}
}
