package history_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/localstack/chaos/history"
)

func settings() history.Settings {
	return history.Settings{
		RetryDelays: []time.Duration{5 * time.Second, 10 * time.Second}, ErasureGrace: 10 * time.Second,
		KeySearch: time.Second,
	}
}

// world is a small service that keeps its promises. It draws what clients do and which
// answers get lost, and writes the history.
type world struct {
	*rapid.T
	h   history.History
	now time.Duration
	n   int
}

func (w *world) tick() time.Duration {
	w.now += time.Duration(w.integer(1, 2000, "pause")) * time.Millisecond
	return w.now
}

func (w *world) integer(low, high int, label string) int {
	return rapid.IntRange(low, high).Draw(w.T, label)
}

func (w *world) chance(label string) bool { return rapid.Bool().Draw(w.T, label) }

func (w *world) id(what string) string {
	w.n++
	return fmt.Sprintf("%s-%d", what, w.n)
}

// try sends a keyed request until a definite answer, or gives up. Any try may make the
// object, whatever the client is told.
func (w *world) try(c history.Call, object string) (answered bool) {
	exists := false
	for range w.integer(1, 4, "tries") {
		c.Begun = w.tick()
		c.Ended = w.tick()
		c.Status, c.Code, c.Object = 0, "", ""
		switch {
		case w.chance("answered"):
			exists = true
			c.Status, c.Object = 201, object
		case w.chance("effect"):
			exists = true
			c.Status = rapid.SampledFrom([]int{0, 500, 503}).Draw(w.T, "lost")
		case !exists && w.chance("refused"):
			c.Status, c.Code = 422, "validation_failed"
		default:
			c.Status, c.Code = 409, "idempotency_in_progress"
		}
		w.h.Calls = append(w.h.Calls, c)
		if c.Status == 201 {
			answered = true
			break
		}
	}
	return answered
}

func (w *world) user(partner string) {
	user := w.id("user")
	w.h.Users = append(w.h.Users, history.User{Partner: partner, ID: user})
	for range w.integer(0, 3, "intents") {
		w.intent(partner, user)
	}
	if w.chance("erase") {
		w.h.Erasures = append(w.h.Erasures, history.Erasure{
			Partner: partner, User: user, ID: w.id("erasure"), Ended: w.tick(), Complete: true,
		})
	}
}

func (w *world) intent(partner, user string) {
	intent := history.Intent{
		ID: w.id("intent"), Partner: partner, User: user, Product: w.id("product"), Fallback: w.chance("fallback"),
	}
	w.h.Intents = append(w.h.Intents, intent)
	id := w.id("cancellation")
	call := history.Call{Partner: partner, User: user, Operation: "createCancellation", Key: w.id("key"), Intent: intent.ID}
	if !w.try(call, id) {
		return
	}
	record := history.Cancellation{Partner: partner, User: user, ID: id, Product: intent.Product, Status: "Sent"}
	if w.chance("withdraw") {
		w.h.Withdrawals = append(w.h.Withdrawals, history.Withdrawal{Cancellation: id, Ended: w.tick()})
		record.Status = "Withdrawn"
	} else {
		channels := []string{"Email"}
		if intent.Fallback {
			channels = append(channels, "Post")
		}
		for _, channel := range channels {
			w.h.Letters = append(w.h.Letters, history.Letter{
				Cancellation: id, Channel: channel, Carrier: w.id("letter"), At: w.tick(),
			})
		}
	}
	w.h.Cancellations = append(w.h.Cancellations, record)
	for _, s := range w.h.Subscriptions {
		if s.Partner == partner {
			w.deliver(s, history.Event{Partner: partner, User: user, ID: w.id("event"), Type: "cancellation.created"}, id)
		}
	}
}

func (w *world) deliver(s history.Subscription, e history.Event, cancellation string) {
	started := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC).Add(w.now)
	tries := w.integer(1, 3, "attempts")
	for number := 1; number <= tries; number++ {
		acknowledged := number == tries && (number < 3 || w.chance("acknowledged"))
		a := history.Attempt{
			Partner: s.Partner, Subscription: s.ID, Event: e.ID, Type: e.Type, Number: number, StartedAt: started,
			Outcome: "HttpError",
		}
		if acknowledged {
			a.Outcome = "Acknowledged"
		} else if number < 3 {
			started = started.Add(settings().RetryDelays[number-1] + time.Second)
			a.NextAt = started
		}
		w.h.Attempts = append(w.h.Attempts, a)
		w.h.Callbacks = append(w.h.Callbacks, history.Callback{
			Partner: s.Partner, Subscription: s.ID, Event: e.ID, Type: e.Type, User: e.User, Cancellation: cancellation,
			At: w.tick(), Genuine: true, Signatures: 1, Acknowledged: acknowledged,
		})
	}
}

// draw returns the history of a world that keeps its promises.
func draw(t *rapid.T) history.History {
	w := &world{T: t}
	for _, partner := range []string{"one", "two"} {
		for range w.integer(0, 2, "subscriptions") {
			s := history.Subscription{Partner: partner, ID: w.id("subscription"), Since: w.tick()}
			w.h.Subscriptions = append(w.h.Subscriptions, s)
		}
	}
	for _, partner := range []string{"one", "two"} {
		for range w.integer(1, 2, "users") {
			w.user(partner)
		}
		for range w.integer(0, 2, "events") {
			e := history.Event{Partner: partner, ID: w.id("event"), Type: "webhook.ping", Begun: w.tick()}
			w.h.Events = append(w.h.Events, e)
			for _, s := range w.h.Subscriptions {
				if s.Partner == partner {
					w.deliver(s, e, "")
				}
			}
		}
	}
	w.h.Sums = append(w.h.Sums, history.Sum{User: "user", Of: "expenses", Listed: "1", Insight: "1"})
	w.h.Counts = append(w.h.Counts, history.Count{What: "secrets", Owner: "s", N: w.integer(1, 5, "secrets"), Least: 1, Limit: 5})
	return w.h
}

func TestJudgeAcceptsWhatKeepsThePromises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		assert.Empty(t, history.Judge(draw(t), settings()))
	})
}

// defect breaks a promise in a history, if the history has what it takes.
type defect struct {
	rule   history.Rule
	inject func(t *rapid.T, h *history.History) bool
}

// one draws an element that matches, or returns nil.
func one[T any](t *rapid.T, list []T, matches func(T) bool) *T {
	var fitting []int
	for i := range list {
		if matches(list[i]) {
			fitting = append(fitting, i)
		}
	}
	if len(fitting) == 0 {
		return nil
	}
	return &list[rapid.SampledFrom(fitting).Draw(t, "where")]
}

func whichever[T any](T) bool { return true }

func keyed(status int) func(history.Call) bool {
	return func(c history.Call) bool { return c.Intent != "" && c.Status == status }
}

func defects() map[string]defect {
	return map[string]defect{
		"a letter twice": {history.OneLetter, func(t *rapid.T, h *history.History) bool {
			l := one(t, h.Letters, whichever)
			if l == nil {
				return false
			}
			again := *l
			again.Carrier += " again"
			again.At += time.Second
			h.Letters = append(h.Letters, again)
			return true
		}},
		"a letter lost": {history.NoLetterLost, func(t *rapid.T, h *history.History) bool {
			l := one(t, h.Letters, func(l history.Letter) bool { return !erased(h, l.Cancellation) })
			if l == nil {
				return false
			}
			lost := l.Cancellation
			h.Letters = slices.DeleteFunc(h.Letters, func(l history.Letter) bool { return l.Cancellation == lost })
			return true
		}},
		"a key makes two objects": {history.OneObject, func(t *rapid.T, h *history.History) bool {
			c := one(t, h.Calls, keyed(201))
			if c == nil {
				return false
			}
			again := *c
			again.Object = "another"
			again.Begun, again.Ended = again.Ended+1, again.Ended+2
			h.Calls = append(h.Calls, again)
			return true
		}},
		"an intent has two cancellations": {history.OneCancellation, func(t *rapid.T, h *history.History) bool {
			c := one(t, h.Cancellations, whichever)
			if c == nil {
				return false
			}
			again := *c
			again.ID = "another"
			h.Cancellations = append(h.Cancellations, again)
			return true
		}},
		"a withdrawn letter leaves": {history.WithdrawnStays, func(t *rapid.T, h *history.History) bool {
			w := one(t, h.Withdrawals, whichever)
			if w == nil {
				return false
			}
			h.Letters = append(h.Letters, history.Letter{
				Cancellation: w.Cancellation, Channel: "Email", Carrier: "late", At: w.Ended + time.Second,
			})
			return true
		}},
		"a letter leaves after the erasure": {history.ErasedStays, func(t *rapid.T, h *history.History) bool {
			l := one(t, h.Letters, func(l history.Letter) bool { return erased(h, l.Cancellation) })
			if l == nil {
				return false
			}
			l.At = time.Hour
			return true
		}},
		"an event is not delivered": {history.EventDelivered, func(t *rapid.T, h *history.History) bool {
			e := one(t, h.Events, func(e history.Event) bool {
				return slices.ContainsFunc(h.Attempts, func(a history.Attempt) bool { return a.Event == e.ID })
			})
			if e == nil {
				return false
			}
			h.Attempts = slices.DeleteFunc(h.Attempts, func(a history.Attempt) bool { return a.Event == e.ID })
			return true
		}},
		"an acknowledgement is made up": {history.EventDelivered, func(t *rapid.T, h *history.History) bool {
			a := one(t, h.Attempts, func(a history.Attempt) bool {
				return a.Type == "webhook.ping" && a.Outcome == "Acknowledged"
			})
			if a == nil {
				return false
			}
			for i, c := range h.Callbacks {
				if c.Event == a.Event && c.Subscription == a.Subscription {
					h.Callbacks[i].Acknowledged = false
				}
			}
			return true
		}},
		"an attempt twice": {history.AttemptsCounted, func(t *rapid.T, h *history.History) bool {
			a := one(t, h.Attempts, whichever)
			if a == nil {
				return false
			}
			h.Attempts = append(h.Attempts, *a)
			return true
		}},
		"an attempt too early": {history.AttemptsOnTime, func(t *rapid.T, h *history.History) bool {
			a := one(t, h.Attempts, func(a history.Attempt) bool { return a.Number > 1 })
			if a == nil {
				return false
			}
			a.StartedAt = a.StartedAt.Add(-3 * time.Second)
			return true
		}},
		"a forged callback": {history.CallbacksGenuine, func(t *rapid.T, h *history.History) bool {
			c := one(t, h.Callbacks, whichever)
			if c == nil {
				return false
			}
			c.Genuine = false
			return true
		}},
		"a callback at the wrong partner": {history.OwnersApart, func(t *rapid.T, h *history.History) bool {
			c := one(t, h.Callbacks, func(c history.Callback) bool { return c.User != "" })
			if c == nil {
				return false
			}
			c.Partner = "three"
			return true
		}},
		"a wrong sum": {history.SumsAgree, func(_ *rapid.T, h *history.History) bool {
			h.Sums[0].Insight = "2"
			return true
		}},
		"too many secrets": {history.LimitsHold, func(_ *rapid.T, h *history.History) bool {
			h.Counts[0].N = 6
			return true
		}},
		"no secret": {history.LimitsHold, func(_ *rapid.T, h *history.History) bool {
			h.Counts[0].N = 0
			return true
		}},
		"an erased user in a table": {history.ErasedGone, func(t *rapid.T, h *history.History) bool {
			e := one(t, h.Erasures, whichever)
			if e == nil {
				return false
			}
			h.Strays = append(h.Strays, history.Stray{What: e.User, Where: "a table"})
			return true
		}},
	}
}

// erased reports whether the cancellation's user was erased.
func erased(h *history.History, cancellation string) bool {
	i := slices.IndexFunc(h.Cancellations, func(c history.Cancellation) bool { return c.ID == cancellation })
	return slices.ContainsFunc(h.Erasures, func(e history.Erasure) bool { return e.User == h.Cancellations[i].User })
}

func TestJudgeFindsDefects(t *testing.T) {
	t.Parallel()
	for name, d := range defects() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			injected := 0
			rapid.Check(t, func(t *rapid.T) {
				h := draw(t)
				if !d.inject(t, &h) {
					return
				}
				injected++
				found := history.Judge(h, settings())
				require.True(t, slices.ContainsFunc(found, func(f history.Finding) bool { return f.Rule == d.rule }),
					"want a finding of %q in %v", d.rule, found)
			})
			assert.Positive(t, injected, "the defect was never tried")
		})
	}
}
