// Package route holds the events with which the functions are measured.
package route

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"aviso/bench/world"
	"aviso/internal/cancellation"
	"aviso/internal/event"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// Route is one kind of event for one function.
type Route struct {
	// Function is the folder in functions/.
	Function string
	// Name is the route's name in tables.
	Name   string
	Source Source
	// Hot marks the routes whose instructions are counted.
	Hot bool
	// Read marks the routes that write nothing.
	Read bool
	// Payload returns the n-th event. The events of a writing route differ.
	Payload func(n int) []byte
	// Turns is held during an invocation, so that others wait; nil if they need not.
	Turns *sync.Mutex
	// Check checks a response.
	Check func(answer []byte) error
}

// Source is where a function gets its events from.
type Source int

// The sources.
const (
	API Source = iota
	Queue
	// Free is a stream or another service of AWS, for whose events AWS charges nothing.
	Free
)

// Caller is the partner and user of requests.
type Caller struct {
	Token string
	User  owner.User
}

func (c Caller) headers() map[string]string {
	return map[string]string{"authorization": "Bearer " + c.Token, "x-user-id": string(c.User.ID)}
}

func (c Caller) get(target string) func(int) []byte {
	e := request{method: "GET", target: target, header: c.headers()}.event()
	return func(int) []byte { return e }
}

func (c Caller) post(target, body string) []byte { return c.send("POST", target, body) }

func (c Caller) send(method, target, body string) []byte {
	h := c.headers()
	h["content-type"] = "application/json"
	return request{method: method, target: target, header: h, body: body}.event()
}

// The names of routes in more than one measurement.
const (
	Providers    = "GET providers, 50"
	Transactions = "GET transactions, 100"
	Categories   = "GET insights/categories"
	Create       = "POST cancellations"
	Token        = "POST token"
)

// All returns the routes of all functions, in the order of the tables. What is written for the
// writer would make the other's answers grow.
func All(c, writer Caller) []Route {
	return slices.Concat(behindAPI(c), writes(writer), behindQueues())
}

func behindAPI(c Caller) []Route {
	read := c.Read
	hot := func(r Route) Route { r.Hot = true; return r }
	return []Route{
		hot(TokenRoute()),
		hot(read("identity", "GET user", "/identity/v1/users/"+string(c.User.ID))),
		hot(read("pfm", Providers, "/openbanking/v1/providers?countryCode=DE&limit=50")),
		hot(read("pfm", "GET accounts", "/openbanking/v1/accounts")),
		hot(read("pfm", Transactions, "/openbanking/v1/transactions?limit=100")),
		hot(read("pfm", Categories, "/openbanking/v1/insights/categories")),
		read("cancellation", "GET organizations, 50", "/cancellations/v1/organizations?limit=50"),
		hot(Route{Function: "cancellation", Name: Create, Payload: c.cancellation, Check: wants(201)}),
		read("search", "GET search", "/cancellations/v1/search?searchQuery=fitnes"),
		read("notification", "GET subscriptions", "/webhooks/v1/subscriptions"),
		read("sandbox", "GET sandbox/banks", "/sandbox/banks"),
		read("console", "GET console/sign-in", "/console/sign-in"),
	}
}

// Read returns a reading route for any address.
func (c Caller) Read(function, name, target string) Route {
	return Route{Function: function, Name: name, Read: true, Payload: c.get(target), Check: wants(200)}
}

// Floor returns the route of a floor that reads as many rows, each by a call, and then writes as
// many in a transaction, if any.
func (c Caller) Floor(floor, name string, calls, items int) Route {
	target := fmt.Sprintf("/?calls=%d&items=%d", calls, items)
	return Route{Function: floor, Name: name, Hot: true, Read: items == 0, Payload: c.get(target)}
}

// Event returns a route that fans out an event to the partner's subscriptions.
func (c Caller) Event() Route {
	return Route{Function: "outbox-relay", Name: "event", Check: done, Payload: func(n int) []byte {
		return inserted(event.Queue, event.Event{
			ID: world.ID("event", n), Type: "connection.activated", OccurredAt: time.Unix(1795167360, 0).UTC(),
			Partner: c.User.Partner, User: c.User.ID,
			Data: json.RawMessage(`{"connectionId":"` + world.ID("connection", 0) + `","connectionStatus":"Active"}`),
		})
	}}
}

// inserted returns the stream record of a message that was added to the outbox.
func inserted(queue string, body any) []byte {
	return marshal(map[string]any{"Records": []any{map[string]any{
		"eventID": "1", "eventName": "INSERT", "eventSource": "aws:dynamodb", "awsRegion": "eu-central-1",
		"dynamodb": map[string]any{"SequenceNumber": "1", "StreamViewType": "NEW_IMAGE", "NewImage": map[string]any{
			"pk": map[string]string{"S": world.ID("outbox", 0)}, "queue": map[string]string{"S": queue},
			"body":      map[string]string{"S": string(marshal(body))},
			"createdAt": map[string]string{"S": "2026-11-20T09:36:00.000Z"},
		}},
	}}})
}

// TokenRoute returns the route for an access token, which needs no caller.
func TokenRoute() Route {
	form := url.Values{
		"grant_type": {"client_credentials"}, "client_id": {"sandbox"}, "client_secret": {"sandbox-secret"},
	}
	e := request{
		method: "POST", target: "/oauth2/token", body: form.Encode(),
		header: map[string]string{"content-type": "application/x-www-form-urlencoded"},
	}.event()
	return Route{Function: "identity", Name: Token, Payload: func(int) []byte { return e }, Check: wants(200)}
}

// ParseToken returns the access token in a response to TokenRoute.
func ParseToken(answer []byte) (string, error) {
	var got struct {
		Body string `json:"body"`
	}
	var token struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return "", fmt.Errorf("read the response: %w", err)
	}
	if err := json.Unmarshal([]byte(got.Body), &token); err != nil || token.AccessToken == "" {
		return "", fmt.Errorf("no token in %s", got.Body)
	}
	return token.AccessToken, nil
}

// cancellation returns the n-th request for a letter by e-mail.
func (c Caller) cancellation(n int) []byte {
	type field struct {
		Key   string `json:"fieldKey"`
		Value string `json:"fieldValue"`
	}
	return c.post("/cancellations/v1/cancellations", string(marshal(map[string]any{
		"externalCancellationRequestIdentifier": fmt.Sprintf("order-%d", n),
		"organizationId":                        cancellation.OrganizationID("success-society"),
		"productId":                             cancellation.ProductID("success-society", "success"),
		"locale":                                "de-DE",
		"parameters": []field{
			{"NAME", "Anna Sommer"},
			{"ADDRESS", "Lindenallee 12"},
			{"ZIP", "50667"},
			{"CITY", "Köln"},
			{"EMAIL", "anna.sommer@example.org"},
			{"CUSTOMER_NUMBER", "K-204817"},
			{"DATA_DELETE_REQUEST", "true"},
		},
		"signature": map[string]string{"type": "TEXT", "data": "Anna Sommer"},
		"repeat":    true,
	})))
}

// Subscribe returns the route that creates a subscription.
func (c Caller) Subscribe() Route {
	e := c.post("/webhooks/v1/subscriptions", `{"serverUrl":"http://127.0.0.1:8080/","events":["*"]}`)
	payload := func(int) []byte { return e }
	return Route{Function: "notification", Name: "POST subscriptions", Payload: payload, Check: wants(201)}
}

// behindQueues returns events whose object is gone, which is the minimal work for a message
// and always the same.
func behindQueues() []Route {
	queued := func(function string, body any) Route {
		e := marshal(map[string]any{"Records": []any{map[string]any{
			"messageId": world.ID("message", 0), "receiptHandle": "bench", "body": string(marshal(body)),
			"eventSource": "aws:sqs", "awsRegion": "eu-central-1",
			"attributes": map[string]string{"ApproximateReceiveCount": "1", "SentTimestamp": "1795167360000"},
		}}})
		payload := func(int) []byte { return e }
		return Route{Function: function, Name: "message, object gone", Source: Queue, Payload: payload, Check: done}
	}
	job := pfm.SyncJob{
		Partner: world.Partner, User: owner.UserID(world.ID("nobody", 0)), ConnectionID: world.ID("nothing", 0),
	}
	relayed := inserted("sync", job)
	mail := marshal(map[string]any{
		"version": "0", "id": world.ID("event", 0), "detail-type": "Email Delivered",
		"source": "aws.ses", "region": "eu-central-1",
		"detail": map[string]any{"eventType": "Delivery", "mail": map[string]any{
			"messageId": "bench", "timestamp": "2026-11-20T09:36:00.000Z",
			"tags": map[string]any{
				"cancellationId": []string{world.ID("nothing", 0)},
				"shipmentId":     []string{world.ID("nothing", 1)},
			},
		}, "delivery": map[string]string{"timestamp": "2026-11-20T09:36:00.000Z"}},
	})
	return []Route{
		queued("bank-sync", job),
		queued("letter-dispatch", map[string]string{
			"kind": "send", "partner": string(world.Partner),
			"user": world.ID("nobody", 0), "cancellationId": world.ID("nothing", 0),
		}),
		queued("webhook-delivery", map[string]string{
			"partner":        string(world.Partner),
			"subscriptionId": world.ID("nothing", 0), "deliveryId": world.ID("nothing", 1),
		}),
		{
			Function: "outbox-relay", Name: "message to SyncQueue", Source: Free, Check: done,
			Payload: func(int) []byte { return relayed },
		},
		{
			Function: "letter-feedback", Name: "mail delivered, letter gone", Source: Free, Check: done,
			Payload: func(int) []byte { return mail },
		},
	}
}

// Key returns a name that is unique among all routes.
func (r Route) Key() string {
	if strings.HasPrefix(r.Name, r.Function) { // a floor
		return r.Name
	}
	return r.Function + ": " + r.Name
}
