package console_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/console"
	"aviso/internal/console/feed"
	"aviso/internal/identity"
	"aviso/internal/notification"
	"aviso/internal/notification/webhook"
)

func TestNoSubscriptions(t *testing.T) {
	w := newWorld(t)
	res := w.as(t, "alpha", console.Viewer).get(t, "/console/webhooks")
	shows(t, res.body, "No subscriptions yet", "https://aviso.test/webhooks/v1/subscriptions")
}

func TestSubscriptionsSayHowTheyFare(t *testing.T) {
	t.Parallel()
	operator := func(t *testing.T, w *world, sub notification.Subscription) {
		t.Helper()
		_, err := notification.NewSupervision(w.hooks.store, w.clock.Now).Disable(t.Context(), "alpha", sub.ID)
		require.NoError(t, err)
	}
	for name, test := range map[string]struct {
		arrange func(t *testing.T, w *world, sub notification.Subscription)
		want    []string
	}{
		"new": {func(*testing.T, *world, notification.Subscription) {}, []string{">Active<", "No event was sent yet."}},
		"well": {func(t *testing.T, w *world, sub notification.Subscription) {
			t.Helper()
			w.hooks.send(t, sub, "webhook.ping", notification.OutcomeAcknowledged)
		}, []string{">Active<", "just now"}},
		"retrying": {func(t *testing.T, w *world, sub notification.Subscription) {
			t.Helper()
			w.hooks.send(t, sub, "webhook.ping", notification.OutcomeTimeout)
		}, []string{">Retrying<", "The last attempt: Timed out."}},
		"failing": {func(t *testing.T, w *world, sub notification.Subscription) {
			t.Helper()
			w.hooks.exhaust(t, sub, "webhook.ping", notification.OutcomeDNSError)
		}, []string{">Failing<", "1 event was given up since 2 March, 14:00 UTC. The last attempt: Host not found."}},
		"paused": {func(t *testing.T, w *world, sub notification.Subscription) {
			t.Helper()
			_, err := w.hooks.subscriptions.SetStatus(t.Context(), "alpha", sub.ID, notification.SubscriptionPaused)
			require.NoError(t, err)
		}, []string{">Paused<", "none are kept for later"}},
		"disabled by the operator": {operator, []string{">Disabled<", "Ask the operator why."}},
		"disabled after failures": {func(t *testing.T, w *world, sub notification.Subscription) {
			t.Helper()
			w.clock.Advance(6 * 24 * time.Hour)
			for range 20 {
				w.hooks.exhaust(t, sub, "webhook.ping", notification.OutcomeTimeout)
			}
		}, []string{">Disabled<", "Disabled after 20 events were given up."}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			sub := w.hooks.subscribe(t, "alpha", "")
			test.arrange(t, w, sub)
			for _, page := range []string{"/console/webhooks", "/console/webhooks/" + sub.ID} {
				res := w.as(t, "alpha", console.Viewer).get(t, page)
				assert.Contains(t, res.body, test.want[0], page)
			}
			assert.Contains(t, w.as(t, "alpha", console.Viewer).get(t, "/console/webhooks").body, test.want[1])
		})
	}
}

func TestAttemptsPageByPage(t *testing.T) {
	w := newWorld(t)
	sub := w.hooks.subscribe(t, "alpha", "")
	page := "/console/webhooks/" + sub.ID
	for range 27 {
		w.hooks.send(t, sub, "webhook.ping", notification.OutcomeAcknowledged)
	}
	v := w.as(t, "alpha", console.Viewer)
	assert.Contains(t, v.get(t, page+"?failed=1").body, "No attempt has failed")
	event := w.hooks.send(t, sub, "connection.expired", notification.OutcomeTimeout)

	res := v.get(t, page)
	assert.Equal(t, 25, strings.Count(res.body, "/attempts/")-1, "and the link of the note")
	older := link(t, res.body, "Older")
	res = v.get(t, older)
	assert.Equal(t, 3, strings.Count(res.body, "/attempts/")-1)
	assert.NotContains(t, res.body, ">Older<")
	assert.Contains(t, res.body, ">Newest<")

	res = v.get(t, page+"?failed=1")
	assert.Contains(t, res.body, ">connection.expired</a>")
	assert.NotContains(t, res.body, ">webhook.ping</a>")
	assert.Equal(t, http.StatusNotFound, v.get(t, page+"?before=x").StatusCode)
	for query, want := range map[string][]int{
		"type=webhook.ping": {25, 0}, "type=connection.expired": {0, 1}, "status=2xx": {25, 0}, "status=5": {0, 0},
		"event=" + event: {0, 1}, "status=0": {0, 0}, "failed=1&type=webhook.ping": {0, 0}, "type=nonsense": {0, 0},
	} {
		body := v.get(t, page+"?"+query).body
		got := []int{strings.Count(body, ">webhook.ping</a>"), strings.Count(body, ">connection.expired</a>")}
		assert.Equal(t, want, got, query)
	}
	older = link(t, v.get(t, page+"?type=webhook.ping").body, "Older")
	assert.Equal(t, 2, strings.Count(v.get(t, older).body, ">webhook.ping</a>"), "the next page keeps the filter")
}

// link returns where the link with this text leads.
func link(t *testing.T, body, text string) string {
	t.Helper()
	before, _, ok := strings.Cut(body, ">"+text+"</a>")
	require.True(t, ok, text)
	_, to, _ := strings.Cut(before[strings.LastIndex(before, "<a "):], `href="`)
	to, _, _ = strings.Cut(to, `"`)
	return strings.ReplaceAll(to, "&amp;", "&")
}

func TestAttemptSaysWhyAndWhatBecomesOfTheEvent(t *testing.T) {
	w := newWorld(t)
	sub := w.hooks.subscribe(t, "alpha", "")
	base := "/console/webhooks/" + sub.ID
	event := w.hooks.send(t, sub, "connection.expired", notification.OutcomeTimeout)
	v := w.as(t, "alpha", console.Developer)

	res := v.get(t, base+"/attempts/"+w.hooks.newest(t, sub).ID)
	shows(t, res.body,
		"Timed out", "What to do", "Attempt 2 follows in 15 minutes.", "webhook-id: "+event, "webhook-timestamp: 1772452800",
		"webhook-signature: (not stored)", "84 ms", "curl -i", "&#34;eventType&#34;: &#34;connection.expired&#34;",
	)
	assert.NotContains(t, w.as(t, "alpha", console.Viewer).get(t, base+"/attempts/"+w.hooks.newest(t, sub).ID).body, "/send")

	for range 2 {
		w.clock.Advance(time.Hour)
		w.hooks.deliver(t, notification.Result{Outcome: notification.OutcomeTimeout})
	}
	v = w.as(t, "alpha", console.Developer) // the session has ended
	res = v.get(t, base+"/attempts/"+w.hooks.newest(t, sub).ID)
	shows(t, res.body,
		"Attempt 3 of connection.expired", "is not sent again", "GET /openbanking/v1/connections", "No copy of the body is kept.",
		base+"/send?type=connection.expired",
	)
	require.NoError(t, w.past.AddEvents(t.Context(), "alpha", []feed.Event{{
		ID: event, Type: "connection.expired", OccurredAt: clock.OfUser(w.clock.Now()), SeenAt: clock.Real(w.clock.Now()), Data: `{"kept":"elsewhere"}`,
	}}))
	assert.Contains(t, v.get(t, base+"/attempts/"+w.hooks.newest(t, sub).ID).body, "elsewhere")

	res = v.get(t, base+"/events/"+event)
	assert.Equal(t, 4, strings.Count(res.body, "/attempts/"), "of each, and why the last one failed")
	assert.Contains(t, res.body, "is not sent again")
	for _, unknown := range []string{"/attempts/" + uuid.NewString(), "/events/" + uuid.NewString()} {
		assert.Equal(t, http.StatusNotFound, v.get(t, base+unknown).StatusCode, unknown)
	}
}

func TestSendAnEventAndSeeItArrive(t *testing.T) {
	w := newWorld(t)
	sub := w.hooks.subscribe(t, "alpha", "")
	base := "/console/webhooks/" + sub.ID
	v := w.as(t, "alpha", console.Developer)
	for _, kind := range notification.EventTypes() {
		assert.Contains(t, v.get(t, base+"/send").body, `<option value="`+kind.Type+`"`)
	}

	res := v.post(t, base+"/send", url.Values{"eventType": {"connection.expired"}, "userId": {""}, "data": {""}})
	require.Equal(t, http.StatusSeeOther, res.StatusCode)
	follow := res.Header.Get("Location")
	sent := w.hooks.events(t)[0]
	assert.True(t, sent.IsSimulated)
	assert.Equal(t, sub.ID, sent.SubscriptionID)
	entry := w.entries(t, "alpha")[0]
	assert.Equal(t, "webhook.event.send", entry.Action)
	assert.Equal(t, sub.ID+" connection.expired "+sent.ID, entry.Detail)

	res = v.get(t, follow)
	assert.Equal(t, "2", res.Header.Get("Refresh"))
	assert.Contains(t, res.body, "Stop reloading")
	stopped := v.get(t, link(t, res.body, "Stop reloading"))
	assert.Equal(t, http.StatusOK, stopped.StatusCode)
	assert.Empty(t, stopped.Header.Get("Refresh"))

	w.hooks.deliver(t, notification.Result{Outcome: notification.OutcomeAcknowledged})
	res = v.get(t, follow)
	assert.Empty(t, res.Header.Get("Refresh"), "it has arrived")
	assert.Contains(t, res.body, "Your server has acknowledged the event.")
}

func TestFollowingEnds(t *testing.T) {
	w := newWorld(t)
	sub := w.hooks.subscribe(t, "alpha", "")
	v := w.as(t, "alpha", console.Developer)
	follow := v.post(t, "/console/webhooks/"+sub.ID+"/send", url.Values{"eventType": {"webhook.ping"}}).Header.Get("Location")
	w.later(4 * time.Minute)
	res := v.get(t, follow)
	assert.Empty(t, res.Header.Get("Refresh"))
	assert.Contains(t, res.body, "Your server was not called yet.")
}

func TestSendRefuses(t *testing.T) {
	w := newWorld(t)
	sub := w.hooks.subscribe(t, "alpha", "")
	base := "/console/webhooks/" + sub.ID
	v := w.as(t, "alpha", console.Developer)
	for name, test := range map[string]struct {
		form url.Values
		want string
	}{
		"an unknown type": {url.Values{"eventType": {"x"}}, "correct what is marked"},
		"no ID of a user": {
			url.Values{"eventType": {"webhook.ping"}, "userId": {strings.Repeat("a", 5000)}}, "You have no user with this ID.",
		},
		"an unknown user": {url.Values{"eventType": {"webhook.ping"}, "userId": {uuid.NewString()}}, "You have no user with this ID."},
		"no JSON":         {url.Values{"eventType": {"webhook.ping"}, "data": {"{"}}, "Not a JSON value."},
		"a wrong member":  {url.Values{"eventType": {"webhook.ping"}, "data": {`{"x":1}`}}, "/x: unexpected property."},
	} {
		res := v.post(t, base+"/send", test.form)
		assert.Equal(t, http.StatusUnprocessableEntity, res.StatusCode, name)
		assert.Contains(t, res.body, test.want, name)
	}
	assert.Empty(t, w.hooks.events(t))
	assert.Equal(t, feed.Refused, w.entries(t, "alpha")[0].Result)

	_, err := w.hooks.subscriptions.SetStatus(t.Context(), "alpha", sub.ID, notification.SubscriptionPaused)
	require.NoError(t, err)
	assert.Contains(t, v.get(t, base+"/send").body, "The subscription is not active")
	res := v.post(t, base+"/send", url.Values{"eventType": {"webhook.ping"}})
	assert.Contains(t, res.body, "The subscription is not active")
	assert.Equal(t, feed.Refused, w.entries(t, "alpha")[0].Result)
}

func TestSendForAUser(t *testing.T) {
	w := newWorld(t)
	sub := w.hooks.subscribe(t, "alpha", "")
	user, _, err := w.users.people.Create(t.Context(), "alpha", identity.NewUser{ExternalID: "crm-1"}, nil)
	require.NoError(t, err)
	res := w.as(t, "alpha", console.Developer).post(t, "/console/webhooks/"+sub.ID+"/send",
		url.Values{"eventType": {"webhook.ping"}, "userId": {" " + strings.ToUpper(string(user.Owner.ID)) + " "}})
	assert.Equal(t, http.StatusSeeOther, res.StatusCode)
	assert.Equal(t, user.Owner.ID, w.hooks.events(t)[0].User)
}

func TestSigningSecrets(t *testing.T) {
	w := newWorld(t)
	sub := w.hooks.subscribe(t, "alpha", "")
	secrets := "/console/webhooks/" + sub.ID + "/secrets"
	v := w.as(t, "alpha", console.Developer)
	assert.NotContains(t, w.as(t, "alpha", console.Viewer).get(t, secrets).body, "<form method=\"post\" action=\"/console/webhooks")

	res := v.post(t, secrets, url.Values{})
	assert.Contains(t, res.body, "whsec_")
	assert.Contains(t, res.body, "3 Mar 2026, 12:00:00 UTC", "until when the one before signs")
	all, err := w.hooks.subscriptions.Secrets(t.Context(), "alpha", sub.ID)
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Contains(t, html.UnescapeString(res.body), string(all[0].Key))
	assert.NotContains(t, v.get(t, secrets).body, "whsec_")
	entry := w.entries(t, "alpha")[0]
	assert.Equal(t, "webhook.secret.create", entry.Action)
	assert.NotContains(t, entry.Detail+w.log.String(), "whsec_")

	res = v.post(t, secrets+"/"+all[0].ID+"/revoke", url.Values{})
	assert.Equal(t, http.StatusConflict, res.StatusCode, "the last one without an end")
	res = v.post(t, secrets+"/"+all[1].ID+"/revoke", url.Values{})
	assert.Equal(t, http.StatusSeeOther, res.StatusCode)
	assert.Contains(t, v.get(t, secrets).body, ">Ended<")
}

func TestSettings(t *testing.T) {
	w := newWorld(t)
	sub := w.hooks.subscribe(t, "alpha", "")
	base := "/console/webhooks/" + sub.ID
	v := w.as(t, "alpha", console.Developer)
	res := v.post(t, base+"/settings", url.Values{
		"serverUrl": {" https://new.example/hooks "}, "description": {"Team A"}, "events": {"connection.expired", "webhook.ping"},
	})
	require.Equal(t, http.StatusSeeOther, res.StatusCode)
	got, err := w.hooks.subscriptions.Get(t.Context(), "alpha", sub.ID)
	require.NoError(t, err)
	assert.Equal(t, "https://new.example/hooks", got.ServerURL)
	assert.Equal(t, "Team A", got.Description)
	assert.Equal(t, []string{"connection.expired", "webhook.ping"}, got.Events)

	hides(t, v.get(t, base+"/settings").body, "Keep what your server answers")
	w.options.Stage = config.Production
	live := *w
	live.console = console.New(w.options)
	p := live.as(t, "alpha", console.Developer)
	shows(t, p.get(t, base+"/settings").body, "Keep what your server answers", "7 days")
	for _, keep := range []url.Values{{"answers": {"keep"}}, {}} {
		keep.Set("serverUrl", "https://new.example/hooks")
		keep.Set("events", "*")
		require.Equal(t, http.StatusSeeOther, p.post(t, base+"/settings", keep).StatusCode)
		got, err = w.hooks.subscriptions.Get(t.Context(), "alpha", sub.ID)
		require.NoError(t, err)
		assert.Equal(t, keep.Has("answers"), got.KeepsAnswers)
		assert.Equal(t, got.KeepsAnswers, strings.Contains(p.get(t, base+"/settings").body, `value="keep" checked`))
	}

	for want, form := range map[string]url.Values{
		"Its scheme is neither http nor https.": {"serverUrl": {"ftp://x"}, "events": {"*"}},
		"Choose one at least.":                  {"serverUrl": {"https://x.example"}},
		"At most 500 characters.":               {"serverUrl": {"https://x.example"}, "events": {"*"}, "description": {strings.Repeat("ü", 501)}},
		"/0: ":                                  {"serverUrl": {"https://x.example"}, "events": {"unknown"}},
	} {
		res := v.post(t, base+"/settings", form)
		assert.Equal(t, http.StatusUnprocessableEntity, res.StatusCode)
		shows(t, res.body, want, "<title>Error: ")
	}
	all := url.Values{"serverUrl": {"https://x.example"}, "events": {"*", "webhook.ping"}}
	assert.Equal(t, http.StatusSeeOther, v.post(t, base+"/settings", all).StatusCode)
	got, err = w.hooks.subscriptions.Get(t.Context(), "alpha", sub.ID)
	require.NoError(t, err)
	assert.Equal(t, []string{"*"}, got.Events)
}

func TestPauseAndActivate(t *testing.T) {
	w := newWorld(t)
	sub := w.hooks.subscribe(t, "alpha", "")
	base := "/console/webhooks/" + sub.ID
	v := w.as(t, "alpha", console.Developer)
	for _, step := range []struct {
		path string
		want notification.SubscriptionStatus
	}{{"/pause", notification.SubscriptionPaused}, {"/activate", notification.SubscriptionActive}} {
		require.Equal(t, http.StatusSeeOther, v.post(t, base+step.path, url.Values{}).StatusCode)
		got, err := w.hooks.subscriptions.Get(t.Context(), "alpha", sub.ID)
		require.NoError(t, err)
		assert.Equal(t, step.want, got.Status)
		assert.Equal(t, "webhook."+step.path[1:], w.entries(t, "alpha")[0].Action)
	}
	_, err := notification.NewSupervision(w.hooks.store, w.clock.Now).Disable(t.Context(), "alpha", sub.ID)
	require.NoError(t, err)
	assert.Equal(t, http.StatusConflict, v.post(t, base+"/activate", url.Values{}).StatusCode)
	assert.Contains(t, v.get(t, base+"/settings").body, "Only the operator can activate it again.")
}

// A search for failed attempts ends after a while, and says where to go on.
func TestSearchForFailedAttemptsGoesOn(t *testing.T) {
	w := newWorld(t)
	sub := w.hooks.subscribe(t, "alpha", "")
	eventID := w.hooks.send(t, sub, "connection.expired", notification.OutcomeTimeout)
	d, err := w.hooks.store.Delivery(t.Context(), notification.DeliveryKey{
		Partner: sub.Partner, SubscriptionID: sub.ID, DeliveryID: notification.DeliveryID(sub.ID, eventID),
	})
	require.NoError(t, err)
	for range 1000 {
		a := notification.Attempt{ID: newID(), EventType: "webhook.ping", StartedAt: clock.Real(w.clock.Now())}
		a.Outcome = notification.OutcomeAcknowledged
		require.NoError(t, w.hooks.store.SaveAttempt(t.Context(), sub, d, a))
		d.Version++
	}
	v := w.as(t, "alpha", console.Viewer)
	res := v.get(t, "/console/webhooks/"+sub.ID+"?failed=1")
	assert.Contains(t, res.body, "None of these attempts fits")
	res = v.get(t, link(t, res.body, "Older"))
	assert.Contains(t, res.body, ">connection.expired<")
}

func TestNothingIsSimulatedInProduction(t *testing.T) {
	w := newWorld(t, func(o *console.Options) {
		o.Stage, o.Webhooks.Simulator = config.Production, notification.NewSimulator(nil, nil, true, nil, nil)
	})
	sub := w.hooks.subscribe(t, "alpha", "")
	w.hooks.send(t, sub, "connection.expired", notification.OutcomeTimeout)
	v := w.as(t, "alpha", console.Admin)
	base := "/console/webhooks/" + sub.ID
	assert.Contains(t, v.get(t, base+"/send").body, "Not in production")
	assert.NotContains(t, v.get(t, base+"/attempts/"+w.hooks.newest(t, sub).ID).body, "Send an event like it")
	res := v.post(t, base+"/send", url.Values{"eventType": {"webhook.ping"}})
	assert.Equal(t, http.StatusConflict, res.StatusCode)
	assert.Equal(t, feed.Refused, w.entries(t, "alpha")[0].Result)
}

// The page of an attempt has what the receiver said, and the call to make again.
func TestWhatTheReceiverSaid(t *testing.T) {
	w := newWorld(t)
	w.hooks.keepPayloads = true
	sub := w.hooks.subscribe(t, "alpha", "")
	id := w.hooks.send(t, sub, "connection.expired", notification.OutcomeTimeout)
	w.later(15 * time.Minute)
	w.hooks.deliver(t, notification.Result{
		Outcome: notification.OutcomeRedirectRefused, HTTPStatus: 302, Answer: "HTTP/1.1 302 Found\nLocation: /login\n\n<p>Sign in",
	})
	page := "/console/webhooks/" + sub.ID + "/attempts/" + w.hooks.newest(t, sub).ID
	body := html.UnescapeString(w.as(t, "alpha", console.Developer).get(t, page).body)
	assert.Contains(t, body, "Location: /login\n\n<p>Sign in")
	headers := http.Header{}
	for _, h := range regexp.MustCompile(`-H '(webhook-[a-z]+): ([^']+)'`).FindAllStringSubmatch(body, -1) {
		headers.Set(h[1], h[2])
	}
	sent := regexp.MustCompile(`--data-binary '(.*)' `).FindStringSubmatch(body)
	require.NotEmpty(t, sent)
	secrets, err := w.hooks.subscriptions.Secrets(t.Context(), "alpha", sub.ID)
	require.NoError(t, err)
	want := http.Header{}
	require.NoError(t, webhook.Sign(want, notification.Call{
		EventID: id, At: clock.Real(w.clock.Now()), Body: []byte(sent[1]), Keys: []notification.Key{secrets[0].Key},
	}))
	assert.Equal(t, want, headers)
	viewer := w.as(t, "alpha", console.Viewer)
	assert.NotContains(t, viewer.get(t, page).body, "webhook-signature: v1")
	assert.NotContains(t, viewer.get(t, page).body, "/retry")
}

func TestAWaitingAttemptIsMadeNow(t *testing.T) {
	w := newWorld(t)
	sub := w.hooks.subscribe(t, "alpha", "")
	id := w.hooks.send(t, sub, "connection.expired", notification.OutcomeTimeout)
	event := "/console/webhooks/" + sub.ID + "/events/" + id
	v := w.as(t, "alpha", console.Developer)
	assert.Contains(t, v.get(t, event).body, `action="`+event+`/retry"`)
	w.later(time.Minute)
	res := v.post(t, event+"/retry", url.Values{})
	assert.Contains(t, res.Header.Get("Location"), event+"?sent=")
	assert.Equal(t, "2", v.get(t, res.Header.Get("Location")).Header.Get("Refresh"), "it follows the second attempt, not the first")
	w.hooks.deliver(t, notification.Result{Outcome: notification.OutcomeAcknowledged})
	assert.Contains(t, v.get(t, res.Header.Get("Location")).body, "has acknowledged the event")
	res = v.post(t, event+"/retry", url.Values{})
	assert.Equal(t, http.StatusConflict, res.StatusCode)
	assert.Contains(t, res.body, "does not wait")
}

// A server that works again gets all that waits by one click, and nothing that it has acknowledged.
func TestAllWaitingAttemptsAreMadeNow(t *testing.T) {
	w := newWorld(t)
	sub := w.hooks.subscribe(t, "alpha", "")
	page := "/console/webhooks/" + sub.ID
	v := w.as(t, "alpha", console.Developer)
	for range 3 {
		w.hooks.send(t, sub, "connection.expired", notification.OutcomeTimeout)
	}
	w.later(time.Minute)
	taken := w.hooks.send(t, sub, "cancellation.sent", notification.OutcomeAcknowledged)
	body := v.get(t, page).body
	shows(t, body, "3 events wait for", `action="`+page+`/send-waiting"`, "Last 15 minutes", "4 attempts, 3 failed", "84 ms (half of them)")
	assert.NotContains(t, w.as(t, "alpha", console.Viewer).get(t, page).body, "send-waiting")

	res := v.post(t, page+"/send-waiting", url.Values{})
	assert.Equal(t, page, res.Header.Get("Location"))
	assert.Contains(t, v.get(t, page).body, "3 waiting events are being sent.")
	w.hooks.deliver(t, notification.Result{Outcome: notification.OutcomeAcknowledged})
	attempts, _, err := w.hooks.store.Attempts(t.Context(), sub, 50, "")
	require.NoError(t, err)
	require.Len(t, attempts, 7)
	for _, a := range attempts[:3] {
		assert.NotEqual(t, taken, a.EventID)
	}
	assert.NotContains(t, v.get(t, page).body, "send-waiting")
}

// The time of the last acknowledgement is that of the list below it.
func TestLastAcknowledgedIsThatOfTheList(t *testing.T) {
	w := newWorld(t)
	sub := w.hooks.subscribe(t, "alpha", "")
	w.hooks.send(t, sub, "connection.expired", notification.OutcomeAcknowledged)
	w.later(2 * time.Minute) // too soon to write the subscription's row again
	w.hooks.send(t, sub, "connection.expired", notification.OutcomeAcknowledged)
	at := w.clock.Now().UTC().Format("2 Jan 2006, 15:04:05 UTC")
	w.later(time.Minute)
	v := w.as(t, "alpha", console.Viewer)
	assert.Regexp(t, `Last acknowledged</dt><dd><time[^>]*>`+at+`</time> <small>1 minute ago`, v.get(t, "/console/webhooks/"+sub.ID).body)
	assert.Contains(t, v.get(t, "/console/webhooks").body, `title="`+at+`"`)
}
