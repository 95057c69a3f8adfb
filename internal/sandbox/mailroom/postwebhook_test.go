package mailroom_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/mailroom/mailroomtest"
)

type hook struct {
	Data struct {
		ID, Type   string
		Attributes struct {
			Reason  *string
			URL     string
			Created string `json:"created_at"`
		}
		Relationships map[string]struct{ Data struct{ ID, Type string } }
	}
	Included []struct {
		ID, Type   string
		Attributes json.RawMessage
	}
}

type event struct {
	Code, Name string
	Emitted    string `json:"emitted_at"`
}

func (h hook) event(t *testing.T) (e event) {
	t.Helper()
	related := h.Data.Relationships["event"].Data
	for _, i := range h.Included {
		if i.ID == related.ID && i.Type == related.Type {
			require.NoError(t, json.Unmarshal(i.Attributes, &e))
			return e
		}
	}
	require.Fail(t, "the event is not included")
	return e
}

// verify checks the signature as a receiver would, and parses the body.
func verify(t *testing.T, call mailroomtest.Callback) (h hook) {
	t.Helper()
	assert.Equal(t, mailroomtest.BaseURL+"/carriers/v1/pingen", call.URL)
	assert.Equal(t, "application/vnd.api+json", call.Header.Get("Content-Type"))
	mac := hmac.New(sha256.New, []byte("signing-key"))
	mac.Write(call.Body)
	assert.Equal(t, hex.EncodeToString(mac.Sum(nil)), call.Header.Get("Signature"))
	require.NoError(t, json.Unmarshal(call.Body, &h))
	return h
}

func webhooks(t *testing.T, c *postClient) (out []hook) {
	t.Helper()
	for _, call := range c.Callbacks() {
		out = append(out, verify(t, call))
	}
	return out
}

func only(t *testing.T, c *postClient) hook {
	t.Helper()
	hooks := webhooks(t, c)
	require.Len(t, hooks, 1)
	return hooks[0]
}

func (c *postClient) sent(t *testing.T) string {
	t.Helper()
	l := c.post(t)
	c.AdvanceTime(t, time.Second)
	require.Equal(t, 200, c.send(t, l.ID, "cheap").Code)
	c.AdvanceTime(t, 3*time.Second)
	return l.ID
}

func TestSentWebhook(t *testing.T) {
	c := newPostClient(t)
	id := c.sent(t)
	h := only(t, c)
	assert.Equal(t, "webhook_sent", h.Data.Type)
	assert.Nil(t, h.Data.Attributes.Reason)
	for _, name := range []string{"letter", "deliverable"} {
		assert.Equal(t, id, h.Data.Relationships[name].Data.ID)
		assert.Equal(t, "letters", h.Data.Relationships[name].Data.Type)
	}
	assert.Equal(t, "deliverables_events", h.Data.Relationships["event"].Data.Type)
	assert.Equal(t, mailroomtest.Post().OrganisationID, h.Data.Relationships["organisation"].Data.ID)
	assert.Equal(t, event{"transferred_to_distributor", "Handed to distributor", "2026-11-20T12:00:04+0000"}, h.event(t))
	kinds := map[string]bool{}
	for _, i := range h.Included {
		kinds[i.Type] = true
	}
	assert.Equal(t, map[string]bool{"organisations": true, "letters": true, "deliverables_events": true, "letters_events": true}, kinds)
}

func TestWebhooksAreRetriedUntilAcknowledged(t *testing.T) {
	c := newPostClient(t)
	c.Answer = 503
	c.sent(t)
	require.Len(t, c.Callbacks(), 1)
	for i, pause := range []time.Duration{time.Minute, 5 * time.Minute, 10 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour} {
		c.AdvanceTime(t, pause-time.Second)
		require.Len(t, c.Callbacks(), i+1)
		c.AdvanceTime(t, time.Second)
		require.Len(t, c.Callbacks(), i+2)
	}
	c.AdvanceTime(t, 48*time.Hour)
	callbacks := c.Callbacks()
	require.Len(t, callbacks, 7, "then it gives up")
	for _, again := range callbacks {
		verify(t, again)
		assert.Equal(t, string(callbacks[0].Body), string(again.Body))
	}
	assert.Empty(t, c.Steps())
}

func TestWebhooksWithoutResponseAreRetried(t *testing.T) {
	c := newPostClient(t)
	c.Answer = -1
	id := c.sent(t)
	c.Answer = 302
	c.AdvanceTime(t, time.Minute)
	c.Answer = 204
	c.AdvanceTime(t, 5*time.Minute)
	assert.Len(t, c.Callbacks(), 3)
	c.AdvanceTime(t, 48*time.Hour)
	assert.Len(t, c.Callbacks(), 3)
	l, err := c.Store.Letter(t.Context(), id)
	require.NoError(t, err)
	assert.True(t, l.Notices[0].Acknowledged)
	assert.Equal(t, 3, l.Notices[0].Attempts)
}
