package console_test

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/console"
	"aviso/internal/console/feed"
	"aviso/internal/identity"
	"aviso/internal/notification"
)

// history is what has happened to alpha: a request whose event two subscriptions got, and a
// request that failed.
type history struct {
	user            identity.User
	request, failed feed.Request
	event           feed.Event
}

func newHistory(t *testing.T, w *world) history {
	t.Helper()
	user, _, err := w.users.people.Create(t.Context(), "alpha", identity.NewUser{
		ExternalID: "customer of " + marker, CountryCode: "DE", LanguageCode: "de",
	}, nil)
	require.NoError(t, err)
	now := w.clock.Now()
	h := history{
		user: user,
		request: feed.Request{
			ID: "1", At: clock.Real(now), RequestID: "my-request", TraceID: "4bf92f3577b34da6a3ce929d0e0e4736", Service: "cancellation",
			Route: "POST /cancellations/v1/cancellations", Status: 201, Micros: 42_000,
		},
		failed: feed.Request{
			ID: "2", At: clock.Real(now), RequestID: uuid.NewString(), Service: "pfm", Route: "GET /openbanking/v1/accounts", Status: 403,
			Operation: "listAccounts", Problem: "forbidden", Micros: 3_000,
		},
		event: feed.Event{
			ID: uuid.NewString(), Type: "cancellation.delivery_failed", OccurredAt: clock.OfUser(now), SeenAt: clock.Real(now),
			User:    user.Owner.ID,
			TraceID: "4bf92f3577b34da6a3ce929d0e0e4736",
			Data:    `{"cancellationId":"` + uuid.NewString() + `","statusReason":"Undeliverable","note":"` + marker + `"}`,
		},
	}
	h.failed.TraceID = strings.ReplaceAll(h.failed.RequestID, "-", "")
	attempt := notification.Attempt{
		ID: uuid.NewString(), EventID: h.event.ID, EventType: h.event.Type, Number: 1, StartedAt: clock.Real(now),
		Result: notification.Result{
			Outcome: "NotAcknowledged", HTTPStatus: 200, Detail: "isAcknowledged is false.", Milliseconds: 1000,
		},
	}
	well := attempt
	well.ID, well.Outcome = uuid.NewString(), "Acknowledged"
	require.NoError(t, w.past.AddRequests(t.Context(), "alpha", []feed.Request{h.request, h.failed}))
	require.NoError(t, w.past.AddEvents(t.Context(), "alpha", []feed.Event{h.event}))
	w.called(t, w.hooks.subscribe(t, "alpha", "one"), attempt)
	w.called(t, w.hooks.subscribe(t, "alpha", "two"), well)
	return h
}

func TestOverview(t *testing.T) {
	w := newWorld(t)
	newHistory(t, w)
	for _, target := range []string{"/console", "/console?month"} {
		body := w.as(t, "alpha", console.Viewer).get(t, target).body
		shows(t, body, "2 requests", "1 failed", "2 callbacks", "1 not acknowledged", "Delivery failed", "Not acknowledged",
			"1 callback was not acknowledged in the last ", "1 letter reached nobody in the last ",
			"1 request was refused in the last ", "POST /cancellations/v1/cancellations", "Numbers", "are kept for 30 days",
		)
		assert.NotContains(t, body, "Nothing has happened yet")
		assert.Contains(t, w.as(t, "beta", console.Viewer).get(t, target).body, "Nothing has happened yet")
	}
}

func TestRequests(t *testing.T) {
	w := newWorld(t)
	h := newHistory(t, w)
	v := w.as(t, "alpha", console.Viewer)
	list := func(path string) string { return strings.ReplaceAll(v.get(t, path).body, "<wbr>", "") }
	failed := list("/console/requests")
	assert.Contains(t, failed, h.failed.Route)
	shows(t, failed, "403 Forbidden", "listAccounts", "forbidden</code>", "kept for 7 days", "Reload", "data-live")
	assert.NotContains(t, failed, h.request.Route)
	all := list("/console/requests?all")
	shows(t, all, h.failed.Route, h.request.Route)
	assert.Contains(t, w.as(t, "beta", console.Viewer).get(t, "/console/requests").body, "No request has failed")

	for id, want := range map[string]string{
		h.failed.RequestID: h.failed.TraceID, " " + h.failed.TraceID + " ": h.failed.TraceID, "my-request": h.request.TraceID,
	} {
		res := v.get(t, "/console/requests?id="+url.QueryEscape(id))
		assert.Equal(t, http.StatusSeeOther, res.StatusCode)
		assert.Equal(t, "/console/requests/"+want, res.Header.Get("Location"))
	}
	res := v.get(t, "/console/requests?id=nothing")
	assert.Equal(t, http.StatusOK, res.StatusCode)
	assert.Contains(t, res.body, "Nothing is kept under this ID")
}

func TestRequestsAreFiltered(t *testing.T) {
	w := newWorld(t)
	user := w.users.create(t, "alpha", "customer-1")
	var requests []feed.Request
	for i, r := range []feed.Request{
		{Route: "POST /cancellations/v1/cancellations", Operation: "createCancellation", Status: 422},
		{Route: "GET /openbanking/v1/accounts", Operation: "listAccounts", Status: 500},
		{Route: "GET /openbanking/v1/transactions", Operation: "listTransactions", Status: 404},
	} {
		if i == 0 {
			r.Problem, r.UserDigest, r.Faults = "template_mismatch", user.Digest(), []string{"EMAIL format", "ZIP missing"}
		}
		r.ID, r.RequestID, r.At = uuid.NewString(), uuid.NewString(), clock.Real(w.clock.Now().Add(-time.Duration(i)*24*time.Hour))
		r.TraceID = strings.ReplaceAll(r.RequestID, "-", "")
		requests = append(requests, r)
	}
	require.NoError(t, w.past.AddRequests(t.Context(), "alpha", requests))
	v := w.as(t, "alpha", console.Viewer)
	for query, want := range map[string]string{
		"path=createCanc": "createCancellation", "path=/accounts": "listAccounts", "status=5": "listAccounts",
		"status=404": "listTransactions", "path=%20transactions%20&status=4": "listTransactions",
		"status=5xx": "listAccounts", "status=%205XX": "listAccounts", "user=customer-1": "createCancellation",
		"user=" + string(user.ID): "createCancellation", "day=2026-02-28": "listTransactions",
	} {
		body := v.get(t, "/console/requests?"+query).body
		for _, r := range requests {
			assert.Equal(t, r.Operation == want, strings.Contains(body, r.Operation+" <small>"), "%s %s", query, r.Operation)
		}
	}
	shows(t, v.get(t, "/console/requests").body, "template_mismatch", "EMAIL format, ZIP missing")
	shows(t, v.get(t, "/console/requests/"+requests[0].TraceID).body, "EMAIL format, ZIP missing")
	shows(t, v.get(t, "/console/requests?status=409").body, "No request fits", "7 days")
	for _, nonsense := range []string{"status=4x", "status=abc", "status=-4", "user=nobody", "user=" + uuid.NewString(), "day=foo"} {
		shows(t, v.get(t, "/console/requests?"+nonsense).body, `aria-invalid="true"`)
	}
}

func TestRequestsForPrograms(t *testing.T) {
	w := newWorld(t)
	user := w.users.create(t, "alpha", "customer-1")
	require.NoError(t, w.past.AddRequests(t.Context(), "alpha", []feed.Request{{
		ID: "1", RequestID: "r", TraceID: "t", At: clock.Real(w.clock.Now()), Route: "POST /x", Operation: "createX", Status: 422,
		Micros:  1500,
		Problem: "template_mismatch", UserDigest: user.Digest(), Faults: []string{"EMAIL format"},
	}}))
	v := w.as(t, "alpha", console.Viewer)
	res := v.get(t, "/console/requests.json?status=4xx&user=customer-1")
	assert.Equal(t, "application/json", res.Header.Get("Content-Type"))
	assert.JSONEq(t, `{"requests": [{"at": "2026-03-02T12:00:00Z", "requestId": "r", "traceId": "t", "operation": "createX", "route": "POST /x",
		"status": 422, "problem": "template_mismatch", "faults": ["EMAIL format"], "tookMs": 1.5}]}`, res.body)
	assert.JSONEq(t, `{"requests": []}`, v.get(t, "/console/requests.json?status=500").body)
	assert.JSONEq(t, `{"requests": []}`, w.as(t, "beta", console.Viewer).get(t, "/console/requests.json").body)
	assert.Equal(t, http.StatusUnprocessableEntity, v.get(t, "/console/requests.json?status=4x").StatusCode)
	assert.Equal(t, http.StatusSeeOther, w.visitor().get(t, "/console/requests.json").StatusCode)
}

func TestPagesOfRequests(t *testing.T) {
	w := newWorld(t)
	var requests []feed.Request
	for i := range 60 {
		at := w.clock.Now().Add(-time.Duration(i) * time.Second)
		requests = append(requests, feed.Request{ID: uuid.NewString(), At: clock.Real(at), Route: "GET /x", Status: 500, RequestID: "r"})
	}
	require.NoError(t, w.past.AddRequests(t.Context(), "alpha", requests))
	v := w.as(t, "alpha", console.Viewer)
	first := v.get(t, "/console/requests").body
	assert.Equal(t, 50, strings.Count(first, "GET /<wbr>x"))
	_, after, ok := strings.Cut(first, `href="/console/requests?before=`)
	require.True(t, ok)
	before, _, _ := strings.Cut(after, `"`)
	second := v.get(t, "/console/requests?before="+before).body
	assert.Equal(t, 10, strings.Count(second, "GET /<wbr>x"))
	assert.Contains(t, second, "Newest")
	assert.NotContains(t, second, "Older")
}

func TestTraceAndEvent(t *testing.T) {
	w := newWorld(t)
	h := newHistory(t, w)
	v := w.as(t, "alpha", console.Viewer)
	trace := v.get(t, "/console/requests/"+h.request.TraceID).body
	shows(t, trace,
		h.request.Route, "201 Created", "42 ms", "my-request", h.event.Type, "could not be delivered through any channel",
		"Said no, given up", "Acknowledged", "/console/users/"+string(h.user.Owner.ID),
	)
	assert.Contains(t, v.get(t, "/console/requests/"+h.failed.TraceID).body, "does not have the scope")
	event := v.get(t, "/console/events/"+h.event.ID).body
	shows(t, event,
		"Undeliverable", "isAcknowledged is false.", "/console/users/"+string(h.user.Owner.ID), "Tell the user",
	)
}

func TestUsers(t *testing.T) {
	w := newWorld(t)
	h := newHistory(t, w)
	v := w.as(t, "alpha", console.Viewer)
	for _, id := range []string{h.user.ExternalID, string(h.user.Owner.ID), strings.ToUpper(string(h.user.Owner.ID))} {
		res := v.get(t, "/console/users?id="+url.QueryEscape(id))
		assert.Equal(t, "/console/users/"+string(h.user.Owner.ID), res.Header.Get("Location"), id)
		res = w.as(t, "beta", console.Admin).get(t, "/console/users?id="+url.QueryEscape(id))
		assert.Contains(t, res.body, "You have no user with this ID")
	}
	body := v.get(t, "/console/users/"+string(h.user.Owner.ID)).body
	shows(t, body, h.user.ExternalID, h.event.Type, "Tell the user", "Reason: undeliverable.", "Said no, given up")
}

// Each type of event has words of its own.
func TestEveryEventHasAStory(t *testing.T) {
	t.Parallel()
	for _, kind := range notification.EventTypes() {
		if kind.Type != notification.EventUserErased { // of which the console knows nothing
			assert.NotEqual(t, kind.Type, console.StoryOf(kind.Type).Means)
		}
	}
}

// What happened by a user's clock is not ahead of anybody: it is in the past, for the user.
func TestTimesByAUsersClock(t *testing.T) {
	w := newWorld(t)
	const ahead = 100 * 24 * time.Hour
	h := newHistory(t, w)
	e := h.event
	e.ID, e.OccurredAt = uuid.NewString(), e.OccurredAt.Add(ahead)
	require.NoError(t, w.past.AddEvents(t.Context(), "alpha", []feed.Event{e}))
	w.users.move(t, h.user.Owner, w.clock.Now().Add(ahead+3*time.Hour))
	v := w.as(t, "alpha", console.Viewer)
	for page, says := range map[string]string{
		"/console/users/" + string(h.user.Owner.ID): "3 hours ago",
		"/console/requests/" + h.request.TraceID:    "by the user's clock",
		"/console/events/" + e.ID:                   "by the user's clock",
	} {
		body := html.UnescapeString(v.get(t, page).body)
		assert.Contains(t, body, says, page)
		assert.NotRegexp(t, `<td[^>]*>(<time[^>]*>)?in \d`, body, page)
	}
}

// From an event, it is one step to whom it is about, and to why a subscription did not take it.
func TestAnEventLeadsOn(t *testing.T) {
	w := newWorld(t)
	h := newHistory(t, w)
	k, sub := w.users.connect(t, h.user.Owner), w.hooks.subscribe(t, "alpha", "")
	e := feed.Event{
		ID: uuid.NewString(), Type: "connection.expired", OccurredAt: clock.OfUser(w.clock.Now()), SeenAt: clock.Real(w.clock.Now()),
		User: h.user.Owner.ID,
		Data: `{"connectionId":"` + k.ID + `"}`,
	}
	a := notification.Attempt{
		ID: uuid.NewString(), EventID: e.ID, EventType: e.Type, Number: 1, StartedAt: clock.Real(w.clock.Now()),
		Result: notification.Result{Outcome: "HttpError", HTTPStatus: 500},
	}
	require.NoError(t, w.past.AddEvents(t.Context(), "alpha", []feed.Event{e}))
	w.called(t, sub, a)
	v := w.as(t, "alpha", console.Viewer)
	user := "/console/users/" + string(h.user.Owner.ID)
	body := v.get(t, "/console/events/"+e.ID).body
	shows(t, body, `href="`+user+`"`, `href="/console/connections/`+k.ID+`"`,
		`href="/console/webhooks/`+sub.ID+"/attempts/"+a.ID+`"`, "partner.example/webhooks", "Status 500, given up")
	for _, to := range []string{"connections?find=", "cancellations?find=", "sandbox/clock/"} {
		assert.Contains(t, v.get(t, user).body, `href="/console/`+to+string(h.user.Owner.ID)+`"`)
	}
}
