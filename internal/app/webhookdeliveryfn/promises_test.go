package webhookdeliveryfn

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
)

// judge checks a new call against the promises.
func (h *history) judge(d notification.Delivery, c notification.Call) {
	if h.isAtOnce(d) {
		return
	}
	switch {
	case d.DeliveryID == "":
		h.violated("a call for a delivery that is gone")
		return
	case d.Status != notification.DeliveryPending:
		h.violated("a call after %s", d.Status)
	case d.Attempt < 1 || d.Attempt > 3:
		h.violated("attempt %d", d.Attempt)
	case len(c.Keys) == 0 || len(c.Body) == 0:
		h.violated("a call without key or body")
	}
	h.mu.Lock()
	name := attemptName(d)
	h.sends[name]++
	if d.Attempt == 1 {
		h.busy[d.DeliveryID] = time.Now()
	}
	sends, faulty, due := h.sends[name], h.faulty[name], h.due[d.DeliveryID+fmt.Sprint(d.Attempt)]
	h.mu.Unlock()
	most := 2
	if d.Attempt == 1 {
		most = 4 // each of three messages may be cut off before anybody records that it began
	}
	if sends > most || sends > 1 && !faulty {
		h.violated("send %d of attempt %d, after a crash: %t", sends, d.Attempt, faulty)
	}
	if c.At.Before(clock.Real(due)) {
		h.violated("attempt %d came %s early", d.Attempt, due.Sub(c.At.Time()))
	}
	if !h.allows(d) {
		h.violated("an event for a subscription that did not want it")
	}
	if s, ok := h.state()[d.SubscriptionID]; !ok || s.Status != notification.SubscriptionActive || s.Partner != d.Partner {
		h.violated("a call to a subscription that is %q", s.Status)
	}
}

// isAtOnce reports whether another message for the first attempt of the delivery is being worked on.
func (h *history) isAtOnce(d notification.Delivery) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	until, ok := h.busy[d.DeliveryID]
	if !ok || time.Now().After(until) {
		return false
	}
	h.twice[d.EventID] = true
	return true
}

// allows reports whether a delivery is allowed.
func (h *history) allows(d notification.Delivery) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.events[d.EventID]
	return e != nil && e.event.Partner == d.Partner && e.allowed[d.SubscriptionID]
}

// state returns all subscriptions by ID.
func (h *history) state() map[string]notification.Subscription {
	all := map[string]notification.Subscription{}
	for _, partner := range historyPartners {
		subscriptions, err := h.Subscriptions(context.Background(), partner)
		if err != nil {
			h.violated("read subscriptions: %v", err)
		}
		for _, s := range subscriptions {
			all[s.ID] = s
		}
	}
	return all
}

func (h *history) wanting(e outbox.Event) map[string]bool {
	ids := map[string]bool{}
	for id, s := range h.state() {
		wants := slices.Contains(s.Events, e.Type) || slices.Contains(s.Events, "*")
		if s.Partner == e.Partner && s.Status == notification.SubscriptionActive && wants {
			ids[id] = true
		}
	}
	return ids
}

// ended checks the final state against the promises.
func (h *history) ended(t *testing.T) {
	left, there := map[string]notification.Delivery{}, h.state()
	for _, d := range h.Deliveries(t) {
		left[d.SubscriptionID+d.EventID] = d
		if d.Status == notification.DeliveryPending {
			h.violated("attempt %d never ended: due %s, begun %d times, now %s", d.Attempt, d.NextAttemptAt.Time(), d.Sends, time.Now())
		}
		if len(d.Payload) > 0 {
			h.violated("a payload that was kept")
		}
		if d.Status == notification.DeliveryAcknowledged && !h.acked[d.DeliveryID] {
			h.violated("acknowledged by nobody")
		}
		if d.Reason == notification.ReasonSubscriptionPaused && !h.paused[d.SubscriptionID] {
			h.violated("given up for a pause that was not")
		}
		if !h.allows(d) {
			h.violated("a delivery to a subscription that did not want it")
		}
	}
	for id, x := range h.events {
		for s := range x.wanted {
			if _, ok := left[s+id]; !ok && there[s].ID != "" {
				h.violated("an event was lost")
			}
		}
	}
	numbers := map[string]map[int]bool{}
	for _, s := range there {
		page, _, _ := h.Attempts(context.Background(), s, 5000, "")
		for _, a := range page {
			key := s.ID + a.EventID
			if numbers[key] == nil {
				numbers[key] = map[int]bool{}
			}
			if numbers[key][a.Number] && !h.twice[a.EventID] || a.Number > 3 {
				h.violated("attempt %d was noted twice, or is one too many", a.Number)
			}
			numbers[key][a.Number] = true
		}
	}
	for key, d := range left {
		if d.Reason == notification.ReasonAttemptsUsed && there[d.SubscriptionID].ID != "" && len(numbers[key]) != 3 {
			h.violated("given up after %d attempts", len(numbers[key]))
		}
	}
}
