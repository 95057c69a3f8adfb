package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// largest bounds the body of a callback.
const largest = 1 << 20

// callback is what the service posts.
type callback struct {
	EventID     string `json:"eventId"`
	EventType   string `json:"eventType"`
	IsSimulated bool   `json:"isSimulated"`
	UserID      string `json:"userId"`

	body   []byte
	header http.Header
}

// receiver is the partner's server for callbacks. It believes none that is not
// signed, and acknowledges the others.
type receiver struct {
	url    string
	server *http.Server
	// trusted is closed when the key is there: a callback may be faster than the
	// answer that brings it.
	trusted  chan struct{}
	verifier *webhooks.Webhook

	mu sync.Mutex
	// careless: acknowledgements of pings lack their timestamp.
	careless bool
	got      []callback
}

func startReceiver(ctx context.Context) (*receiver, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	r := &receiver{url: "http://" + l.Addr().String() + "/", trusted: make(chan struct{})}
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: callWithin}
	go func() { _ = r.server.Serve(l) }()
	return r, nil
}

// trust takes callbacks that are signed with this key.
func (r *receiver) trust(key string) (err error) {
	r.verifier, err = webhooks.NewWebhook(key)
	close(r.trusted)
	return err
}

// ServeHTTP takes a callback.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, largest))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	select {
	case <-r.trusted:
	case <-req.Context().Done():
		return
	}
	var c callback
	if r.verifier == nil || r.verifier.Verify(body, req.Header) != nil || json.Unmarshal(body, &c) != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	c.body, c.header = body, req.Header
	acknowledgement := map[string]any{"isAcknowledged": true, "timestamp": time.Now().UTC().Format(time.RFC3339)}
	r.mu.Lock()
	r.got = append(r.got, c)
	if r.careless && c.EventType == "webhook.ping" {
		delete(acknowledgement, "timestamp")
	}
	r.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(acknowledgement)
}

func (r *receiver) beCareless() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.careless = true
}

// all are the callbacks so far.
func (r *receiver) all() []callback {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}
