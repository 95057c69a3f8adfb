// Package route holds the events with which the functions are measured.
package route

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"aviso/bench/world"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/stack/host"
)

// Route is one kind of event for one function.
type Route struct {
	// Function is the folder in functions/, Name the route's name in tables.
	Function, Name string
	// Payload returns the n-th event. The events of a writing route differ.
	Payload func(n int) []byte
	// Check checks a response.
	Check func(answer []byte) error
}

// Key returns a name that is unique among all routes.
func (r Route) Key() string {
	if r.Name == "" { // the floor
		return r.Function
	}
	return r.Function + ": " + r.Name
}

// Caller is the partner and user of requests.
type Caller struct {
	Token string
	User  owner.User
}

// All returns the routes of all functions, in the order of the tables. What is written for the
// writer would make the other's answers grow.
func All(c, writer Caller) []Route {
	list := []Route{TokenRoute(), c.read("identity", "GET user", "/identity/v1/users/"+string(c.User.ID))}
	list = append(list, c.read("pfm", "GET providers, 50", "/openbanking/v1/providers?countryCode=DE&limit=50"))
	list = append(list, c.OfRows()...)
	list = append(
		list,
		c.read("cancellation", "GET organizations, 50", "/cancellations/v1/organizations?limit=50"),
		Route{Function: "cancellation", Name: "POST cancellations", Payload: c.cancellation, Check: wants(201)},
		c.read("search", "GET search", "/cancellations/v1/search?searchQuery=fitnes"),
		c.read("notification", "GET subscriptions", "/webhooks/v1/subscriptions"),
		c.read("sandbox", "GET sandbox/banks", "/sandbox/banks"),
		c.read("console", "GET console/sign-in", "/console/sign-in"),
	)
	return append(append(list, writes(writer)...), behindQueues(c)...)
}

// Transactions returns the route of a page of 100 transactions.
func (c Caller) Transactions() Route {
	return c.read("pfm", "GET transactions, 100", "/openbanking/v1/transactions?limit=100")
}

// OfRows returns the reads whose cost must not depend on how many transactions the user has.
func (c Caller) OfRows() []Route {
	return []Route{
		c.read("pfm", "GET accounts", "/openbanking/v1/accounts"),
		c.Transactions(),
		c.read("pfm", "GET insights/categories", "/openbanking/v1/insights/categories"),
	}
}

// always returns a route with one event.
func always(function, name string, event []byte, check func([]byte) error) Route {
	return Route{Function: function, Name: name, Payload: func(int) []byte { return event }, Check: check}
}

func (c Caller) read(function, name, target string) Route {
	return always(function, name, c.event("GET", target, ""), wants(200))
}

// Floor returns the route of the floor, which takes any event.
func (c Caller) Floor(name string) Route {
	return always(name, "", c.event("GET", "/", ""), func([]byte) error { return nil })
}

// TokenRoute returns the route for an access token, which needs no caller.
func TokenRoute() Route {
	e := Caller{}.event("POST", "/oauth2/token", url.Values{
		"grant_type": {"client_credentials"}, "client_id": {"sandbox"}, "client_secret": {"sandbox-secret"},
	}.Encode())
	return always("identity", "POST token", e, wants(200))
}

// ParseToken returns the access token in a response to TokenRoute.
func ParseToken(answer []byte) (string, error) {
	var got events.APIGatewayV2HTTPResponse
	var token struct {
		AccessToken string `json:"access_token"`
	}
	err := errors.Join(json.Unmarshal(answer, &got), json.Unmarshal([]byte(got.Body), &token))
	if err != nil || token.AccessToken == "" {
		return "", fmt.Errorf("no token in %s", answer)
	}
	return token.AccessToken, nil
}

// Subscribe returns the route that creates a subscription.
func (c Caller) Subscribe() Route {
	return c.write("notification", "POST subscriptions", 201, func(int) []byte {
		return c.event("POST", "/webhooks/v1/subscriptions", `{"serverUrl":"http://127.0.0.1:8080/","events":["*"]}`)
	})
}

func (c Caller) write(function, name string, status int, payload func(n int) []byte) Route {
	return Route{Function: function, Name: name, Payload: payload, Check: wants(status)}
}

// writes returns the routes that write and are called most, without the one of letters.
func writes(c Caller) []Route {
	var changes atomic.Int64
	return []Route{
		c.write("identity", "POST users", 201, func(n int) []byte {
			return c.event("POST", "/identity/v1/users",
				fmt.Sprintf(`{"externalId":"bench-%d","countryCode":"DE","languageCode":"de"}`, n))
		}),
		c.write("pfm", "POST connections", 201, func(int) []byte {
			return c.event("POST", "/openbanking/v1/connections",
				fmt.Sprintf(`{"providerId":%q,"returnUrl":"https://partner.example/back"}`, world.ID("provider", 0)))
		}),
		c.write("pfm", "PATCH transaction", 200, func(int) []byte {
			categories := []int{pfm.FoodRestaurants, pfm.FoodGroceries}
			return c.event("PATCH", "/openbanking/v1/transactions/"+world.ID("transaction/writer", 500),
				fmt.Sprintf(`{"categoryId":%d}`, categories[changes.Add(1)%2]))
		}),
		c.write("notification", "POST events", 202, func(int) []byte {
			return c.event("POST", "/webhooks/v1/events", `{"eventType":"webhook.ping"}`)
		}),
	}
}

// cancellation returns the n-th request for a letter by e-mail.
func (c Caller) cancellation(n int) []byte {
	type field struct {
		Key   string `json:"fieldKey"`
		Value string `json:"fieldValue"`
	}
	return c.event("POST", "/cancellations/v1/cancellations", string(marshal(map[string]any{
		"externalCancellationRequestIdentifier": fmt.Sprintf("order-%d", n),
		"organizationId":                        catalogue.OrganizationID("success-society"),
		"productId":                             catalogue.ProductID("success-society", "success"),
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

// behindQueues returns an event for all of the partner's subscriptions, and messages whose object is
// gone, which is the minimal work for a message and always the same.
func behindQueues(c Caller) []Route {
	nobody, nothing := world.ID("nobody", 0), world.ID("nothing", 0)
	same := func(function, name string, record map[string]any) Route {
		return always(function, name, marshal(map[string]any{"Records": []any{record}}), done)
	}
	queued := func(function string, body any) Route {
		return same(function, "message, object gone", map[string]any{
			"messageId": world.ID("message", 0), "receiptHandle": "bench", "body": string(marshal(body)),
			"eventSource": "aws:sqs", "awsRegion": "eu-central-1",
			"attributes": map[string]string{"ApproximateReceiveCount": "1", "SentTimestamp": "1795167360000"},
		})
	}
	job := connection.SyncJob{Partner: world.Partner, User: owner.UserID(nobody), ConnectionID: nothing}
	mail := marshal(map[string]any{
		"version": "0", "id": world.ID("event", 0), "detail-type": "Email Delivered",
		"source": "aws.ses", "region": "eu-central-1",
		"detail": map[string]any{"eventType": "Delivery", "mail": map[string]any{
			"messageId": "bench", "timestamp": "2026-11-20T09:36:00.000Z",
			"tags": map[string]any{"cancellationId": []string{nothing}, "shipmentId": []string{nothing}},
		}, "delivery": map[string]string{"timestamp": "2026-11-20T09:36:00.000Z"}},
	})
	return []Route{
		queued("bank-sync", job),
		queued("letter-dispatch", map[string]string{
			"kind": "send", "partner": string(world.Partner), "user": nobody, "cancellationId": nothing,
		}),
		queued("webhook-delivery", map[string]string{
			"partner": string(world.Partner), "subscriptionId": nothing, "deliveryId": nothing,
		}),
		same("outbox-relay", "message to SyncQueue", inserted("sync", job)),
		{Function: "outbox-relay", Name: "event to 5 subscriptions", Check: done, Payload: func(n int) []byte {
			return marshal(map[string]any{"Records": []any{inserted(outbox.EventQueue, outbox.Event{
				ID: world.ID("event", n), Type: "connection.activated",
				OccurredAt: clock.OfUser(time.Now()),
				Partner:    c.User.Partner, User: c.User.ID,
				Data: json.RawMessage(`{"connectionId":"` + nothing + `","connectionStatus":"Active"}`),
			})}})
		}},
		always("letter-feedback", "mail delivered, letter gone", mail, done),
	}
}

// inserted returns the stream record of a message that was added to the outbox.
func inserted(queue string, body any) map[string]any {
	return map[string]any{
		"eventID": "1", "eventName": "INSERT", "eventSource": "aws:dynamodb", "awsRegion": "eu-central-1",
		"dynamodb": map[string]any{"SequenceNumber": "1", "StreamViewType": "NEW_IMAGE", "NewImage": map[string]any{
			"pk": map[string]string{"S": world.ID("outbox", 0)}, "queue": map[string]string{"S": queue},
			"body":      map[string]string{"S": string(marshal(body))},
			"createdAt": map[string]string{"S": "2026-11-20T09:36:00.000Z"},
		}},
	}
}

// event returns API Gateway's event for a request. Without a token, the body is a form.
func (c Caller) event(method, target, body string) []byte {
	r, err := http.NewRequest(method, "https://api.aviso.example"+target, strings.NewReader(body))
	if err != nil {
		panic(err) // a constant of this package
	}
	r.RemoteAddr = "192.0.2.44:49152"
	for name, value := range map[string]string{
		"Accept": "application/json", "Accept-Encoding": "gzip", "User-Agent": "partner/1.0",
		"X-Amzn-Trace-Id": "Root=1-5759e988-bd862e3fe1be46a994272793",
		"Content-Type":    "application/x-www-form-urlencoded",
	} {
		r.Header.Set(name, value)
	}
	if c.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.Token)
		r.Header.Set("X-User-Id", string(c.User.ID))
		r.Header.Set("Content-Type", "application/json")
	}
	at := time.Date(2026, time.November, 20, 9, 36, 0, 0, time.UTC)
	return marshal(host.RequestEvent(r, []byte(body), "ANY "+r.URL.Path, nil, at, "JKJaXmPLvHcESHA="))
}

func marshal(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: only strings and numbers
	}
	return raw
}

// wants returns a check of a response's status.
func wants(status int) func([]byte) error {
	return func(answer []byte) error {
		var got events.APIGatewayV2HTTPResponse
		if err := json.Unmarshal(answer, &got); err != nil {
			return fmt.Errorf("the result is not an HTTP response: %w", err)
		}
		if got.StatusCode != status {
			return fmt.Errorf("%d %s: %s", got.StatusCode, http.StatusText(got.StatusCode), got.Body)
		}
		return nil
	}
}

// done checks the response of a function behind a queue or stream: nothing may be retried.
func done(answer []byte) error {
	var got events.SQSEventResponse
	if err := json.Unmarshal(answer, &got); err != nil { // null is one, too
		return fmt.Errorf("read the response: %w", err)
	}
	if len(got.BatchItemFailures) > 0 {
		return fmt.Errorf("not done: %s", answer)
	}
	return nil
}
