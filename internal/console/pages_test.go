package console_test

import (
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/console"
	"aviso/internal/console/feed"
	"aviso/internal/pfm/connection"
)

// Each row of the tables in docs/errors.md has words in the console, and the other way round.
func TestEveryReasonHasWords(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/errors.md")
	require.NoError(t, err)
	for heading, words := range map[string][]string{
		"## Why does a connection have this status?":   console.ConnectionWords(),
		"## Why does a cancellation have this status?": console.CancellationWords(),
	} {
		_, section, _ := strings.Cut(string(text), heading)
		section, _, _ = strings.Cut(section, "\n## ")
		var documented []string
		for _, row := range regexp.MustCompile("(?m)^\\| (`.*?) \\| (.*?) \\|").FindAllStringSubmatch(section, -1) {
			for reason := range strings.SplitSeq(row[1], ", ") {
				for status := range strings.SplitSeq(row[2], ", ") {
					documented = append(documented, status+" "+strings.Trim(reason, "`"))
				}
			}
		}
		require.Greater(t, len(documented), 5)
		var reasons []string
		for _, state := range words {
			if strings.Contains(state, " ") {
				reasons = append(reasons, state)
			}
		}
		assert.Subset(t, reasons, documented[1:])
		for _, state := range reasons {
			assert.Contains(t, section, "`"+state[strings.Index(state, " ")+1:]+"`")
		}
	}
}

func TestFindConnectionsAndCancellations(t *testing.T) {
	w := newWorld(t)
	user, other := w.users.create(t, "alpha", "customer-1"), w.users.create(t, "beta", "customer-1")
	idle := w.users.create(t, "alpha", "idle")
	k, l := w.users.connect(t, user), w.users.cancel(t, user)
	theirs, foreign := w.users.connect(t, other), w.users.cancel(t, other)
	gone := w.users.create(t, "alpha", "gone")
	erased, erasedLetter := w.users.connect(t, gone), w.users.cancel(t, gone)
	w.users.erase(t, gone)
	v := w.as(t, "alpha", console.Viewer)
	for name, c := range map[string]struct{ path, find, leadsTo, shows string }{
		"connection":                 {"connections", k.ID, "/console/connections/" + k.ID, ""},
		"connection in capitals":     {"connections", " " + strings.ToUpper(k.ID) + " ", "/console/connections/" + k.ID, ""},
		"connections of a user":      {"connections", string(user.ID), "", k.ID},
		"connections by external ID": {"connections", "customer-1", "", k.ID},
		"no connections":             {"connections", "idle", "", "This user has no connections"},
		"another partner's":          {"connections", theirs.ID, "", "Nothing has this ID"},
		"another partner's user":     {"connections", string(other.ID), "", "Nothing has this ID"},
		"an erased user's":           {"connections", erased.ID, "", "Nothing has this ID"},
		"nothing":                    {"connections", uuid.NewString(), "", "Nothing has this ID"},
		"a long text":                {"connections", strings.Repeat("x", 3000), "", "Nothing has this ID"},
		"cancellation":               {"cancellations", l.ID, "/console/cancellations/" + l.ID, ""},
		"cancellations of a user":    {"cancellations", string(user.ID), "", l.ID},
		"no cancellations":           {"cancellations", "idle", "", "This user has no such cancellation"},
		"another partner's letter":   {"cancellations", foreign.ID, "", "Nothing has this ID"},
		"an erased user's letter":    {"cancellations", erasedLetter.ID, "", "Nothing has this ID"},
	} {
		t.Run(name, func(t *testing.T) {
			res := v.get(t, "/console/"+c.path+"?find="+url.QueryEscape(c.find))
			assert.Equal(t, c.leadsTo, res.Header.Get("Location"))
			assert.Contains(t, res.body, c.shows)
		})
	}
	for _, target := range []string{
		"connections/" + theirs.ID, "connections/" + erased.ID, "connections/x", "cancellations/" + foreign.ID,
		"cancellations/" + erasedLetter.ID, "sandbox/clock/" + string(other.ID), "sandbox/clock/" + string(idle.ID) + "x",
		"cancellations?find=customer-1&before=x",
	} {
		assert.Equal(t, http.StatusNotFound, v.get(t, "/console/"+target).StatusCode, target)
	}
	many := w.users.create(t, "alpha", "many")
	for range 201 {
		w.users.connect(t, many)
	}
	assert.Contains(t, v.get(t, "/console/connections?find=many").body, "200 of the user")
	assert.NotContains(t, v.get(t, "/console/connections?find=customer-1").body, "200 of the user")
	res := v.get(t, "/console/cancellations?find=customer-1&external=other")
	assert.Contains(t, res.body, "none with this identifier")
	res = v.get(t, "/console/cancellations?find=customer-1&external="+url.QueryEscape(marker))
	assert.Contains(t, res.body, l.ID)
	for range 30 {
		w.users.cancel(t, idle, func(k *cancellation.Cancellation) { k.ExternalID = "" })
	}
	res = v.get(t, "/console/cancellations?find=idle")
	assert.Equal(t, 25, strings.Count(res.body, "Streamwerk Plus"))
	older := regexp.MustCompile(`href="(/console/cancellations\?[^"]*before=[^"]*)">Older`).FindStringSubmatch(res.body)
	require.NotEmpty(t, older)
	res = v.get(t, strings.ReplaceAll(older[1], "&amp;", "&"))
	assert.Equal(t, 5, strings.Count(res.body, "Streamwerk Plus"))
	assert.Contains(t, res.body, "Newest")
}

func TestAConnectionIsExplained(t *testing.T) {
	w := newWorld(t)
	user := w.users.create(t, "alpha", "customer-1")
	v := w.as(t, "alpha", console.Viewer)
	now := w.clock.Now()
	for name, c := range map[string]struct {
		change func(*connection.Connection)
		shows  []string
	}{
		"healthy": {func(*connection.Connection) {}, []string{
			"Nobody: all is well", "1 credit card, 2 current accounts", "in 4 hours", "in 89 days", "All accounts were read",
		}},
		"reads fail": {func(k *connection.Connection) { k.Reason, k.SyncFailing = "SupplierUnavailable", true }, []string{
			"Active, reads fail", "connection.sync_failed", "The bank", "retried after 30 seconds",
		}},
		"consent is over": {func(k *connection.Connection) { k.ConsentExpiresAt = now.Add(-time.Hour) }, []string{
			"Expired", "time is up", "The user", "/reconnect", "only Active connections", "Consent ended",
		}},
		"link is over": {func(k *connection.Connection) {
			k.Status, k.Authorisation = connection.Pending, &connection.Authorisation{ExpiresAt: now}
		}, []string{"Failed", "did not finish at the bank"}},
		"partial": {func(k *connection.Connection) {
			k.Reason, k.Partial = connection.ReasonPartialData, connection.Partial{Rows: 1, Accounts: 2}
		}, []string{"1 transaction, and of 2 accounts"}},
		"a reason of the future": {func(k *connection.Connection) { k.Reason = "Eclipse" }, []string{"no words yet"}},
	} {
		t.Run(name, func(t *testing.T) {
			res := v.get(t, "/console/connections/"+w.users.connect(t, user, c.change).ID)
			shows(t, res.body, c.shows...)
			assert.Contains(t, res.body, `href="/console/users/`+string(user.ID)+`"`)
		})
	}
}

// No personal bank data in the console, and nothing of what users filled in but in the letter.
func TestPagesShowNoPersonalData(t *testing.T) {
	w := newWorld(t)
	values := alphaOwns(t, w)
	v := w.as(t, "alpha", console.Admin)
	for _, route := range w.console.Routes() {
		if route.Method != http.MethodGet || strings.HasSuffix(route.Path, "/letter") {
			continue
		}
		body := v.get(t, fill(t, route.Path, values)).body
		body += v.get(t, fill(t, route.Path, values)+"?find="+values["userId"]).body
		hides(t, body,
			"Erika", "erika@private", "6820101", "4711.93", "K-4711", "Kuendigung", "secret account", "+4922155500123",
		)
	}
	assert.NotContains(t, w.log.String(), "Erika")
}

func TestOnlyAdminsSeeLetters(t *testing.T) {
	w := newWorld(t)
	l := w.users.cancel(t, w.users.create(t, "alpha", ""))
	one := "/console/cancellations/" + l.ID
	for _, role := range []console.Role{console.Viewer, console.Developer} {
		v := w.as(t, "alpha", role)
		res := v.get(t, one)
		assert.Contains(t, res.body, "Only people with the role admin")
		assert.NotContains(t, res.body, one+"/letter")
		res = v.get(t, one+"/letter")
		assert.Equal(t, http.StatusForbidden, res.StatusCode)
		assert.NotContains(t, res.body, "%PDF")
	}
	assert.Empty(t, w.entries(t, "alpha"))

	admin := w.as(t, "alpha", console.Admin)
	assert.Contains(t, admin.get(t, one).body, `href="`+one+`/letter"`)
	assert.Empty(t, w.entries(t, "alpha"), "the page does not open the letter by itself")
	res := admin.get(t, one+"/letter")
	assert.Equal(t, http.StatusOK, res.StatusCode)
	assert.Contains(t, res.body, "%PDF")
	assert.Equal(t, "application/pdf", res.Header.Get("Content-Type"))
	assert.Equal(t, "inline; filename=letter-"+l.ID+".pdf", res.Header.Get("Content-Disposition"))
	assert.Equal(t, "no-store", res.Header.Get("Cache-Control"))
	assert.Equal(t, "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		res.Header.Get("Content-Security-Policy"))
	entries := w.entries(t, "alpha")
	require.Len(t, entries, 1)
	assert.Equal(t, "letter.look", entries[0].Action)
	assert.Equal(t, l.ID, entries[0].Detail)
	assert.Contains(t, admin.get(t, "/console/audit").body, "Looked at a letter")

	res = w.as(t, "beta", console.Admin).get(t, one+"/letter")
	assert.Equal(t, http.StatusNotFound, res.StatusCode)
	require.Len(t, w.entries(t, "beta"), 1)
	assert.Equal(t, feed.Refused, w.entries(t, "beta")[0].Result)
}

func TestACancellationIsExplained(t *testing.T) {
	w := newWorld(t)
	user := w.users.create(t, "alpha", "")
	v := w.as(t, "alpha", console.Viewer)
	for name, c := range map[string]struct {
		change func(*cancellation.Cancellation)
		shows  []string
	}{
		"sent again": {func(*cancellation.Cancellation) {}, []string{
			"E-mail: failed", "Registered mail: sent", "Fax: if that fails", "RB123456789DE", "The channel failed", "Streamwerk Plus",
		}},
		"waiting": {func(k *cancellation.Cancellation) {
			k.Status, k.Delivery.Tries, k.NextTryAt = cancellation.StatusSending, 3, w.clock.Now().Add(time.Hour)
		}, []string{"Queued", "Registered mail: its turn", "Tries by this channel", "in 1 hour"}},
		"came back": {func(k *cancellation.Cancellation) {
			k.Status, k.Reason = cancellation.StatusDeliveryFailed, cancellation.ReasonUndeliverable
			k.Channels, k.History[len(k.History)-1].Said = k.Channels[:2], "550 5.1.1 <b>User unknown"
		}, []string{"mail server said", "550 5.1.1 &lt;b&gt;User unknown", "Delivery failed", "Registered mail: failed",
			"Your server", "sent another way"}},
		"late": {func(k *cancellation.Cancellation) {
			late := evidence.Fact{Actor: evidence.ActorCarrier, Event: evidence.EventDelayed, Reason: "MailboxFull"}
			k.History = append(k.History, cancellation.Step{At: w.clock.Now(), Fact: late, Said: "452 4.2.2 Full"})
		}, []string{"MailboxFull", "452 4.2.2 Full"}},
		"ordinary mail": {func(k *cancellation.Cancellation) {
			k.Channels, k.ChannelIndex = []cancellation.Channel{{Kind: cancellation.ChannelMail}}, 0
		}, []string{"Nobody reports the arrival"}},
		"objections": {func(k *cancellation.Cancellation) {
			k.Objections = []cancellation.SentObjection{{ID: "0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b44", TransactionIDs: []string{"t"}}}
		}, []string{"Objections to debits", "/console/cancellations/0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b44"}},
		"objection": {func(k *cancellation.Cancellation) {
			k.Status, k.Objects = cancellation.StatusDelivered, &cancellation.Objected{
				CancellationID: "0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b44",
			}
		}, []string{"Objection to debits of", "Objection ID", "/console/cancellations/0196f1de-6c1b-7c55-9a0e-3d5c7a1f2b44", "refund"}},
		"product is gone": {func(k *cancellation.Cancellation) { k.OrganizationID = "gone" }, []string{"Cancellation with gone"}},
	} {
		t.Run(name, func(t *testing.T) {
			k := w.users.cancel(t, user, c.change, func(k *cancellation.Cancellation) { k.ExternalID = name })
			res := v.get(t, "/console/cancellations/"+k.ID)
			shows(t, res.body, c.shows...)
		})
	}
}

func TestAClockIsAdvanced(t *testing.T) {
	w := newWorld(t)
	user := w.users.create(t, "alpha", "customer-1")
	k := w.users.connect(t, user)
	page := "/console/sandbox/clock/" + string(user.ID)
	v := w.as(t, "alpha", console.Developer)
	now := w.clock.Now()

	assert.Equal(t, page, v.get(t, "/console/sandbox/clock?user=customer-1").Header.Get("Location"))
	assert.Contains(t, v.get(t, "/console/sandbox/clock?user=nobody").body, "Nothing has this ID")
	res := v.get(t, page)
	shows(t, res.body, "never moved", "The consent ends", "Next automatic read")
	assert.Empty(t, res.Header.Get("Refresh"))
	assert.NotContains(t, w.as(t, "alpha", console.Viewer).get(t, page).body, "<form method=\"post\" action=\""+page)

	for form, problem := range map[string]string{
		"by=eternity": "Choose a step", "to=x": "Choose a step", "to=2020-01-01": "Must be after the user",
	} {
		values, err := url.ParseQuery(form)
		require.NoError(t, err)
		res := v.post(t, page, values)
		assert.Equal(t, http.StatusUnprocessableEntity, res.StatusCode, form)
		assert.Contains(t, res.body, problem)
	}
	for form, want := range map[string]time.Time{
		"by=day": now.AddDate(0, 0, 1), "by=week": now.AddDate(0, 0, 7), "by=month": now.AddDate(0, 1, 0),
		"by=year&to=2027-05-01": time.Date(2027, 5, 1, 0, 0, 0, 0, time.UTC),
		"at=" + url.QueryEscape(k.ConsentExpiresAt.Format(time.RFC3339)): k.ConsentExpiresAt.Truncate(time.Second),
	} {
		require.NoError(t, w.users.clockRows.DeleteClock(t.Context(), user))
		values, err := url.ParseQuery(form)
		require.NoError(t, err)
		res := v.post(t, page, values)
		require.Equal(t, http.StatusSeeOther, res.StatusCode, form)
		k, err := w.users.clocks.Get(t.Context(), user)
		require.NoError(t, err)
		assert.WithinDuration(t, want, k.Until, 0, form)
	}
	res = v.get(t, page)
	assert.Equal(t, "2", res.Header.Get("Refresh"))
	assert.Contains(t, res.body, "Advancing")
	assert.Empty(t, v.get(t, page+"?follow=no").Header.Get("Refresh"), "for those who read slowly")
	res = v.post(t, page, url.Values{"by": {"day"}})
	assert.Equal(t, http.StatusConflict, res.StatusCode)
	assert.Contains(t, res.body, "is being advanced")
	newest := w.entries(t, "alpha")
	assert.Equal(t, feed.Refused, newest[0].Result)
	assert.Equal(t, "clock.advance", newest[1].Action)
	assert.Equal(t, feed.Done, newest[1].Result)
	assert.Contains(t, newest[1].Detail, string(user.ID)+" to 20")

	// What a connection's page calls past is past for the user.
	w.users.move(t, user, k.ConsentExpiresAt.AddDate(0, 1, 0))
	assert.Contains(t, v.get(t, "/console/connections/"+k.ID).body, "time is up")
	assert.Contains(t, v.get(t, page).body, "120 days")
}

func TestProductionHasNoSandbox(t *testing.T) {
	w := newWorld(t, func(o *console.Options) { o.Stage, o.Clocks = config.Production, nil })
	v := w.as(t, "alpha", console.Admin)
	for _, page := range []string{"/console/sandbox", "/console/sandbox/clock"} {
		assert.Equal(t, http.StatusNotFound, v.get(t, page).StatusCode)
	}
	assert.NotContains(t, v.get(t, "/console").body, `href="/console/sandbox"`)
	user := w.users.create(t, "alpha", "customer-1")
	assert.NotContains(t, v.get(t, "/console/users/"+string(user.ID)).body, "/sandbox/clock")
	assert.Equal(t, http.StatusOK, v.get(t, "/console/connections?find="+string(user.ID)).StatusCode, "the time is real")
}
