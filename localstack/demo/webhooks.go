package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/tidwall/gjson"

	"aviso/localstack/partner"
)

// callback is what the service posts.
type callback struct {
	event  gjson.Result
	header http.Header
}

// receiver is the partner's server for callbacks. It believes none that is not
// signed, and acknowledges the others.
type receiver struct {
	server *http.Server

	mu       sync.Mutex
	verifier *webhooks.Webhook
	// careless: acknowledgements of pings lack their timestamp.
	careless bool
	got      []callback
}

// ServeHTTP takes a callback.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, 1<<20))
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil || r.verifier == nil || r.verifier.Verify(body, req.Header) != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	c := callback{gjson.ParseBytes(body), req.Header}
	r.got = append(r.got, c)
	acknowledgement := map[string]any{"isAcknowledged": true, "timestamp": time.Now().UTC().Format(time.RFC3339)}
	if r.careless && c.event.Get("eventType").Str == "webhook.ping" {
		delete(acknowledgement, "timestamp")
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(acknowledgement)
}

// all are the callbacks so far.
func (r *receiver) all() []callback {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

func (w *walker) subscribe(ctx context.Context) string {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	check(err)
	r := &receiver{}
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: partner.CallWithin}
	w.receiver = r
	go func() { _ = r.server.Serve(l) }()
	wish := func(url string) partner.Call {
		return partner.Post("/webhooks/v1/subscriptions", `{"serverUrl":"`+url+`","events":["*"],"description":"demo"}`).
			Keeping("subscriptionId", "SUBSCRIPTION_ID")
	}
	w.screen.curl(wish("http://127.0.0.1:8080/").String())
	// A callback may be faster than the answer that brings the key: it waits.
	r.mu.Lock()
	defer r.mu.Unlock()
	url := "http://" + l.Addr().String() + "/"
	made := w.call(ctx, wish(url))
	r.verifier, err = webhooks.NewWebhook(made.Get("data.secret.key").Str)
	check(err)
	w.screen.tell("server  %s; make listen, in another terminal, is such a server, too", url)
	return "all events; the key that signs them was in this answer only"
}

const subscriptionPath = "/webhooks/v1/subscriptions/$SUBSCRIPTION_ID"

func unsubscribing() partner.Call {
	return partner.Call{Method: http.MethodDelete, Path: subscriptionPath}
}

// unsubscribe ends what subscribe has begun, also when a step has failed.
func (w *walker) unsubscribe(ctx context.Context) error {
	if w.receiver == nil {
		return nil
	}
	defer func() { _ = w.receiver.server.Close() }()
	if w.partner.Vars["SUBSCRIPTION_ID"] == "" {
		return nil
	}
	_, err := w.partner.Do(ctx, unsubscribing())
	delete(w.partner.Vars, "SUBSCRIPTION_ID")
	return err
}

// expected are the events that the walk causes whoever the user is; people
// without transactions get no news of them.
func expected() []string {
	return []string{
		"connection.activated", "connection.refreshed", "cancellation.created", "cancellation.queued",
		"cancellation.sent", "cancellation.delivered", "cancellation.withdrawn", "cancellation.confirmed",
	}
}

func (w *walker) readEvents(ctx context.Context) string {
	var kinds []string
	var seen map[string]int
	w.eventually(ctx, w.lettersWithin, "the events of this user have not all come", func(context.Context) bool {
		kinds, seen = nil, map[string]int{}
		events := map[string]bool{}
		for _, c := range w.receiver.all() {
			id, kind := c.event.Get("eventId").Str, c.event.Get("eventType").Str
			if c.event.Get("userId").Str != w.partner.Vars["USER_ID"] || events[id] { // an event may come twice
				continue
			}
			events[id] = true
			if seen[kind]++; seen[kind] == 1 {
				kinds = append(kinds, kind)
			}
		}
		return !slices.ContainsFunc(expected(), func(name string) bool { return seen[name] == 0 })
	})
	var rows [][]string
	n := 0
	for _, name := range kinds {
		rows = append(rows, []string{name, strconv.Itoa(seen[name])})
		n += seen[name]
	}
	w.screen.table([]string{"Event", "Times"}, rows, 1)
	return fmt.Sprintf("%d callbacks about this user, every signature verified", n)
}

// ping asks for a simulated event to the subscription.
func ping() partner.Call {
	return partner.Post("/webhooks/v1/events", `{"eventType":"webhook.ping","subscriptionId":"$SUBSCRIPTION_ID"}`)
}

func (w *walker) simulate(ctx context.Context) string {
	id := w.show(ctx, ping()).Get("data.event.eventId").Str
	var got callback
	w.eventually(ctx, w.lettersWithin, "the simulated event has not come", func(context.Context) bool {
		all := w.receiver.all()
		i := slices.IndexFunc(all, func(c callback) bool { return c.event.Get("eventId").Str == id })
		if i >= 0 {
			got = all[i]
		}
		return i >= 0
	})
	want(got.event.Get("isSimulated").Bool(), "the simulated event does not say that it is simulated")
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		w.screen.tell("%-18s %s", name, got.header.Get(name))
	}
	w.screen.tell("%s\n", got.event.Raw)
	return "verified and acknowledged"
}

func (w *walker) failAcknowledging(ctx context.Context) string {
	attempts := partner.Get(subscriptionPath + "/attempts?limit=5")
	attempts.Until = `"outcome":`
	w.screen.curl(attempts.String(), unsubscribing().String())
	w.receiver.mu.Lock()
	w.receiver.careless = true
	w.receiver.mu.Unlock()
	id := w.call(ctx, ping()).Get("data.event.eventId").Str
	var failed gjson.Result
	w.eventually(ctx, w.lettersWithin, "the attempt is not in the list", func(ctx context.Context) bool {
		failed = w.call(ctx, attempts).Get(`data.attempts.#(eventId=="` + id + `")`)
		return failed.Exists()
	})
	next := failed.Get("nextAttemptAt")
	want(failed.Get("outcome").Str == "InvalidAcknowledgement" && next.Type == gjson.String,
		"an acknowledgement without a timestamp ended as %s", failed.Get("outcome"))
	w.screen.table([]string{"Event", "Attempt", "Outcome", "Detail", "Next"},
		[][]string{append(row(failed, "eventType", "attemptNumber", "outcome", "detail"), clockTime(next))})
	check(w.unsubscribe(ctx))
	return "told what was wrong; the subscription is deleted, so nothing is tried again"
}
