package main

import (
	"fmt"
	"slices"
	"time"

	aviso "aviso.example/client"
)

// record is what a run has seen: what partners were answered, what their receivers got, and
// what there was in the end.
type record struct {
	// Broken counts what was broken.
	Broken    map[string]int
	Users     []user
	Requests  []request
	Callbacks []callback
	Erasures  []erasure

	// Lists are the IDs of what exists in the end, by collection.
	Lists         map[string][]string
	Cancellations []cancellation
	Letters       []letter
	Attempts      []attempt
	Sums          []sum
}

type (
	user struct{ Partner, ID string }

	// request is a request for something new, sent under one key until there was a definite
	// answer. Object is what a success named; without it, and unless it was Refused, nobody
	// knows what has happened.
	request struct {
		Collection, Key, Object string
		Refused                 bool
	}

	// cancellation has the subscriptions that are told of it.
	cancellation struct {
		user
		Subscriptions []string
		aviso.Cancellation
	}

	// letter is one that a carrier of the sandbox has.
	letter struct{ How, State, CancellationID string }

	// callback is what a receiver got.
	callback struct {
		Subscription, Event, Type, Cancellation string
		Acknowledged                            bool
	}

	attempt struct {
		Subscription string
		aviso.DeliveryAttempt
	}

	// erasure has no ID if its receipt was lost.
	erasure struct {
		user
		ID              string
		Gone, Completed bool
	}

	sum struct{ User, Listed, Insight string }
)

// What a finding says of a letter, an event or an effect.
const isLost, isDoubled, isWrong = "lost", "doubled", "wrong"

// finding is a promise that was broken, or is not kept yet.
type finding struct{ kind, promise, text string }

// checker judges a record.
type checker struct {
	*record
	found []finding
}

// check returns everything in the record that breaks a promise.
func check(r *record) []finding {
	c := &checker{record: r}
	c.effects()
	c.letters()
	for _, one := range r.Cancellations {
		c.statuses(one)
	}
	c.events()
	for _, e := range r.Erasures {
		if !e.Gone || !e.Completed {
			c.find(isWrong, "erased users are gone", "%+v", e)
		}
	}
	for _, s := range r.Sums {
		if s.Listed != s.Insight {
			c.find(isWrong, "sums equal transactions", "user %s has %s, but %s in sums", s.User, s.Listed, s.Insight)
		}
	}
	return c.found
}

func (c *checker) find(kind, promise, format string, args ...any) {
	c.found = append(c.found, finding{kind, promise, fmt.Sprintf(format, args...)})
}

// effects checks that every key has one effect, which is there in the end.
func (c *checker) effects() {
	const promise = "every key has one effect"
	type in struct{ collection, name string }
	objects, keys, open := map[in]string{}, map[in]string{}, map[in]bool{}
	for _, r := range c.Requests {
		key, object := in{r.Collection, r.Key}, in{r.Collection, r.Object}
		if r.Object == "" {
			open[key] = !r.Refused
			continue
		}
		if made := objects[key]; made != "" && made != r.Object {
			c.find(isDoubled, promise, "%s: %s has made %s and %s", r.Collection, r.Key, made, r.Object)
		}
		if maker := keys[object]; maker != "" && maker != r.Key {
			c.find(isLost, promise, "%s: %s and %s were both answered with %s", r.Collection, r.Key, maker, r.Object)
		}
		objects[key], keys[object] = r.Object, r.Key
		if list, looked := c.Lists[r.Collection]; looked && !slices.Contains(list, r.Object) {
			c.find(isLost, promise, "%s: %s has made %s, which is gone", r.Collection, r.Key, r.Object)
		}
	}
	extra := map[string][]string{} // what nobody was told of
	for collection, list := range c.Lists {
		for _, id := range list {
			if keys[in{collection, id}] == "" {
				extra[collection] = append(extra[collection], id)
			}
		}
	}
	unknown := map[string]int{}
	for key, still := range open {
		if still && objects[key] == "" {
			unknown[key.collection]++
		}
	}
	for collection, ids := range extra {
		if len(ids) > unknown[collection] {
			c.find(isDoubled, promise, "%s: nobody was told of %v", collection, ids)
		}
	}
}

// letters checks that each cancellation's letter left once for each time it was Sent.
func (c *checker) letters() {
	const promise = "every letter leaves once"
	left := map[string][]string{} // channels by cancellation
	for _, l := range c.Letters {
		if slices.Contains([]string{"validating", "valid", "action_required", "invalid", "expired"}, l.State) {
			continue // the post office was never told to send it
		}
		if slices.Contains(left[l.CancellationID], l.How) {
			c.find(isDoubled, promise, "cancellation %s left twice by %s", l.CancellationID, l.How)
		}
		left[l.CancellationID] = append(left[l.CancellationID], l.How)
	}
	for _, one := range c.Cancellations {
		id, channels, sent := one.CancellationID, left[one.CancellationID], 0
		for _, step := range one.History {
			if step.Status == "Sent" {
				sent++
			}
		}
		switch {
		case waits(one.Cancellation) || len(channels) < sent:
			c.find(isLost, promise, "%s is %s, was sent %d times, and left by %v", id, one.Status, sent, channels)
		case len(channels) > sent && one.Status != "DeliveryFailed": // which may have left without success
			c.find(isDoubled, promise, "%s is %s, was sent %d times, and left by %v", id, one.Status, sent, channels)
		}
	}
}

// waits reports whether the letter has not left.
func waits(c aviso.Cancellation) bool { return c.Status == "Created" || c.Status == "Queued" }

// statuses checks that a cancellation's statuses are in a legal order, and that each step was
// told once to every subscription.
func (c *checker) statuses(one cancellation) {
	follow := map[string][]string{
		"":          {"Created"},
		"Created":   {"Queued", "Withdrawn"},
		"Queued":    {"Sent", "Queued", "Withdrawn", "DeliveryFailed"},
		"Sent":      {"Delivered", "Queued", "DeliveryFailed"},
		"Delivered": {"Queued", "DeliveryFailed"},
	}
	const order = "statuses in a legal order"
	id, steps, before := one.CancellationID, map[string]int{}, ""
	for _, step := range one.History {
		if !slices.Contains(follow[before], step.Status) {
			c.find(isWrong, order, "%s of cancellation %s follows %q", step.Status, id, before)
		}
		before = step.Status
		steps[before]++
	}
	if before != one.Status {
		c.find(isWrong, order, "cancellation %s is %s after %q", id, one.Status, before)
	}
	for _, subscription := range one.Subscriptions {
		told := map[string][]string{} // events by type
		for _, b := range c.Callbacks {
			known := slices.Contains(told[b.Type], b.Event)
			if !known && b.Subscription == subscription && b.Cancellation == id {
				told[b.Type] = append(told[b.Type], b.Event)
			}
		}
		for status, event := range map[string]string{
			"Created": "cancellation.created", "Queued": "cancellation.queued", "Sent": "cancellation.sent",
			"Delivered": "cancellation.delivered", "Withdrawn": "cancellation.withdrawn",
			"DeliveryFailed": "cancellation.delivery_failed",
		} {
			if n := len(told[event]); n != steps[status] {
				how := isDoubled
				if n < steps[status] {
					how = isLost
				}
				c.find(how, "one event for each step", "%s was %d times %s; %s got %v", id, steps[status], status,
					subscription, told[event])
			}
		}
	}
}

// exhausted is the number of the last attempt.
const exhausted = 3

// ofErased returns the cancellations of erased users. What waits to be sent about them is deleted.
func (c *checker) ofErased() map[string]bool {
	found := map[string]bool{}
	for _, e := range c.Erasures {
		for _, r := range c.Requests {
			if r.Collection == "cancellations of "+e.user.ID {
				found[r.Object] = true
			}
		}
	}
	return found
}

// events checks that every event was acknowledged, or tried as often as promised.
func (c *checker) events() {
	type delivery struct{ subscription, event string }
	last, acknowledged := map[delivery]attempt{}, map[delivery]bool{}
	numbers := map[delivery][]int{}
	for _, a := range c.Attempts {
		at := delivery{a.Subscription, a.EventID}
		if slices.Contains(numbers[at], a.AttemptNumber) || a.AttemptNumber > exhausted {
			c.find(isDoubled, "no attempt number twice", "%v: attempt %d", at, a.AttemptNumber)
		}
		numbers[at] = append(numbers[at], a.AttemptNumber)
		if a.AttemptNumber > last[at].AttemptNumber {
			last[at] = a
		}
	}
	dropped, ofErased := map[string]bool{}, c.ofErased()
	for _, b := range c.Callbacks {
		dropped[b.Event] = ofErased[b.Cancellation]
		if b.Acknowledged {
			acknowledged[delivery{b.Subscription, b.Event}] = true
		}
	}
	const promise = "every event is acknowledged or exhausted"
	for at, a := range last {
		done := a.Outcome == "Acknowledged"
		if done && !acknowledged[at] || !done && a.AttemptNumber < exhausted && !dropped[at.event] {
			c.find(isLost, promise, "%v (%s): attempt %d was the last, %s at %s", at, a.EventType, a.AttemptNumber, a.Outcome,
				a.StartedAt.Format(time.TimeOnly))
		}
	}
}
