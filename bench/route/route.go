// Package route has what functions are measured with: for each function the
// events that tell what it costs.
package route

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"aviso/bench/world"
	"aviso/internal/cancellation"
	"aviso/internal/event"
	"aviso/internal/owner"
	"aviso/internal/pfm"
)

// Route is one kind of event of one function.
type Route struct {
	// Function is the folder under functions/.
	Function string
	// Name is what the tables call it.
	Name string
	// Hot marks the routes whose instructions are counted.
	Hot bool
	// Read marks those that write nothing.
	Read bool
	// Payload is the n-th event; those of a writing route differ.
	Payload func(n int) []byte
	// Check looks at an answer.
	Check func(answer []byte) error
}

// Caller is for whom the requests are made.
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

func (c Caller) post(target, body string) []byte {
	h := c.headers()
	h["content-type"] = "application/json"
	return request{method: "POST", target: target, header: h, body: body}.event()
}

// The routes that more than one measurement asks for by name.
const (
	Providers    = "GET providers, 50"
	Transactions = "GET transactions, 100"
	Categories   = "GET insights/categories"
	Create       = "POST cancellations"
	Token        = "POST token"
)

// All are the routes of all functions, in the order of the tables.
func All(c Caller) []Route {
	return append(behindAPI(c), behindQueues()...)
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
	}
}

// Read is a reading route of any address.
func (c Caller) Read(function, name, target string) Route {
	return Route{Function: function, Name: name, Read: true, Payload: c.get(target), Check: wants(200)}
}

// Floor is what a floor is asked for: the least that makes so many calls.
func (c Caller) Floor(floor, name string, calls int) Route {
	return Route{Function: floor, Name: name, Hot: true, Read: true, Payload: c.get("/?calls=" + strconv.Itoa(calls))}
}

// Event hands an event out to the partner's subscriptions, a new one each time.
func (c Caller) Event() Route {
	return Route{Function: "outbox-relay", Name: "event", Check: done, Payload: func(n int) []byte {
		return inserted(event.Queue, event.Event{
			ID: world.ID("event", n), Type: "connection.activated", OccurredAt: time.Unix(1795167360, 0).UTC(), Partner: c.User.Partner, User: c.User.ID,
			Data: json.RawMessage(`{"connectionId":"` + world.ID("connection", 0) + `","connectionStatus":"Active"}`),
		})
	}}
}

// inserted is the stream's record of a message that was put into the outbox.
func inserted(queue string, body any) []byte {
	return marshal(map[string]any{"Records": []any{map[string]any{
		"eventID": "1", "eventName": "INSERT", "eventSource": "aws:dynamodb", "awsRegion": "eu-central-1",
		"dynamodb": map[string]any{"SequenceNumber": "1", "StreamViewType": "NEW_IMAGE", "NewImage": map[string]any{
			"pk": map[string]string{"S": world.ID("outbox", 0)}, "queue": map[string]string{"S": queue},
			"body": map[string]string{"S": string(marshal(body))}, "createdAt": map[string]string{"S": "2026-11-20T09:36:00.000Z"},
		}},
	}}})
}

// TokenRoute gives an access token, for which no caller is needed.
func TokenRoute() Route {
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {"sandbox"}, "client_secret": {"sandbox-secret"}}
	e := request{
		method: "POST", target: "/oauth2/token", body: form.Encode(),
		header: map[string]string{"content-type": "application/x-www-form-urlencoded"},
	}.event()
	return Route{Function: "identity", Name: Token, Payload: func(int) []byte { return e }, Check: wants(200)}
}

// ParseToken is the access token in an answer of TokenRoute.
func ParseToken(answer []byte) (string, error) {
	var got struct {
		Body string `json:"body"`
	}
	var token struct {
		AccessToken string `json:"access_token"`
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return "", fmt.Errorf("read the answer: %w", err)
	}
	if err := json.Unmarshal([]byte(got.Body), &token); err != nil || token.AccessToken == "" {
		return "", fmt.Errorf("no token in %s", got.Body)
	}
	return token.AccessToken, nil
}

// cancellation is a request for a letter by e-mail, the n-th.
func (c Caller) cancellation(n int) []byte {
	type field struct {
		Key   string `json:"fieldKey"`
		Value string `json:"fieldValue"`
	}
	return c.post("/cancellations/v1/cancellations", string(marshal(map[string]any{
		"externalCancellationRequestIdentifier": fmt.Sprintf("order-%d", n),
		"organizationId":                        cancellation.OrganizationID("success-society"),
		"productId":                             cancellation.ProductID("success-society", "success"), "locale": "de-DE",
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
	})))
}

// Subscribe makes a subscription.
func (c Caller) Subscribe() Route {
	e := c.post("/webhooks/v1/subscriptions", `{"serverUrl":"http://127.0.0.1:8080/","events":["*"]}`)
	return Route{Function: "notification", Name: "POST subscriptions", Payload: func(int) []byte { return e }, Check: wants(201)}
}

// behindQueues are events whose object is gone: the least work that a message
// makes, and the same each time.
func behindQueues() []Route {
	queued := func(function string, body any) Route {
		e := marshal(map[string]any{"Records": []any{map[string]any{
			"messageId": world.ID("message", 0), "receiptHandle": "bench", "body": string(marshal(body)), "eventSource": "aws:sqs",
			"awsRegion": "eu-central-1", "attributes": map[string]string{"ApproximateReceiveCount": "1", "SentTimestamp": "1795167360000"},
		}}})
		return Route{Function: function, Name: "message, object gone", Payload: func(int) []byte { return e }, Check: done}
	}
	job := pfm.SyncJob{Partner: world.Partner, User: owner.UserID(world.ID("nobody", 0)), ConnectionID: world.ID("nothing", 0)}
	relayed := inserted("sync", job)
	mail := marshal(map[string]any{
		"version": "0", "id": world.ID("event", 0), "detail-type": "Email Delivered", "source": "aws.ses", "region": "eu-central-1",
		"detail": map[string]any{"eventType": "Delivery", "mail": map[string]any{
			"messageId": "bench", "timestamp": "2026-11-20T09:36:00.000Z",
			"tags": map[string]any{"cancellationId": []string{world.ID("nothing", 0)}, "shipmentId": []string{world.ID("nothing", 1)}},
		}, "delivery": map[string]string{"timestamp": "2026-11-20T09:36:00.000Z"}},
	})
	return []Route{
		queued("bank-sync", job),
		queued("letter-dispatch", map[string]string{
			"kind": "send", "partner": string(world.Partner), "user": world.ID("nobody", 0), "cancellationId": world.ID("nothing", 0),
		}),
		queued("webhook-delivery", map[string]string{
			"partner": string(world.Partner), "subscriptionId": world.ID("nothing", 0), "deliveryId": world.ID("nothing", 1),
		}),
		{Function: "outbox-relay", Name: "message to SyncQueue", Payload: func(int) []byte { return relayed }, Check: done},
		{Function: "letter-feedback", Name: "mail delivered, letter gone", Payload: func(int) []byte { return mail }, Check: done},
	}
}

// Key names the route among those of all functions.
func (r Route) Key() string {
	if strings.HasPrefix(r.Name, r.Function) { // a floor
		return r.Name
	}
	return r.Function + ": " + r.Name
}
