package history

import (
	"cmp"
	"slices"
)

// exhausted is the number of the last attempt.
const exhausted = 3

// place is an event at a subscription.
type place struct{ subscription, event string }

// deliveries judges how the events ended that clients caused.
func (j *judge) deliveries() {
	attempts := map[place][]Attempt{}
	for _, a := range j.Attempts {
		at := place{a.Subscription, a.Event}
		attempts[at] = append(attempts[at], a)
	}
	acknowledged := map[place]bool{}
	told := map[place][]string{} // events by cancellation and subscription
	for _, c := range j.Callbacks {
		if c.Genuine && c.Acknowledged {
			acknowledged[place{c.Subscription, c.Event}] = true
		}
		about := place{c.Subscription, c.Cancellation}
		if c.Genuine && c.Type == "cancellation.created" && !slices.Contains(told[about], c.Event) {
			told[about] = append(told[about], c.Event)
		}
	}
	for _, s := range j.Subscriptions {
		for _, e := range j.Events {
			_, erased := j.erased[e.User]
			if e.Partner != s.Partner || e.Begun < s.Since || erased {
				continue
			}
			at := place{s.ID, e.ID}
			j.delivery(e, s, attempts[at], acknowledged[at])
		}
		j.created(s, told)
	}
}

func (j *judge) delivery(e Event, s Subscription, attempts []Attempt, acknowledged bool) {
	if len(attempts) == 0 {
		j.await(EventDelivered, "", "event %s (%s) at subscription %s: no attempt", e.ID, e.Type, s.ID)
		return
	}
	last := slices.MaxFunc(attempts, func(a, b Attempt) int { return cmp.Compare(a.Number, b.Number) })
	switch {
	case last.Outcome == "Acknowledged" && !acknowledged:
		j.find(EventDelivered, "event %s (%s) at subscription %s: listed as acknowledged, but the receiver has not done so",
			e.ID, e.Type, s.ID)
	case last.Outcome != "Acknowledged" && last.Number < exhausted:
		j.await(EventDelivered, "", "event %s (%s) at subscription %s: attempt %d was the last (%s)",
			e.ID, e.Type, s.ID, last.Number, last.Outcome)
	}
}

// created checks that the subscription was told once of every cancellation that exists.
func (j *judge) created(s Subscription, told map[place][]string) {
	seen := map[string]bool{}
	for _, c := range j.Calls {
		_, erased := j.erased[c.User]
		if c.Intent == "" || c.outcome() != made || seen[c.Object] || c.Partner != s.Partner ||
			c.Begun < s.Since || erased {
			continue
		}
		seen[c.Object] = true
		switch events := told[place{s.ID, c.Object}]; len(events) {
		case 1:
		case 0:
			j.await(EventDelivered, "", "subscription %s was not told of cancellation %s", s.ID, c.Object)
		default:
			j.find(EventDelivered, "subscription %s was told of cancellation %s by several events: %v", s.ID, c.Object, events)
		}
	}
}

// attempts judges numbers and times of the attempts at one place.
func (j *judge) attempts() {
	at := map[place][]Attempt{}
	for _, a := range j.Attempts {
		p := place{a.Subscription, a.Event}
		at[p] = append(at[p], a)
	}
	for p, list := range at {
		slices.SortFunc(list, func(a, b Attempt) int { return cmp.Compare(a.Number, b.Number) })
		for i := 1; i < len(list); i++ {
			before, a := list[i-1], list[i]
			if a.Number == before.Number {
				j.find(AttemptsCounted, "event %s at subscription %s: attempt %d twice", p.event, p.subscription, a.Number)
				continue
			}
			if a.Number != before.Number+1 || before.Number > len(j.RetryDelays) {
				continue
			}
			delay := j.RetryDelays[before.Number-1]
			if waited := a.StartedAt.Sub(before.StartedAt); waited < delay || a.StartedAt.Before(before.NextAt) {
				j.find(AttemptsOnTime, "event %s at subscription %s: attempt %d came %s after the one before; want %s",
					p.event, p.subscription, a.Number, waited, delay)
			}
		}
		if last := list[len(list)-1]; last.Number > exhausted {
			j.find(AttemptsCounted, "event %s at subscription %s: attempt %d", p.event, p.subscription, last.Number)
		}
	}
}

// signers is how many secrets may sign.
const signers = 5

func (j *judge) callbacks() {
	for _, c := range j.Callbacks {
		if !c.Genuine {
			j.find(CallbacksGenuine, "event %s (%s) at subscription %s: no signature is genuine", c.Event, c.Type, c.Subscription)
		}
		if c.Signatures > signers {
			j.find(LimitsHold, "event %s at subscription %s has %d signatures; want at most %d",
				c.Event, c.Subscription, c.Signatures, signers)
		}
		if partner, known := j.partnerOf[c.User]; known && partner != c.Partner {
			j.find(OwnersApart, "event %s about user %s of %s went to subscription %s of %s",
				c.Event, c.User, partner, c.Subscription, c.Partner)
		}
	}
}
