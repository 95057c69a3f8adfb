package crashpoints

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation"
	"aviso/internal/clock"
	"aviso/internal/console/consoledb"
	"aviso/internal/console/feed"
	"aviso/internal/messaging/outbox"
)

// The call that begins an erasure closes everything: no letter leaves after it, and at the
// end nothing names the user, wherever a function crashes.
func TestErasureClosesAtEveryCall(t *testing.T) {
	for _, s := range closingScenarios() {
		t.Run(s.name, func(t *testing.T) {
			c := &tally{}
			s.crashEverywhere(t, c, nil)
			t.Logf("%d of %d points failed", len(c.failures), c.single)
			for _, failure := range c.failures[:min(3, len(c.failures))] {
				t.Error(failure)
			}
		})
	}
}

func closingScenarios() []scenario {
	return []scenario{
		{
			name: "a user with a letter that waits", done: erased, begin: (*world).eraseUser, check: noLetterAfterwards,
			prepare: func(w *world) {
				w.createUser()
				w.createLetter(cancellation.ChannelEmail)
			},
		},
		{
			name: "a user of whom a receiver was told", begin: (*world).eraseUser, check: nothingNamesTheUser,
			done:    func(w *world) bool { return erased(w) && delivered(w) },
			prepare: withSettledDelivery,
		},
	}
}

// withSettledDelivery makes a user, and an event about the user that a receiver has acknowledged and the
// console remembers.
func withSettledDelivery(w *world) {
	w.createUser()
	w.subscribe(receiver(0))
	must(w.noticeStore.PutEvent(context.Background(), outbox.Event{
		ID: w.newID(), Type: "webhook.ping", OccurredAt: clock.OfUser(w.now), Partner: partner, User: user().ID,
		Data: json.RawMessage(`{}`),
	}, nil))
	must(w.settle(delivered))
	past := consoledb.New(w.dynamo, w.tables["ConsoleTable"], w.tables["IdentityTable"], w.clock)
	must(past.AddEvents(context.Background(), partner, []feed.Event{{
		ID: w.newID(), Type: "webhook.ping", SeenAt: clock.Real(w.now), User: user().ID, Data: `{}`,
	}}))
}

// noLetterAfterwards: the letter left before the erasure began, or never.
func noLetterAfterwards(a *problems, w *world, _ int) {
	receipts := w.receipts()
	assert.Len(a, receipts, 1, "receipts")
	assert.Equal(a, 1, receipts[0].Counts["cancellations"], "cancellations")
	assert.Equal(a, 1, receipts[0].Counts["letters"], "letters")
	assert.False(a, w.lastMail.After(receipts[0].RequestedAt), "a letter has left at %s, after %s", w.lastMail, receipts[0].RequestedAt)
	assert.Empty(a, w.traces(string(user().ID)))
}

func nothingNamesTheUser(a *problems, w *world, _ int) {
	assert.Len(a, w.receipts(), 1, "receipts")
	assert.Empty(a, w.traces(string(user().ID)))
}
