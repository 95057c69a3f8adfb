package receivers

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/notification"
	"aviso/internal/notification/webhook"
)

func TestReceivers(t *testing.T) {
	t.Parallel()
	for name, provide := range map[string]func(t *testing.T) program{
		"Go": goProgram, "Node": nodeProgram, "Python": pythonProgram,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			example := provide(t)
			t.Run("does not start without a key", func(t *testing.T) {
				// With an empty key, anybody could sign.
				for _, secrets := range []string{"", " ", "whsec_"} {
					ctx, cancel := context.WithTimeout(t.Context(), within)
					output, err := example.command(ctx, secrets).CombinedOutput()
					assert.NoError(t, ctx.Err(), "%q", secrets)
					cancel()
					assert.Error(t, err, "%q", secrets)
					assert.NotContains(t, string(output), "Listening", "%q", secrets)
				}
			})
			testReceiver(t, example)
		})
	}
}

func testReceiver(t *testing.T, example program) {
	t.Helper()
	older, newer, foreign := key(1), key(2), key(3)
	p := example.start(t, older+" "+newer)
	now := time.Now()

	t.Run("acknowledges callbacks signed with one of its keys, and handles each once", func(t *testing.T) {
		for i, keys := range [][]string{{older}, {newer}, {older, newer}, {foreign, newer}} {
			c := newCallback(t)
			c.sign(t, now, keys...)
			for range 2 {
				assertAcknowledged(t, p.post(t, c), "keys %d", i)
			}
			p.assertLine(t, c.line)
		}
	})
	t.Run("acknowledges the service's callbacks", func(t *testing.T) {
		client := webhook.New(webhook.Options{Stage: config.Local, Now: time.Now})
		for _, keys := range [][]notification.Key{{notification.Key(older)}, {notification.Key(foreign), notification.Key(newer)}} {
			c := newCallback(t)
			result := client.Call(t.Context(), notification.Call{
				URL: p.url + "/webhooks", EventID: c.header.Get("webhook-id"), At: clock.Real(time.Now()), Body: c.body, Keys: keys,
			})
			assert.Equal(t, notification.OutcomeAcknowledged, result.Outcome, result.Detail)
			p.assertLine(t, c.line)
		}
		c := newCallback(t)
		result := client.Call(t.Context(), notification.Call{
			URL: p.url + "/webhooks", EventID: c.header.Get("webhook-id"), At: clock.Real(time.Now()), Body: c.body,
			Keys: []notification.Key{notification.Key(foreign)},
		})
		assert.Equal(t, notification.OutcomeHTTPError, result.Outcome)
		assert.Equal(t, http.StatusUnauthorized, result.HTTPStatus)
	})
	t.Run("accepts a retry with a new signature", func(t *testing.T) {
		c := newCallback(t)
		c.sign(t, now.Add(-4*time.Minute), older)
		assertAcknowledged(t, p.post(t, c))
		p.assertLine(t, c.line)
		c.sign(t, now, older)
		assertAcknowledged(t, p.post(t, c))
	})

	for name, spoil := range map[string]func(t *testing.T, c *callback){
		"a body that was changed on the way": func(_ *testing.T, c *callback) {
			c.body = bytes.Replace(c.body, []byte("Delivered"), []byte("Confirmed"), 1)
		},
		"a body that was parsed and encoded again": func(t *testing.T, c *callback) {
			var members map[string]any
			require.NoError(t, json.Unmarshal(c.body, &members))
			var err error
			c.body, err = json.MarshalIndent(members, "", "  ")
			require.NoError(t, err)
		},
		"a body that is not text":     func(_ *testing.T, c *callback) { c.body = []byte{0xFF, 0xFE} },
		"no body":                     func(_ *testing.T, c *callback) { c.body = nil },
		"a signature of another key":  func(t *testing.T, c *callback) { c.sign(t, now, foreign) },
		"a signature that is too old": func(t *testing.T, c *callback) { c.sign(t, now.Add(-6*time.Minute), older) },
		"a signature from the future": func(t *testing.T, c *callback) { c.sign(t, now.Add(6*time.Minute), older) },
		"a time that was changed": func(_ *testing.T, c *callback) {
			c.header.Set("webhook-timestamp", strconv.FormatInt(now.Unix()+1, 10))
		},
		"a time that is not a number": func(_ *testing.T, c *callback) { c.header.Set("webhook-timestamp", "now") },
		"the ID of another event":     func(_ *testing.T, c *callback) { c.header.Set("webhook-id", uuid.NewString()) },
		"no signature":                func(_ *testing.T, c *callback) { c.header.Del("webhook-signature") },
		"no ID":                       func(_ *testing.T, c *callback) { c.header.Del("webhook-id") },
		"no time":                     func(_ *testing.T, c *callback) { c.header.Del("webhook-timestamp") },
		"a signature without a version": func(_ *testing.T, c *callback) {
			c.header.Set("webhook-signature", strings.TrimPrefix(c.header.Get("webhook-signature"), "v1,"))
		},
		"a signature of an unknown version": func(_ *testing.T, c *callback) {
			c.header.Set("webhook-signature", "v9"+strings.TrimPrefix(c.header.Get("webhook-signature"), "v1"))
		},
		"a signature that is cut off": func(_ *testing.T, c *callback) { c.header.Set("webhook-signature", "v1,abc") },
	} {
		t.Run("rejects "+name, func(t *testing.T) {
			c := newCallback(t)
			c.sign(t, now, older)
			spoil(t, &c)
			answer := p.post(t, c)
			assert.Equal(t, http.StatusUnauthorized, answer.status)
			assert.NotContains(t, answer.body, "isAcknowledged")
		})
	}

	t.Run("ignores rejected and duplicate callbacks", func(t *testing.T) {
		c := newCallback(t)
		c.sign(t, now, newer)
		assertAcknowledged(t, p.post(t, c))
		p.assertLine(t, c.line)
		assert.Empty(t, p.stop(t))
		assert.Contains(t, p.stderr.String(), "not acknowledged: ", "says why")
	})
}

// key is a signing key as partners receive it.
func key(seed byte) string {
	return "whsec_" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{seed}, 32))
}

// callback is a callback from the service.
type callback struct {
	header http.Header
	body   []byte
	// line is what a receiver prints about it.
	line string
}

func newCallback(t *testing.T) callback {
	t.Helper()
	id, at := uuid.NewString(), "2026-03-02T09:35:00Z"
	// Parsing and encoding the body again would drop the blanks and the escape.
	body := fmt.Sprintf(`{ "eventId":%q,"eventType":"cancellation.delivered","occurredAt":%q,"environment":"test",`+
		`"isSimulated":false,"userId":%q,"data":{"cancellationId":%q,"externalCancellationRequestIdentifier":"Z\u00fcrich <ü>",`+
		`"status":"Delivered","statusReason":"","channel":"Email"} }`, id, at, uuid.NewString(), uuid.NewString())
	return callback{
		header: http.Header{"Content-Type": {"application/json"}, "Webhook-Id": {id}}, body: []byte(body),
		line: at + " cancellation.delivered " + id,
	}
}

// sign signs the callback at a time, with each of the keys.
func (c *callback) sign(t *testing.T, at time.Time, keys ...string) {
	t.Helper()
	signatures := make([]string, len(keys))
	for i, k := range keys {
		signer, err := standardwebhooks.NewWebhook(k)
		require.NoError(t, err)
		signatures[i], err = signer.Sign(c.header.Get("webhook-id"), at, c.body)
		require.NoError(t, err)
	}
	c.header.Set("webhook-timestamp", strconv.FormatInt(at.Unix(), 10))
	c.header.Set("webhook-signature", strings.Join(signatures, " "))
}

func assertAcknowledged(t *testing.T, a answer, context ...any) {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, context...)
	var members struct {
		IsAcknowledged bool      `json:"isAcknowledged"`
		Timestamp      time.Time `json:"timestamp"` // RFC 3339, or it does not parse
	}
	require.NoError(t, json.Unmarshal([]byte(a.body), &members), context...)
	assert.True(t, members.IsAcknowledged, context...)
	assert.WithinDuration(t, time.Now(), members.Timestamp, 5*time.Minute, context...)
}
