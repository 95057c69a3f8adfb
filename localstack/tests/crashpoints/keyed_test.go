package crashpoints

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/api"
	"aviso/internal/api/token"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/cancellationapi"
	"aviso/internal/cancellation/objection"
	"aviso/internal/cancellation/request"
	"aviso/internal/dynamo"
	"aviso/internal/identity"
	"aviso/internal/identity/identityapi"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/internal/notification/notificationapi"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/pfmapi"
	"aviso/internal/secret/keyring"
	"aviso/localstack/tests/cancellationtest"
	"aviso/localstack/tests/pfmtest"
)

// keyed is an operation that takes an idempotency key.
type keyed struct {
	name    string
	prepare func(*world)
	path    func(*world) string
	body    string
	// id is the member of the answer that says which object was made.
	id string
	// made counts the objects, or the effects on one. There must be one.
	made func(*world) int
}

// keyedOperations are all operations with Creates.
func keyedOperations() []keyed {
	at := func(path string) func(*world) string { return func(*world) string { return path } }
	connection := func(w *world) string { return "/openbanking/v1/connections/" + w.connections()[0].ID }
	provider := pfmtest.Provider().ID
	return []keyed{
		{
			name: "cancellations", prepare: func(*world) {}, path: at("/cancellations/v1/cancellations"),
			body: cancellationBody(), id: "cancellationId", made: func(w *world) int { return len(w.cancellations()) },
		},
		{
			name: "cancellations after one that was withdrawn", prepare: withWithdrawn, path: at("/cancellations/v1/cancellations"),
			body: cancellationBody(), id: "cancellationId", made: func(w *world) int { return len(w.cancellations()) - 1 },
		},
		{
			name: "objections", prepare: func(w *world) {
				c, _, err := w.cancelling().Create(context.Background(), user(), cancellationtest.Request("streaming"), nil)
				must(err)
				w.debited(c)
			},
			path: func(w *world) string {
				return "/cancellations/v1/cancellations/" + w.cancellations()[0].ID + "/objections"
			},
			body: objectionBody(), id: "objectionId", made: func(w *world) int { return len(w.cancellations()) - 1 },
		},
		{
			name: "connections", prepare: withProvider, path: at("/openbanking/v1/connections"),
			body: fmt.Sprintf(`{"providerId":%q,"returnUrl":%q}`, provider, returnURL), id: "connectionId",
			made: func(w *world) int { return len(w.connections()) },
		},
		{
			name: "refresh", prepare: refreshable, path: func(w *world) string { return connection(w) + "/refresh" },
			body: `{}`, id: "connectionId", made: func(w *world) int { return w.waiting(outbox.SyncQueue) },
		},
		{
			name: "reconnect", prepare: expired, path: func(w *world) string { return connection(w) + "/reconnect" },
			body: fmt.Sprintf(`{"returnUrl":%q}`, returnURL), id: "connectionId",
			made: func(w *world) int { return int(w.connections()[0].Version) },
		},
		{
			name: "clients", prepare: func(*world) {}, path: at("/openbanking/v1/clients"),
			body: `{"countryCode":"DE","languageCode":"de"}`, id: "id", made: func(*world) int { return 1 },
		},
		{
			name: "users", prepare: func(*world) {}, path: at("/identity/v1/users"),
			body: `{"countryCode":"DE","languageCode":"de"}`, id: "userId",
			made: func(w *world) int { return w.having("IdentityTable", "languageCode") - 1 },
		},
		{
			name: "terms acceptances", prepare: func(*world) {},
			path: at("/identity/v1/users/" + string(user().ID) + "/terms-acceptances"),
			body: `{"termsType":"Operator","version":"1"}`, id: "acceptedAt", made: func(*world) int { return 1 },
		},
		{
			name: "subscriptions", prepare: func(*world) {}, path: at("/webhooks/v1/subscriptions"),
			body: `{"serverUrl":"https://a.example/hook","events":["*"]}`, id: "subscriptionId",
			made: func(w *world) int { return len(w.subscribed()) },
		},
		{
			name: "secrets", prepare: func(w *world) { w.subscribe(receiver(0)) },
			path: func(w *world) string { return "/webhooks/v1/subscriptions/" + w.subscribed()[0].ID + "/secrets" },
			body: `{}`, id: "secretId", made: func(w *world) int {
				all, err := w.noticeStore.Secrets(context.Background(), partner, w.subscribed()[0].ID)
				must(err)
				return len(all) - 1
			},
		},
		{
			name: "events", prepare: func(w *world) { w.subscribe(receiver(0)) }, path: at("/webhooks/v1/events"),
			body: `{"eventType":"webhook.ping"}`, id: "eventId", made: func(w *world) int { return w.waiting("events") },
		},
	}
}

const returnURL = "https://partner.example/back"

func cancellationBody() string {
	r := cancellationtest.Request("streaming")
	return letterBody(r, map[string]any{"organizationId": r.OrganizationID, "productId": r.ProductID, "locale": r.Locale})
}

func objectionBody() string {
	return letterBody(cancellationtest.Request("streaming"), map[string]any{})
}

// letterBody adds what the letter needs to the members of a body.
func letterBody(r request.Request, members map[string]any) string {
	parameters := []map[string]string{}
	for _, p := range r.Parameters {
		parameters = append(parameters, map[string]string{"fieldKey": p.Key, "fieldValue": p.Value})
	}
	members["parameters"], members["signature"] = parameters, map[string]string{"type": "TEXT", "data": r.Signature.Text}
	body, err := json.Marshal(members)
	must(err)
	return string(body)
}

// cancelling returns the service that creates cancellations.
func (w *world) cancelling() *request.Requests {
	return &request.Requests{
		Store: w.letterStore, Product: cancellationtest.NewProducts().OrganizationProduct,
		Gate: cancellationtest.Gate{}, Writer: cancellationtest.Writer{}, Now: w.clock, NewID: w.newID,
		Enabled: []cancellation.ChannelKind{cancellation.ChannelEmail},
	}
}

// withWithdrawn makes a cancellation that the next one of the product replaces.
func withWithdrawn(w *world) {
	c, _, err := w.cancelling().Create(context.Background(), user(), cancellationtest.Request("streaming"), nil)
	must(err)
	_, err = w.cancelling().Withdraw(context.Background(), user(), c.ID)
	must(err)
}

func withProvider(w *world) { must(w.bankStore.PutProvider(context.Background(), pfmtest.Provider())) }

// refreshable makes a connection that was synced two hours ago.
func refreshable(w *world) {
	connected(w)
	bankHas(firstRows())(w)
	must(w.settle(syncEnded))
	w.now = w.now.Add(2 * time.Hour)
}

// expired makes a connection whose consent has ended.
func expired(w *world) {
	withProvider(w)
	must(w.bankStore.CreateConnection(context.Background(), connection.Connection{
		ID: w.newID(), Owner: user(), ProviderID: pfmtest.Provider().ID, Status: connection.Expired, CreatedAt: w.now,
	}, nil))
}

func (w *world) subscribed() []notification.Subscription {
	all, err := w.noticeStore.Subscriptions(context.Background(), partner)
	must(err)
	return all
}

// waiting counts the messages in the outbox for a queue.
func (w *world) waiting(queue string) int {
	n := 0
	for _, row := range w.rows("OutboxTable") {
		if dynamo.Text(row, "queue") == queue {
			n++
		}
	}
	return n
}

// having counts the rows of a table that have an attribute.
func (w *world) having(table, attribute string) int {
	n := 0
	for _, row := range w.rows(table) {
		if _, ok := row[attribute]; ok {
			n++
		}
	}
	return n
}

// api returns all functions behind the API as one handler.
func (w *world) api() http.Handler {
	sealer, err := keyring.Root{Current: sealing}.Sealer("page")
	must(err)
	everything := token.Principal{Partner: partner}
	for _, scope := range []api.Scope{api.PFM, api.Cancellation, api.Identity, api.Webhook} {
		everything.Scopes = append(everything.Scopes, string(scope))
	}
	router := api.New(api.Options{
		Service: "all", BaseURL: "https://api.example", Pages: sealer, Stored: sealer, RateLimit: 3000, Answers: w.answers,
		VerifyToken: func(context.Context, string, string) (token.Principal, error) { return everything, nil },
		Now:         w.clock, NewID: w.newID, Log: slog.New(slog.DiscardHandler),
	})
	identityapi.Register(router, identityapi.Services{
		Users: w.users, Agreements: identity.NewAgreements(w.people, w.clock),
	})
	pfmapi.Register(router, pfmapi.Services{
		Connections: connection.New(connection.Deps{
			Store: w.bankStore, Bank: w.bank.Of, Gate: pfmtest.Gate{}, AnyUser: pfmtest.Gate{},
			ReturnURL: pfmtest.ReturnURLs{returnURL}.Choose,
			Now:       w.clock, NewID: w.newID, NewSecret: w.newID,
		}),
	})
	cancellationapi.Register(router, cancellationapi.Services{
		Requests:   w.cancelling(),
		Objections: &objection.Objections{Store: w.letterStore, Requests: w.cancelling(), Evidence: w.evidence()},
	})
	notificationapi.Register(router, notificationapi.Services{
		Subscriptions: w.subscriptions(),
		Simulator:     notification.NewSimulator(w.noticeStore, pfmtest.Gate{}.Admit, false, w.clock, w.newID),
	})
	return router.Handler()
}

// send sends the request with its key, and returns the answer unless the function crashes.
func (k keyed) send(w *world, handler http.Handler) (*httptest.ResponseRecorder, bool) {
	req := httptest.NewRequest(http.MethodPost, k.path(w), strings.NewReader(k.body))
	for name, value := range map[string]string{
		"Authorization": "Bearer token", "Content-Type": "application/json", "Idempotency-Key": "key-1",
		"X-User-Id": string(user().ID),
	} {
		req.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	answered := w.invoke("", func(context.Context) { handler.ServeHTTP(rec, req) })
	return rec, answered
}

// patience is how long a client repeats a request.
const patience = 5 * time.Minute

// insist repeats the request until it succeeds, as a client does that knows nothing of its
// end, and returns the ID of the object in the answer.
func (k keyed) insist(w *world) (string, error) {
	handler, last := w.api(), ""
	for end := w.now.Add(patience); w.now.Before(end); w.now = w.now.Add(5 * time.Second) {
		rec, answered := k.send(w, handler)
		if !answered {
			handler = w.api() // another process
			continue
		}
		last = fmt.Sprint(rec.Code, " ", rec.Body)
		if rec.Code >= 200 && rec.Code <= 299 {
			found := regexp.MustCompile(`"` + k.id + `":"([^"]+)"`).FindStringSubmatch(rec.Body.String())
			if found == nil {
				return "", fmt.Errorf("no %s in %s", k.id, last)
			}
			return found[1], nil
		}
	}
	return "", fmt.Errorf("not answered within %s: %s", patience, last)
}

// judge sends the request, with these crashes, and then once more with the same key.
func (k keyed) judge(w *world, crashes ...crash) *problems {
	p := &problems{}
	w.crashes = crashes
	first, err := k.insist(w)
	if err != nil {
		p.Errorf("%v", err)
		return p
	}
	again, err := k.insist(w)
	assert.NoError(p, err)
	assert.Equal(p, first, again, "the same key names the same object")
	assert.Equal(p, 1, k.made(w), "objects")
	return p
}

// A keyed request makes one object, wherever the function crashes, and however often. Of the
// second crashes, one in ten is tried, or more with the flag -sample.
func TestKeyedRequestsAtEveryCall(t *testing.T) {
	sum := 0
	for _, k := range keyedOperations() {
		t.Run(k.name, func(t *testing.T) {
			start := scenario{prepare: func(w *world) {
				w.createUser()
				agreements := identity.NewAgreements(w.people, w.clock)
				must(agreements.Publish(context.Background(), identity.Terms{
					Type: identity.TermsOperator, Version: "1", URL: "https://aviso.example",
				}))
				k.prepare(w)
			}}.prepared(t)
			calm := newWorld(t, start)
			if p := k.judge(calm); len(p.found) > 0 {
				t.Fatal("without a crash: ", p.found)
			}
			points, failed := 0, 0
			try := func(crashes ...crash) bool {
				w := newWorld(t, start)
				p := k.judge(w, crashes...)
				if len(w.crashes) > 0 {
					return false
				}
				points++
				if len(p.found) > 0 {
					if failed++; failed <= 3 {
						t.Errorf("%v: %s", crashes, strings.Join(p.found, "; "))
					}
				}
				return true
			}
			for n := 1; n <= calm.calls; n++ {
				for _, after := range []bool{false, true} {
					if !try(crash{n, after}) {
						continue
					}
					step := min(*sample, 10)
					for second := 1; try(crash{n, after}, crash{second, false}) && second <= calm.calls; second += step {
						try(crash{n, after}, crash{second, true})
					}
				}
			}
			t.Logf("%d of %d points failed", failed, points)
			sum += points
		})
	}
	t.Logf("%d crash points", sum)
}
