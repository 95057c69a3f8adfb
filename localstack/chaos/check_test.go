package main

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	aviso "aviso.example/client"
)

// sound is a record without a finding: a letter that was sent, one that was withdrawn, and an
// event that was acknowledged the second time.
func sound() *record {
	step := func(statuses ...string) (steps []aviso.CancellationStep) {
		for _, s := range statuses {
			steps = append(steps, aviso.CancellationStep{Status: s})
		}
		return steps
	}
	r := &record{
		Requests: []request{
			{Collection: "subscriptions of one", Key: "s", Object: "sub"},
			{Collection: "pings to sub", Key: "p", Object: "e1"},
			{Collection: "cancellations of u1", Key: "c", Object: "c1"},
			{Collection: "cancellations of u1", Key: "c"},
			{Collection: "cancellations of u1", Key: "c", Object: "c1"},
			{Collection: "cancellations of u1", Key: "lost"},
			{Collection: "cancellations of u1", Key: "refused", Refused: true},
			{Collection: "cancellations of u2", Key: "erased", Object: "c9"},
		},
		Lists: map[string][]string{
			"subscriptions of one": {"sub"}, "pings to sub": {"e1"}, "cancellations of u1": {"c1", "c2"},
		},
		Cancellations: []cancellation{
			{user{"one", "u1"}, []string{"sub"}, aviso.Cancellation{CancellationID: "c1", Channel: "Fax", Status: "Sent", History: step("Created", "Queued", "Sent")}},
			{user{"one", "u1"}, []string{"sub"}, aviso.Cancellation{CancellationID: "c2", Status: "Withdrawn", History: step("Created", "Withdrawn")}},
		},
		Letters: []letter{{"Fax", "COMPLETED", "c1"}, {"Mail", "valid", "c2"}},
		Attempts: []attempt{
			{"sub", aviso.DeliveryAttempt{EventID: "e1", AttemptNumber: 1, Outcome: "HttpError"}},
			{"sub", aviso.DeliveryAttempt{EventID: "e1", AttemptNumber: 2, Outcome: "Acknowledged"}},
			{"sub", aviso.DeliveryAttempt{EventID: "e9", AttemptNumber: 1, Outcome: "HttpError"}}, // erased before the second
		},
		Callbacks: []callback{
			{Subscription: "sub", Event: "e1"},
			{Subscription: "sub", Event: "e1", Acknowledged: true},
			{Subscription: "sub", Event: "e9", Type: "cancellation.created", Cancellation: "c9"},
		},
		Erasures: []erasure{{user: user{"one", "u2"}, ID: "x", Gone: true, Completed: true}},
		Sums:     []sum{{"u1", "-1.00", "-1.00"}},
	}
	for i, name := range []string{"created", "queued", "sent"} {
		r.Callbacks = append(r.Callbacks, callback{
			Subscription: "sub", Event: "t" + string(rune('1'+i)), Type: "cancellation." + name, Cancellation: "c1",
		})
	}
	for _, name := range []string{"created", "withdrawn"} {
		r.Callbacks = append(r.Callbacks, callback{
			Subscription: "sub", Event: name, Type: "cancellation." + name, Cancellation: "c2",
		})
	}
	return r
}

func TestCheckFindsDefects(t *testing.T) {
	t.Parallel()
	require.Empty(t, check(sound()))
	for name, defect := range map[string]struct {
		promise string
		kind    string
		inject  func(*record)
	}{
		"a letter is lost":        {"every letter leaves once", isLost, func(r *record) { r.Letters = r.Letters[1:] }},
		"a letter stays":          {"every letter leaves once", isLost, func(r *record) { r.Cancellations[0].Status = "Queued" }},
		"a letter is doubled":     {"every letter leaves once", isDoubled, func(r *record) { r.Letters = append(r.Letters, r.Letters[0]) }},
		"a letter by two ways":    {"every letter leaves once", isDoubled, func(r *record) { r.Letters = append(r.Letters, letter{"Mail", "sent", "c1"}) }},
		"a withdrawn letter":      {"every letter leaves once", isDoubled, func(r *record) { r.Letters[1].State = "sent" }},
		"two objects for a key":   {"every key has one effect", isDoubled, func(r *record) { r.Requests[4].Object = "c2" }},
		"one object for two keys": {"every key has one effect", isLost, func(r *record) { r.Requests[5].Object = "c1" }},
		"an object is lost":       {"every key has one effect", isLost, func(r *record) { r.Lists["cancellations of u1"] = []string{"c2"} }},
		"an object nobody made": {"every key has one effect", isDoubled, func(r *record) {
			r.Lists["cancellations of u1"] = append(r.Lists["cancellations of u1"], "c3")
		}},
		"a refused request has an effect": {"every key has one effect", isDoubled, func(r *record) { r.Requests[5].Refused = true }},
		"an event is lost":                {"every key has one effect", isLost, func(r *record) { r.Lists["pings to sub"] = []string{} }},
		"an event is doubled": {"every key has one effect", isDoubled, func(r *record) {
			r.Lists["pings to sub"] = []string{"e1", "e2"}
		}},
		"a step without an event": {"one event for each step", isLost, func(r *record) {
			r.Callbacks = slices.DeleteFunc(r.Callbacks, func(c callback) bool { return c.Type == "cancellation.sent" })
		}},
		"a step with two events": {"one event for each step", isDoubled, func(r *record) {
			r.Callbacks = append(r.Callbacks, callback{Subscription: "sub", Event: "e9", Type: "cancellation.sent", Cancellation: "c1"})
		}},
		"an event is given up":          {"every event is acknowledged or exhausted", isLost, func(r *record) { r.Attempts = r.Attempts[:1] }},
		"an acknowledgement is made up": {"every event is acknowledged or exhausted", isLost, func(r *record) { r.Callbacks[1].Acknowledged = false }},
		"an attempt twice":              {"no attempt number twice", isDoubled, func(r *record) { r.Attempts = append(r.Attempts, r.Attempts[0]) }},
		"a fourth attempt": {"no attempt number twice", isDoubled, func(r *record) {
			r.Attempts = append(r.Attempts, attempt{"sub", aviso.DeliveryAttempt{EventID: "e1", AttemptNumber: 4}})
		}},
		"a status out of order": {"statuses in a legal order", isWrong, func(r *record) {
			slices.Reverse(r.Cancellations[0].History)
		}},
		"an erased user":        {"erased users are gone", isWrong, func(r *record) { r.Erasures[0].Gone = false }},
		"an erasure never ends": {"erased users are gone", isWrong, func(r *record) { r.Erasures[0].Completed = false }},
		"a wrong sum":           {"sums equal transactions", isWrong, func(r *record) { r.Sums[0].Insight = "-2.00" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := sound()
			defect.inject(r)
			assert.True(t, slices.ContainsFunc(check(r), func(f finding) bool {
				return f.promise == defect.promise && f.kind == defect.kind
			}))
		})
	}
}
