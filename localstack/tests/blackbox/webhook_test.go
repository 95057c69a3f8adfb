package blackbox_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Partners receive events about a user: about the bank and about a cancellation.
func TestWebhookJourney(t *testing.T) {
	p, r := newPartner(t, "sandbox-2"), newReceiver(t, nil)
	p.subscribe(t, r, "*")
	l := p.connected(t, "lindenmark")

	type connectionData struct {
		ConnectionID, ConnectionStatus, StatusReason string
		ConsentExpiresAt                             time.Time
	}
	told := func(eventType string) connectionData {
		c := r.await(t, eventType, about(p, eventType))
		assert.False(t, *c.IsSimulated)
		assert.WithinDuration(t, time.Now(), c.OccurredAt, time.Minute)
		var d connectionData
		c.decode(t, &d)
		return d
	}
	active := connectionData{ConnectionID: l.ConnectionID, ConnectionStatus: "Active"}
	assert.Equal(t, active, told("connection.activated"))
	assert.Equal(t, active, told("connection.refreshed"))

	t.Run("transactions, with the way to read them", func(t *testing.T) {
		var d struct {
			ConnectionID             string
			Added, Modified, Removed int
			Since                    string
		}
		r.await(t, "transactions.updated", about(p, "transactions.updated")).decode(t, &d)
		assert.Equal(t, l.ConnectionID, d.ConnectionID)
		assert.Equal(t, len(p.transactions(t, "200")), d.Added)
		var out struct {
			Data struct {
				Changes []struct{ Change, TransactionID string }
				Since   string
			}
		}
		read := 0
		for since := d.Since; ; since = out.Data.Since {
			a := p.send(t, http.MethodGet, "/openbanking/v1/transactions/changes?limit=200&since="+url.QueryEscape(since), nil)
			require.Equal(t, http.StatusOK, a.status, string(a.body))
			a.decode(t, &out)
			if len(out.Data.Changes) == 0 {
				break
			}
			read += len(out.Data.Changes)
		}
		assert.GreaterOrEqual(t, read, d.Added)
	})

	t.Run("a cancellation, step by step", func(t *testing.T) {
		made := p.cancel(t, letterTo(p.product(t, "Success Society")))
		for _, step := range []string{"created", "queued", "sent", "delivered"} {
			var d struct{ CancellationID, Status, Channel string }
			r.await(t, step, about(p, "cancellation."+step)).decode(t, &d)
			assert.Equal(t, made.CancellationID, d.CancellationID)
			assert.Equal(t, step, strings.ToLower(d.Status))
			assert.Equal(t, "Email", d.Channel)
		}
	})

	t.Run("a consent that the bank has ended", func(t *testing.T) {
		tellBank(t, l.ConnectionID, "expire")
		age(t, p, l.ConnectionID)
		a := p.send(t, http.MethodPost, "/openbanking/v1/connections/"+l.ConnectionID+"/refresh", nil)
		require.Equal(t, http.StatusAccepted, a.status, string(a.body))
		d := told("connection.expired")
		assert.Equal(t, "ConsentExpired", d.StatusReason)
		assert.False(t, d.ConsentExpiresAt.IsZero())
	})

	t.Run("a connection that is deleted", func(t *testing.T) {
		require.Equal(t, http.StatusNoContent, p.send(t, http.MethodDelete, "/openbanking/v1/connections/"+l.ConnectionID, nil).status)
		assert.Equal(t, "Expired", told("connection.deleted").ConnectionStatus)
	})
}

// tellBank tells the bank on the sandbox's control page how to behave.
func tellBank(t *testing.T, connectionID, action string) {
	t.Helper()
	var list struct {
		Consents []struct{ Href, ConnectionID string }
	}
	control := service.baseURL + "/sandbox/control"
	send(t, request{method: http.MethodGet, path: control, header: map[string]string{"Accept": "application/json"}}).decode(t, &list)
	for _, c := range list.Consents {
		if c.ConnectionID == connectionID {
			require.Equal(t, http.StatusSeeOther, browse(t, http.MethodPost, service.baseURL+c.Href, url.Values{"action": {action}}).status)
			return
		}
	}
	require.Fail(t, "the control page does not list the connection")
}

// Every type of event can be simulated, and arrives as its schema says.
func TestSimulatedEvents(t *testing.T) {
	p, r := newPartner(t, "sandbox-2"), newReceiver(t, nil)
	path, _ := p.subscribe(t, r, "*")
	var list struct {
		Data struct {
			EventTypes []struct {
				EventType       string
				Schema, Example json.RawMessage
			}
		}
	}
	p.send(t, http.MethodGet, "/webhooks/v1/event-types", nil).decode(t, &list)
	require.Len(t, list.Data.EventTypes, 31)
	id, ids := strings.TrimPrefix(path, webhookSubscriptions+"/"), map[string]string{}
	for _, kind := range list.Data.EventTypes {
		ids[kind.EventType] = p.simulate(t, map[string]any{"eventType": kind.EventType, "subscriptionId": id, "userId": p.user})
	}
	for _, kind := range list.Data.EventTypes {
		c := r.await(t, kind.EventType, event(ids[kind.EventType]))
		assert.Equal(t, kind.EventType, c.EventType)
		assert.True(t, *c.IsSimulated)
		assert.Equal(t, "local", c.Environment)
		assert.Equal(t, p.user, *c.UserID)
		assert.JSONEq(t, string(kind.Example), string(c.Data))
		assert.NoError(t, validate(t, kind.Schema, c.Data), kind.EventType)
	}
	for _, a := range p.untilAttempts(t, path, len(ids)) {
		assert.Equal(t, "Acknowledged", a.Outcome)
		assert.Equal(t, 1, a.AttemptNumber)
		assert.Nil(t, a.NextAttemptAt)
	}

	t.Run("about nobody, with data of one's own", func(t *testing.T) {
		c := r.await(t, "ping", event(p.simulate(t, map[string]any{
			"eventType": "webhook.ping", "subscriptionId": id, "data": map[string]any{"message": "Grüße"},
		})))
		assert.Empty(t, *c.UserID)
		assert.JSONEq(t, `{"message":"Grüße"}`, string(c.Data))
	})
}

// validate checks data against a schema from the API.
func validate(t *testing.T, schema, data []byte) error {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	require.NoError(t, err)
	return valid(t, document, data)
}

// Attempts have what was sent, so that partners without a public address can read it.
func TestAttemptsHaveWhatWasSent(t *testing.T) {
	p := newPartner(t, "sandbox-2")
	t.Run("to the partner's receiver, byte by byte", func(t *testing.T) {
		t.Parallel()
		r := newReceiver(t, nil)
		path, _ := p.subscribe(t, r, "webhook.ping")
		id := p.ping(t, path)
		got := r.await(t, "webhook.ping", func(c callback) bool { return c.EventID == id })
		assert.Equal(t, string(got.body), string(p.untilAttempts(t, path, 1)[0].Payload))
	})
	t.Run("to the sandbox's receiver, which acknowledges it", func(t *testing.T) {
		t.Parallel()
		r := &receiver{url: service.baseURL + "/sandbox/receiver", ready: make(chan struct{})}
		path, _ := p.subscribe(t, r, "webhook.ping")
		id := p.ping(t, path)
		tried := p.untilAttempts(t, path, 1)[0]
		assert.Equal(t, "Acknowledged", tried.Outcome, tried.Detail)
		var sent callback
		require.NoError(t, json.Unmarshal(tried.Payload, &sent))
		assert.Equal(t, id, sent.EventID)
	})
}
