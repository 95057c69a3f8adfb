package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"
)

const webhookPath = "/webhooks/v1"

type createdSubscriptionData struct {
	Subscription struct {
		SubscriptionID string `json:"subscriptionId"`
	} `json:"subscription"`
	Secret struct {
		Key string `json:"key"`
	} `json:"secret"`
}

type eventData struct {
	Event struct {
		EventID string `json:"eventId"`
	} `json:"event"`
}

type attempt struct {
	EventID       string     `json:"eventId"`
	EventType     string     `json:"eventType"`
	AttemptNumber int        `json:"attemptNumber"`
	Outcome       string     `json:"outcome"`
	Detail        string     `json:"detail"`
	NextAttemptAt *time.Time `json:"nextAttemptAt"`
}

type attemptsData struct {
	Attempts []attempt `json:"attempts"`
}

func (w *walker) subscribe(ctx context.Context) error {
	w.screen.begin("The partner subscribes to events", "A server of the partner is told of what happens to its users. This program is that server.")
	w.screen.curl(`SUBSCRIPTION_ID=$(curl -s`+authorization+asJSON+` \`,
		`  -d '{"serverUrl":"http://127.0.0.1:8080/","events":["*"],"description":"demo"}' \`,
		`  $BASE_URL`+webhookPath+`/subscriptions`+take("subscriptionId")+`)`)
	var err error
	if w.receiver, err = startReceiver(ctx); err != nil {
		return err
	}
	var made envelope[createdSubscriptionData]
	body := map[string]any{"serverUrl": w.receiver.url, "events": []string{"*"}, "description": "demo"}
	if err := w.partner.do(ctx, call{method: http.MethodPost, path: webhookPath + "/subscriptions", body: body}, &made); err != nil {
		return err
	}
	w.subscription = made.Data.Subscription.SubscriptionID
	if err := w.receiver.trust(made.Data.Secret.Key); err != nil {
		return fmt.Errorf("the key of the subscription: %w", err)
	}
	w.screen.tell("server  %s; make listen, in another terminal, is such a server, too", w.receiver.url)
	w.screen.end("all events; the key that signs them was in this answer only")
	return nil
}

// unsubscribe ends what subscribe has begun, also when a step has failed.
func (w *walker) unsubscribe(ctx context.Context) error {
	if w.receiver == nil {
		return nil
	}
	defer func() { _ = w.receiver.server.Close() }()
	if w.subscription == "" {
		return nil
	}
	_, err := w.partner.fetch(ctx, call{method: http.MethodDelete, path: webhookPath + "/subscriptions/" + w.subscription})
	w.subscription = ""
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

func (w *walker) readEvents(ctx context.Context) error {
	w.screen.begin("What the partner's server was told meanwhile", "Each callback is signed (Standard Webhooks); one that is not would not be acknowledged.")
	var kinds []string
	var seen map[string]int
	err := w.eventually(ctx, "the events of this user have not all come", func(context.Context) (bool, error) {
		kinds, seen = nil, map[string]int{}
		events := map[string]bool{}
		for _, c := range w.receiver.all() {
			if c.UserID != w.partner.userID || events[c.EventID] { // an event may come twice
				continue
			}
			events[c.EventID] = true
			if seen[c.EventType]++; seen[c.EventType] == 1 {
				kinds = append(kinds, c.EventType)
			}
		}
		return !slices.ContainsFunc(expected(), func(name string) bool { return seen[name] == 0 }), nil
	})
	if err != nil {
		return err
	}
	var rows [][]string
	n := 0
	for _, name := range kinds {
		rows = append(rows, []string{name, strconv.Itoa(seen[name])})
		n += seen[name]
	}
	w.screen.table([]string{"Event", "Times"}, rows, 1)
	w.screen.end("%d callbacks about this user, every signature verified", n)
	return nil
}

// ping asks for a simulated event to the subscription and gives its id.
func (w *walker) ping(ctx context.Context) (string, error) {
	var answer envelope[eventData]
	body := map[string]string{"eventType": "webhook.ping", "subscriptionId": w.subscription}
	err := w.partner.do(ctx, call{method: http.MethodPost, path: webhookPath + "/events", body: body}, &answer)
	return answer.Data.Event.EventID, err
}

func (w *walker) simulate(ctx context.Context) error {
	w.screen.begin("The partner asks for a simulated event", "Of any type, to try a receiver without waiting for something to happen.")
	w.screen.curl(`curl -s`+authorization+asJSON+` \`,
		`  -d "{\"eventType\":\"webhook.ping\",\"subscriptionId\":\"$SUBSCRIPTION_ID\"}" \`,
		`  $BASE_URL`+webhookPath+`/events`)
	id, err := w.ping(ctx)
	if err != nil {
		return err
	}
	var got callback
	err = w.eventually(ctx, "the simulated event has not come", func(context.Context) (bool, error) {
		all := w.receiver.all()
		i := slices.IndexFunc(all, func(c callback) bool { return c.EventID == id })
		if i >= 0 {
			got = all[i]
		}
		return i >= 0, nil
	})
	if err != nil {
		return err
	}
	if !got.IsSimulated {
		return errors.New("the simulated event does not say that it is simulated")
	}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		w.screen.tell("%-18s %s", name, got.header.Get(name))
	}
	w.screen.tell("%s", got.body)
	w.screen.line("")
	w.screen.end("verified and acknowledged")
	return nil
}

func (w *walker) failAcknowledging(ctx context.Context) error {
	w.screen.begin("The partner's server forgets a part of its acknowledgement", "The service says what was missing, and tries twice more: after 15 minutes and after 60.")
	w.screen.curl(`for i in $(seq 60); do`,
		`  curl -s`+authorization+` "$BASE_URL`+webhookPath+`/subscriptions/$SUBSCRIPTION_ID/attempts?limit=5" | grep '"outcome":' && break`,
		`  sleep 1`,
		`done`,
		`curl -s -X DELETE`+authorization+` $BASE_URL`+webhookPath+`/subscriptions/$SUBSCRIPTION_ID`)
	w.receiver.beCareless()
	id, err := w.ping(ctx)
	if err != nil {
		return err
	}
	path := webhookPath + "/subscriptions/" + w.subscription + "/attempts?limit=10"
	var list envelope[attemptsData]
	var failed attempt
	err = w.eventually(ctx, "the attempt is not in the list", func(ctx context.Context) (bool, error) {
		if err := w.partner.do(ctx, call{method: http.MethodGet, path: path}, &list); err != nil {
			return false, err
		}
		i := slices.IndexFunc(list.Data.Attempts, func(a attempt) bool { return a.EventID == id })
		if i >= 0 {
			failed = list.Data.Attempts[i]
		}
		return i >= 0, nil
	})
	if err != nil {
		return err
	}
	if failed.Outcome != "InvalidAcknowledgement" || failed.NextAttemptAt == nil {
		return fmt.Errorf("an acknowledgement without a timestamp ended as %s", failed.Outcome)
	}
	rows := [][]string{{failed.EventType, strconv.Itoa(failed.AttemptNumber), failed.Outcome, failed.Detail, failed.NextAttemptAt.Local().Format(time.TimeOnly)}}
	w.screen.table([]string{"Event", "Attempt", "Outcome", "Detail", "Next"}, rows)
	if err := w.unsubscribe(ctx); err != nil {
		return err
	}
	w.screen.end("told what was wrong; the subscription is deleted, so nothing is tried again")
	return nil
}
