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

// callback is a callback that the service posted.
type callback struct {
	event  gjson.Result
	header http.Header
}

// receiver is the partner's server for callbacks. It rejects those without a valid
// signature and acknowledges the others.
type receiver struct {
	server *http.Server

	mu       sync.Mutex
	verifier *webhooks.Webhook
	// careless leaves the timestamp out of acknowledgements of pings.
	careless bool
	got      []callback
}

// ServeHTTP receives a callback.
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

// all returns the callbacks so far.
func (r *receiver) all() []callback {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.got)
}

// userEvents returns the events about the user so far, each once: one may arrive twice.
func (w *walker) userEvents() (events []gjson.Result) {
	seen := map[string]bool{}
	for _, c := range w.receiver.all() {
		id := c.event.Get("eventId").Str
		if c.event.Get("userId").Str == w.partner.Vars["USER_ID"] && !seen[id] {
			seen[id] = true
			events = append(events, c.event)
		}
	}
	return events
}

func (w *walker) subscribe(ctx context.Context) string {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	check(err)
	r := &receiver{}
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: partner.CallWithin}
	w.receiver = r
	go func() { _ = r.server.Serve(l) }()
	subscribe := func(url string) partner.Call {
		body := `{"serverUrl":"` + url + `","events":["*"],"description":"demo"}`
		return partner.Post("/webhooks/v1/subscriptions", body).Keeping("subscriptionId", "SUBSCRIPTION_ID")
	}
	w.screen.curl(subscribe("http://127.0.0.1:8080/").String())
	// A callback may arrive before the response with the key, so it has to wait.
	r.mu.Lock()
	defer r.mu.Unlock()
	url := "http://" + l.Addr().String() + "/"
	created := w.call(ctx, subscribe(url))
	r.verifier, err = webhooks.NewWebhook(created.Get("data.secret.key").Str)
	check(err)
	w.screen.tell("server  %s (to run one yourself, use make listen in another terminal)", url)
	return "subscribed to all events; only this response has the signing key"
}

const subscriptionPath = "/webhooks/v1/subscriptions/$SUBSCRIPTION_ID"

func unsubscribing() partner.Call {
	return partner.Call{Method: http.MethodDelete, Path: subscriptionPath}
}

// unsubscribe deletes the subscription and stops the server, even after a failed step.
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

// expected returns the events that the walk causes for every persona. Events about
// transactions are not among them, because some personas have no transactions.
func expected() []string {
	return []string{
		"connection.activated", "connection.refreshed", "cancellation.created", "cancellation.queued",
		"cancellation.sent", "cancellation.delivered", "cancellation.withdrawn", "cancellation.confirmed",
	}
}

// lastEventAfter is how long no event may have arrived before the last one is taken to be
// there, so that the walk counts the same events each time.
const lastEventAfter = 2 * time.Second

func (w *walker) readEvents(ctx context.Context) string {
	var kinds []string
	var seen map[string]int
	known, since := 0, time.Now()
	w.eventually(ctx, w.lettersWithin, "not all events of this user have arrived", func(context.Context) bool {
		kinds, seen = nil, map[string]int{}
		events := w.userEvents()
		for _, e := range events {
			kind := e.Get("eventType").Str
			if seen[kind]++; seen[kind] == 1 {
				kinds = append(kinds, kind)
			}
		}
		if len(events) != known {
			known, since = len(events), time.Now()
		}
		return time.Since(since) >= lastEventAfter &&
			!slices.ContainsFunc(expected(), func(name string) bool { return seen[name] == 0 })
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

// ping requests a simulated event for the subscription.
func ping() partner.Call {
	return partner.Post("/webhooks/v1/events", `{"eventType":"webhook.ping","subscriptionId":"$SUBSCRIPTION_ID"}`)
}

func (w *walker) simulate(ctx context.Context) string {
	id := w.show(ctx, ping()).Get("data.event.eventId").Str
	var got callback
	w.eventually(ctx, w.lettersWithin, "the simulated event has not arrived", func(context.Context) bool {
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
	w.eventually(ctx, w.lettersWithin, "the attempt has not been listed", func(ctx context.Context) bool {
		failed = w.call(ctx, attempts).Get(`data.attempts.#(eventId=="` + id + `")`)
		return failed.Exists()
	})
	next := failed.Get("nextAttemptAt")
	want(failed.Get("outcome").Str == "InvalidAcknowledgement" && next.Type == gjson.String,
		"an acknowledgement without a timestamp ended as %s", failed.Get("outcome"))
	w.screen.table([]string{"Event", "Attempt", "Outcome", "Detail", "Next"},
		[][]string{append(row(failed, "eventType", "attemptNumber", "outcome", "detail"), clockTime(next))})
	check(w.unsubscribe(ctx))
	return "the error says what was wrong; the subscription is now deleted, so no retry follows"
}
