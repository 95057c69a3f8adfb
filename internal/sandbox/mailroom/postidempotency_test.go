package mailroom_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/sandbox/mailroom"
	"aviso/internal/sandbox/mailroom/mailroomtest"
)

func TestIdempotencyKeys(t *testing.T) {
	c := newPostClient(t)
	address, signature := c.upload(t, mailroomtest.PDF(t, 1, "Stromwerk AG"))
	letters := org + "/deliveries/letters"
	sent := body(t, "", attributes(address, signature))
	first := c.call(t, "POST", letters, sent, "Idempotency-Key", "one")
	require.Equal(t, 201, first.Code)
	assert.Empty(t, first.Header().Get("Idempotent-Replayed"))

	c.AdvanceTime(t, time.Minute)
	again := c.call(t, "POST", letters, sent, "Idempotency-Key", "one")
	assert.Equal(t, 201, again.Code)
	assert.Equal(t, "true", again.Header().Get("Idempotent-Replayed"))
	assert.Equal(t, first.Body.String(), again.Body.String(), "the first response, not the current letter")
	refused(
		t,
		c.call(t, "POST", letters, body(t, "", attributes(address, signature, "address_position", "right")), "Idempotency-Key", "one"),
		422,
	)
	refused(t, c.call(t, "POST", letters, sent, "Idempotency-Key", strings.Repeat("k", 65)), 400)
	other := c.call(t, "POST", letters, sent, "Idempotency-Key", "two")
	assert.NotEqual(t, c.letterOf(t, first).ID, c.letterOf(t, other).ID)

	id := c.letterOf(t, first).ID
	require.Equal(t, 200, c.send(t, id, "cheap", "Idempotency-Key", "three").Code)
	rec := c.send(t, id, "cheap", "Idempotency-Key", "three")
	assert.Equal(t, 200, rec.Code, "without the key it would be 403")
	assert.Equal(t, "submitted", c.letterOf(t, rec).Attributes.Status)
	cancel := letters + "/" + id + "/cancel"
	require.Equal(t, 202, c.call(t, "PATCH", cancel, "", "Idempotency-Key", "four").Code)
	rec = c.call(t, "PATCH", cancel, "", "Idempotency-Key", "four")
	assert.Equal(t, 202, rec.Code)
	assert.Equal(t, "true", rec.Header().Get("Idempotent-Replayed"))
}

// A rejected request can be corrected and sent with the same key.
func TestErrorsAreNotStoredUnderTheKey(t *testing.T) {
	c := newPostClient(t)
	address, signature := c.upload(t, mailroomtest.PDF(t, 1, "Stromwerk AG"))
	letters := org + "/deliveries/letters"
	refused(t, c.call(t, "POST", letters, body(t, "", attributes(address, signature, "auto_send", nil)), "Idempotency-Key", "one"), 422)
	assert.Equal(t, 201, c.call(t, "POST", letters, body(t, "", attributes(address, signature)), "Idempotency-Key", "one").Code)
}

func TestSimulatedFaultsOfLetters(t *testing.T) {
	newLetter := func(c *postClient, t *testing.T) string {
		address, signature := c.upload(t, mailroomtest.PDF(t, 1, "Stromwerk AG"))
		return body(
			t,
			"",
			attributes(
				address,
				signature,
				"auto_send",
				true,
				"delivery_product",
				"registered",
				"print_mode",
				"simplex",
				"print_spectrum",
				"color",
			),
		)
	}
	letters := org + "/deliveries/letters"
	set := func(t *testing.T, c *postClient, behaviour string) {
		t.Helper()
		rec := c.Form(t, mailroom.PagePath, "behaviour", behaviour, "carrier", "post", "minutes", "10")
		require.Equal(t, 303, rec.Code, rec.Body)
	}
	for behaviour, status := range map[string]int{"throttle": 429, "fail": 500} {
		t.Run(behaviour, func(t *testing.T) {
			c := newPostClient(t)
			sent := newLetter(c, t)
			set(t, c, behaviour)
			rec := c.call(t, "POST", letters, sent)
			refused(t, rec, status)
			assert.Equal(t, map[int]string{429: "30", 500: ""}[status], rec.Header().Get("Retry-After"))
			c.AdvanceTime(t, 10*time.Minute)
			assert.Equal(t, 201, c.call(t, "POST", letters, sent).Code, "it is over")
		})
	}
	t.Run("hang handles the request and responds late", func(t *testing.T) {
		c := newPostClient(t)
		sent := newLetter(c, t)
		set(t, c, "hang")
		began := time.Now()
		rec := c.call(t, "POST", letters, sent, "Idempotency-Key", "one")
		assert.GreaterOrEqual(t, time.Since(began), 20*time.Millisecond)
		assert.Equal(t, 201, rec.Code)
		set(t, c, "normal")
		again := c.call(t, "POST", letters, sent, "Idempotency-Key", "one")
		assert.Equal(t, c.letterOf(t, rec).ID, c.letterOf(t, again).ID)
	})
	for behaviour, want := range map[string][]string{
		"reject": {"action_required", "webhook_issues"},
		"bounce": {"undeliverable", "webhook_sent", "webhook_undeliverable"},
		"lose":   {"validating"},
		"normal": {"delivered", "webhook_sent", "webhook_delivered"},
	} {
		t.Run(behaviour, func(t *testing.T) {
			c := newPostClient(t)
			sent := newLetter(c, t)
			set(t, c, behaviour)
			l := c.letterOf(t, c.call(t, "POST", letters, sent))
			c.AdvanceTime(t, time.Hour)
			assert.Equal(t, want[0], c.get(t, l.ID).Attributes.Status)
			var types []string
			for _, h := range webhooks(t, c) {
				types = append(types, h.Data.Type)
			}
			assert.Equal(t, want[1:], append([]string{}, types...))
		})
	}
	t.Run("delay", func(t *testing.T) {
		c := newPostClient(t)
		sent := newLetter(c, t)
		set(t, c, "delay")
		l := c.letterOf(t, c.call(t, "POST", letters, sent))
		c.AdvanceTime(t, 9*time.Minute)
		assert.Equal(t, "validating", c.get(t, l.ID).Attributes.Status)
		c.AdvanceTime(t, 2*time.Minute)
		assert.Equal(t, "delivered", c.get(t, l.ID).Attributes.Status)
	})
}
