package console_test

import (
	"fmt"
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
	"aviso/internal/notification"
)

func TestListsOfWhatHappened(t *testing.T) {
	w := newWorld(t)
	user := w.users.create(t, "alpha", "customer-1")
	k, l := w.users.connect(t, user), w.users.cancel(t, user)
	now := w.clock.Now()
	add := func(kind, data string, change ...func(*feed.Event)) {
		e := feed.Event{ID: uuid.NewString(), Type: kind, User: user.ID, Data: data}
		e.OccurredAt, e.SeenAt = clock.OfUser(now), clock.Real(now)
		for _, f := range change {
			f(&e)
		}
		require.NoError(t, w.past.AddEvents(t.Context(), "alpha", []feed.Event{e}))
	}
	ofConnection, ofLetter := fmt.Sprintf(`{"connectionId":%q}`, k.ID), fmt.Sprintf(`{"cancellationId":%q}`, l.ID)
	add("connection.activated", ofConnection)
	add("connection.expired", ofConnection, func(e *feed.Event) { e.SeenAt = clock.Real(now.Add(-48 * time.Hour)) })
	add("connection.refreshed", ofConnection)
	add("cancellation.delivery_failed", ofLetter)
	add("connection.revoked", `{"connectionId":"`+uuid.NewString()+`"}`, func(e *feed.Event) { e.IsSimulated, e.User = true, "" })
	add("connection.deleted", `{"connectionId":"`+uuid.NewString()+`"}`)

	v := w.as(t, "alpha", console.Viewer)
	for target, c := range map[string]struct{ shows, hides []string }{
		"events":                           {[]string{"connection.activated</a>", "connection.revoked</a>", "Simulated"}, []string{"connection.refreshed</a>"}},
		"events?type=connection.refreshed": {[]string{"connection.refreshed</a>"}, []string{"connection.activated</a>"}},
		"events?simulated=only":            {[]string{"connection.revoked</a>"}, []string{"connection.activated</a>"}},
		"events?simulated=no":              {[]string{"connection.activated</a>"}, []string{"connection.revoked</a>"}},
		"events?day=" + now.AddDate(0, 0, -2).Format("2006-01-02"): {
			[]string{"connection.expired</a>"}, []string{"connection.activated</a>"},
		},
		"events?day=tomorrow":                            {[]string{"Write the day like"}, nil},
		"events?type=cancellation.rejected":              {[]string{"Nothing fits"}, nil},
		"users":                                          {[]string{">customer-1</a>"}, nil},
		"connections":                                    {[]string{`href="/console/connections/` + k.ID, ">customer-1</a>", "Deleted"}, nil},
		"connections?state=Expired":                      {[]string{k.ID}, nil},
		"connections?state=ActionRequired,Expired":       {[]string{k.ID}, nil},
		"connections?state=Revoked":                      {[]string{"Nothing fits"}, nil},
		"cancellations?state=DeliveryFailed":             {[]string{`href="/console/cancellations/` + l.ID, "Streamwerk"}, nil},
		"cancellations?state=Sent":                       {[]string{"Nothing fits"}, nil},
		"events?before=" + url.QueryEscape("2020-01-01"): {[]string{"Nothing has happened yet"}, nil},
	} {
		body := v.get(t, "/console/"+target).body
		shows(t, body, c.shows...)
		hides(t, body, c.hides...)
		assert.NotContains(t, w.as(t, "beta", console.Admin).get(t, "/console/"+target).body, k.ID)
	}
	assert.Equal(t, 1, strings.Count(v.get(t, "/console/connections").body, `href="/console/connections/`+k.ID), "one row for each")
	overview := v.get(t, "/console").body
	assert.Contains(t, overview, `href="/console/cancellations/`+l.ID+`"`, "the alert names the letter")
	assert.Contains(t, v.get(t, "/console?month").body, `href="/console/connections/`+k.ID+`"`, "and the connection")

	// Erased users are in no list.
	w.users.erase(t, user)
	assert.Contains(t, v.get(t, "/console/users").body, "erased")

	for range 120 {
		add("connection.failed", `{}`, func(e *feed.Event) { e.User = "" })
	}
	first := v.get(t, "/console/events?type=connection.failed").body
	assert.Equal(t, 50, strings.Count(first, "connection.failed</a>"))
	_, older, _ := strings.Cut(first, `<nav class="pages"`)
	_, older, _ = strings.Cut(older, `href="`)
	older, _, _ = strings.Cut(older, `"`)
	assert.Equal(t, 50, strings.Count(v.get(t, strings.ReplaceAll(older, "&amp;", "&")).body, "connection.failed</a>"))
}

// A user's page is a year at a glance: what repeats every day is one row a day.
func TestAUsersYear(t *testing.T) {
	w := newWorld(t)
	user := w.users.create(t, "alpha", "customer-1")
	now := w.clock.Now()
	var events []feed.Event
	for i := range 120 {
		at := now.Add(-time.Duration(i) * time.Hour)
		events = append(events, feed.Event{
			ID: uuid.NewString(), Type: "connection.refreshed", OccurredAt: clock.OfUser(at), SeenAt: clock.Real(now),
			User: user.ID, Data: `{}`,
		})
	}
	letter := uuid.NewString()
	for i, kind := range []string{"cancellation.delivery_failed", "cancellation.sent", "connection.expired"} {
		events = append(events, feed.Event{
			ID: uuid.NewString(), Type: kind, OccurredAt: clock.OfUser(now.AddDate(0, -i, 0)), SeenAt: clock.Real(now), User: user.ID,
			Data: `{"cancellationId":"` + letter + `"}`,
		})
	}
	require.NoError(t, w.past.AddEvents(t.Context(), "alpha", events))
	w.called(t, w.hooks.subscribe(t, "alpha", ""), notification.Attempt{
		ID: uuid.NewString(), EventID: events[120].ID, StartedAt: clock.Real(now), Result: notification.Result{Outcome: "Timeout"},
	})
	v, page := w.as(t, "alpha", console.Viewer), "/console/users/"+string(user.ID)
	body := v.get(t, page).body
	assert.Equal(t, 6, strings.Count(body, "× connection.refreshed</a>"), "one for each day")
	shows(t, body,
		"2 steps", "1 undelivered or rejected", "1 change<", "1 need the user", "1 callback<", "1 not acknowledged",
		`href="/console/cancellations/`+letter,
	)
	day := v.get(t, page+"?type=connection.refreshed&day="+now.AddDate(0, 0, -2).Format("2006-01-02")).body
	assert.Equal(t, 24, strings.Count(day, "connection.refreshed</a>"))
	assert.NotContains(t, v.get(t, page+"?type=cancellation.sent").body, "connection.refreshed</a>")
	assert.Contains(t, v.get(t, page+"?day=x").body, "Write the day like")
}
