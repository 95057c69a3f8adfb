package console_test

import (
	"encoding/csv"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/console"
	"aviso/internal/console/feed"
	"aviso/internal/notification"
)

// What was given up stays to be seen after the receiver is well again, with all that it takes to
// make up for it.
func TestAnOutageStays(t *testing.T) {
	w := newWorld(t)
	user := w.users.create(t, "alpha", "customer-1")
	k, sub := w.users.connect(t, user), w.hooks.subscribe(t, "alpha", "")
	v := w.as(t, "alpha", console.Viewer)
	list := "/console/webhooks/" + sub.ID + "/outages"
	assert.Contains(t, v.get(t, list).body, "No outage")

	began := w.clock.Now()
	lost := w.hooks.exhaust(t, sub, "connection.expired", notification.OutcomeTimeout)
	require.NoError(t, w.past.AddEvents(t.Context(), "alpha", []feed.Event{{
		ID: lost, Type: "connection.expired", OccurredAt: clock.OfUser(began), SeenAt: clock.Real(began), User: user.ID,
		Data: `{"connectionId":"` + k.ID + `"}`,
	}}))
	w.later(time.Minute)
	w.hooks.send(t, sub, "cancellation.sent", notification.OutcomeHTTPError) // waits for its retry
	v = w.as(t, "alpha", console.Viewer)
	goesOn := v.get(t, list).body
	shows(t, goesOn, "Ongoing", "1 event<")
	assert.Contains(t, v.get(t, "/console").body, list, "the alert leads there")
	link := regexp.MustCompile(list + `/[0-9a-f-]{36}`)
	first := link.FindString(goesOn)
	require.NotEmpty(t, first)

	w.later(10 * time.Minute)
	w.hooks.send(t, sub, "webhook.ping", notification.OutcomeAcknowledged)
	w.later(2 * time.Hour)
	w.hooks.send(t, sub, "cancellation.confirmed", notification.OutcomeTimeout) // another outage
	v = w.as(t, "alpha", console.Viewer)
	over := link.FindAllString(v.get(t, list).body, -1)
	require.Len(t, over, 2)
	for _, page := range []string{first, over[1]} {
		body := strings.ReplaceAll(v.get(t, page).body, "<wbr>", "")
		shows(t, body,
			"Over", "connection.expired", "GET /openbanking/v1/connections", `href="/console/users/`+string(user.ID),
			`href="/console/connections/`+k.ID, "Why, and what to do",
		)
		assert.NotContains(t, body, "cancellation.confirmed", "of the other outage")
		file := v.get(t, page+"/events.csv")
		assert.Equal(t, "attachment; filename=given-up-events.csv", file.Header.Get("Content-Disposition"))
		rows, err := csv.NewReader(strings.NewReader(file.body)).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, 2)
		assert.Equal(t, []string{lost, "connection.expired", began.UTC().Format(time.RFC3339), string(user.ID), k.ID, "false"}, rows[1][:6])
	}
}

// A user's lost events become one command, with the token of the first one that names changes.
func TestOneCommandPerUserCatchesUp(t *testing.T) {
	w := newWorld(t)
	user := w.users.create(t, "alpha", "=cmd|' /C calc'!A0")
	sub := w.hooks.subscribe(t, "alpha", "")
	for i, e := range []struct{ kind, data string }{
		{"transactions.updated", `{"connectionId":"k","added":1,"modified":0,"removed":0,"since":"first"}`},
		{"connection.expired", `{"connectionId":"0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b44"}`},
		{"transactions.updated", `{"connectionId":"k","added":1,"modified":0,"removed":0,"since":"second"}`},
		{"cancellation.sent", `{"cancellationId":"0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b45"}`},
	} {
		w.later(time.Minute)
		id := w.hooks.exhaust(t, sub, e.kind, notification.OutcomeTimeout)
		now := w.clock.Now()
		require.NoError(t, w.past.AddEvents(t.Context(), "alpha", []feed.Event{{
			ID: id, Type: e.kind, OccurredAt: clock.OfUser(now), SeenAt: clock.Real(now), User: user.ID, Data: e.data,
		}}), i)
	}
	v := w.as(t, "alpha", console.Viewer)
	page := "/console/webhooks/" + sub.ID + "/outages/" + w.hooks.newest(t, sub).ID
	body := html.UnescapeString(v.get(t, page).body)
	shows(t, body, `-H 'X-User-Id: `+string(user.ID)+"'", page+"/requests.csv",
		"'https://aviso.test/openbanking/v1/transactions/changes?since=first'")
	assert.NotContains(t, body, "since=second", "the first token returns all")
	rows, err := csv.NewReader(strings.NewReader(v.get(t, page+"/requests.csv").body)).ReadAll()
	require.NoError(t, err)
	assert.Equal(t, [][]string{
		{"userId", "method", "url"},
		{string(user.ID), "GET", "https://aviso.test/openbanking/v1/transactions/changes?since=first"},
		{string(user.ID), "GET", "https://aviso.test/openbanking/v1/connections/0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b44"},
		{string(user.ID), "GET", "https://aviso.test/cancellations/v1/cancellations/0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b45"},
	}, rows)
}

// What fell due while a subscription was paused was given up without an attempt.
func TestAnOutageHasWhatAPauseLost(t *testing.T) {
	w := newWorld(t)
	sub := w.hooks.subscribe(t, "alpha", "")
	w.hooks.send(t, sub, "connection.expired", notification.OutcomeTimeout)
	_, err := w.hooks.subscriptions.SetStatus(t.Context(), "alpha", sub.ID, notification.SubscriptionPaused)
	require.NoError(t, err)
	w.later(time.Hour)
	w.hooks.deliver(t, notification.Result{})
	v := w.as(t, "alpha", console.Viewer)
	assert.Contains(t, v.get(t, "/console/webhooks/"+sub.ID+"/outages").body, "1 event<")
	page := v.get(t, "/console/webhooks/"+sub.ID+"/outages/"+w.hooks.newest(t, sub).ID).body
	shows(t, page, "connection.expired", "is paused")
}
