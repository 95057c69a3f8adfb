package console_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/console"
	"aviso/internal/console/feed"
	"aviso/internal/notification"
)

// A simulated event asks nobody to do anything, and leads to nothing that there is not.
func TestASimulatedEventAsksForNothing(t *testing.T) {
	w := newWorld(t)
	sub, invented := w.hooks.subscribe(t, "alpha", ""), uuid.NewString()
	id := w.hooks.exhaust(t, sub, "cancellation.delivery_failed", notification.OutcomeTimeout)
	require.NoError(t, w.past.AddEvents(t.Context(), "alpha", []feed.Event{{
		ID: id, Type: "cancellation.delivery_failed", OccurredAt: clock.OfUser(w.clock.Now()), SeenAt: clock.Real(w.clock.Now()),
		IsSimulated: true,
		Data:        `{"cancellationId":"` + invented + `"}`,
	}}))
	v := w.as(t, "alpha", console.Viewer)
	for _, page := range []string{"events", "events/" + id} {
		body := v.get(t, "/console/"+page).body
		assert.Contains(t, body, "nothing has happened")
		hides(t, body, "Tell the user", "cancellations/"+invented)
	}
	attempt := w.hooks.newest(t, sub)
	for _, page := range []string{"attempts/" + attempt.ID, "events/" + id} {
		body := v.get(t, "/console/webhooks/"+sub.ID+"/"+page).body
		assert.Contains(t, body, "you missed nothing")
		assert.NotContains(t, body, "GET /cancellations/v1")
	}
	assert.NotContains(t, v.get(t, "/console/webhooks/"+sub.ID+"/outages/"+attempt.ID).body, "In place of")
	list := v.get(t, "/console/webhooks/"+sub.ID).body
	assert.Contains(t, list, "Made: see above")
	assert.NotContains(t, list, "was due")
}

// Each environment says what holds there.
func TestWhatHoldsInAnEnvironment(t *testing.T) {
	t.Parallel()
	for stage, c := range map[config.Stage]struct{ ports, docs bool }{
		config.Local: {false, true}, config.Test: {true, false}, config.Production: {false, false},
	} {
		w := openWorld(t, func(o *console.Options) { o.Stage = stage })
		sub := w.hooks.subscribe(t, "alpha", "")
		v := w.as(t, "alpha", console.Developer)
		body := v.get(t, "/console/webhooks/"+sub.ID+"/settings").body
		assert.Equal(t, c.ports, strings.Contains(body, "8443"), stage)
		assert.Equal(t, c.docs, strings.Contains(body, `href="/docs"`), stage)
	}
}
