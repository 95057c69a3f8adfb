// Package notificationtest holds what tests of the notification area share: an
// in-memory store for tests with their own clock, the contract that it and the real
// store both satisfy, a queue, and simulated receivers.
package notificationtest

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/messaging/event"
	"aviso/internal/notification"
)

// Store implements notification.Store in memory. It keeps what would go to the
// outbox, for the test to take.
type Store struct {
	// Fail is called before and after each call. If it returns an error, the call
	// fails with it.
	Fail func(call string) error

	mu            sync.Mutex
	subscriptions map[string]notification.Subscription
	secrets       map[string][]notification.Secret
	deliveries    map[notification.DeliveryKey]notification.Delivery
	attempts      map[string][]notification.Attempt
	slots         map[string]time.Time
	wakes         []notification.DeliveryKey
	events        []event.Event
	alerts        []notification.Alert
}

// NewStore returns an empty store.
func NewStore() *Store {
	return &Store{
		subscriptions: map[string]notification.Subscription{}, secrets: map[string][]notification.Secret{},
		deliveries: map[notification.DeliveryKey]notification.Delivery{}, attempts: map[string][]notification.Attempt{},
		slots: map[string]time.Time{},
	}
}

func key(partner owner.PartnerID, id string) string { return string(partner) + "/" + id }

func (s *Store) fail(call string) error {
	if s.Fail == nil {
		return nil
	}
	return s.Fail(call)
}

// locked runs do under the lock, and calls Fail before and after it.
func locked[T any](s *Store, call string, do func() (T, error)) (T, error) {
	var none T
	if err := s.fail(call); err != nil {
		return none, err
	}
	s.mu.Lock()
	out, err := do()
	s.mu.Unlock()
	if err != nil {
		return out, err
	}
	if err := s.fail("after " + call); err != nil {
		return none, err
	}
	return out, nil
}

type nothing = struct{}

// CreateSubscription implements notification.Store.
func (s *Store) CreateSubscription(_ context.Context, sub notification.Subscription, secret notification.Secret) error {
	_, err := locked(s, "create subscription", func() (nothing, error) {
		count := 0
		for _, other := range s.subscriptions {
			if other.Partner == sub.Partner {
				count++
			}
		}
		if count >= notification.MaxSubscriptions {
			return nothing{}, notification.ErrTooManySubscriptions
		}
		s.subscriptions[key(sub.Partner, sub.ID)] = sub
		s.secrets[key(sub.Partner, sub.ID)] = []notification.Secret{secret}
		return nothing{}, nil
	})
	return err
}

// Subscription implements notification.Store.
func (s *Store) Subscription(_ context.Context, partner owner.PartnerID, id string) (notification.Subscription, error) {
	return locked(s, "read subscription", func() (notification.Subscription, error) {
		sub, ok := s.subscriptions[key(partner, id)]
		if !ok {
			return sub, outcome.ErrNotFound
		}
		return sub, nil
	})
}

// Subscriptions implements notification.Store.
func (s *Store) Subscriptions(_ context.Context, partner owner.PartnerID) ([]notification.Subscription, error) {
	return locked(s, "read subscriptions", func() ([]notification.Subscription, error) {
		var all []notification.Subscription
		for _, sub := range s.subscriptions {
			if sub.Partner == partner {
				all = append(all, sub)
			}
		}
		slices.SortFunc(all, func(a, b notification.Subscription) int { return cmp.Compare(a.ID, b.ID) })
		return all, nil
	})
}

// SaveSubscription implements notification.Store.
func (s *Store) SaveSubscription(_ context.Context, sub notification.Subscription, events ...event.Event) error {
	_, err := locked(s, "save subscription", func() (nothing, error) {
		k := key(sub.Partner, sub.ID)
		was, ok := s.subscriptions[k]
		if !ok || was.Version != sub.Version || !was.AcknowledgedAt.Equal(sub.AcknowledgedAt) {
			return nothing{}, outcome.ErrChanged
		}
		sub.Exhausted, sub.AcknowledgedAt = was.Exhausted, was.AcknowledgedAt
		sub.FailingSince, sub.FailingReason, sub.FailingDetail = was.FailingSince, was.FailingReason, was.FailingDetail
		sub.AlertedAt, sub.AlertLease = was.AlertedAt, was.AlertLease
		sub.SecretsVersion, sub.Slots, sub.PeakSlots = was.SecretsVersion, was.Slots, was.PeakSlots
		sub.Version++
		s.subscriptions[k] = sub
		s.events = append(s.events, events...)
		return nothing{}, nil
	})
	return err
}

// DeleteSubscription implements notification.Store.
func (s *Store) DeleteSubscription(_ context.Context, sub notification.Subscription) error {
	_, err := locked(s, "delete subscription", func() (nothing, error) {
		k := key(sub.Partner, sub.ID)
		if is, ok := s.subscriptions[k]; ok && is.SecretsVersion != sub.SecretsVersion {
			return nothing{}, outcome.ErrChanged
		}
		delete(s.subscriptions, k)
		delete(s.secrets, k)
		return nothing{}, nil
	})
	return err
}

// Secrets implements notification.Store.
func (s *Store) Secrets(_ context.Context, partner owner.PartnerID, id string) ([]notification.Secret, error) {
	return locked(s, "read secrets", func() ([]notification.Secret, error) {
		all := slices.Clone(s.secrets[key(partner, id)])
		slices.SortStableFunc(all, func(a, b notification.Secret) int {
			return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
		})
		return all, nil
	})
}

// SaveSecrets implements notification.Store.
func (s *Store) SaveSecrets(
	_ context.Context, sub notification.Subscription, secrets ...notification.Secret,
) error {
	_, err := locked(s, "save secrets", func() (nothing, error) {
		k := key(sub.Partner, sub.ID)
		is, ok := s.subscriptions[k]
		if !ok || is.SecretsVersion != sub.SecretsVersion {
			return nothing{}, outcome.ErrChanged
		}
		is.SecretsVersion++
		s.subscriptions[k] = is
		for _, secret := range secrets {
			others := slices.DeleteFunc(slices.Clone(s.secrets[k]), func(x notification.Secret) bool {
				return x.ID == secret.ID
			})
			s.secrets[k] = append(others, secret)
		}
		return nothing{}, nil
	})
	return err
}

// Target implements notification.Store.
func (s *Store) Target(
	ctx context.Context, partner owner.PartnerID, id string,
) (notification.Subscription, []notification.Secret, error) {
	sub, err := s.Subscription(ctx, partner, id)
	if err != nil {
		return sub, nil, err
	}
	secrets, err := s.Secrets(ctx, partner, id)
	return sub, secrets, err
}

// CreateDelivery implements notification.Store.
func (s *Store) CreateDelivery(_ context.Context, d notification.Delivery) (notification.Delivery, error) {
	return locked(s, "create delivery", func() (notification.Delivery, error) {
		if was, ok := s.deliveries[d.DeliveryKey]; ok {
			return copied(was), nil
		}
		s.deliveries[d.DeliveryKey] = copied(d)
		return d, nil
	})
}

func copied(d notification.Delivery) notification.Delivery {
	d.Payload = bytes.Clone(d.Payload)
	return d
}

// Delivery implements notification.Store.
func (s *Store) Delivery(_ context.Context, k notification.DeliveryKey) (notification.Delivery, error) {
	return locked(s, "read delivery", func() (notification.Delivery, error) {
		d, ok := s.deliveries[k]
		if !ok {
			return d, outcome.ErrNotFound
		}
		return copied(d), nil
	})
}

// LeaseDelivery implements notification.Store.
func (s *Store) LeaseDelivery(
	_ context.Context, k notification.DeliveryKey, now, until time.Time,
) (d notification.Delivery, leased bool, err error) {
	d, err = locked(s, "save delivery", func() (d notification.Delivery, err error) {
		d, ok := s.deliveries[k]
		if !ok {
			return d, outcome.ErrNotFound
		}
		d = copied(d)
		leased = d.Status == notification.DeliveryPending && d.Sends == 0 && !d.NextAttemptAt.After(now) &&
			!d.WakeAt.Before(until)
		if !leased {
			return d, nil
		}
		d.Sends, d.LeaseUntil = 1, until
		return s.save(d, false)
	})
	return d, leased, err
}

// SaveDelivery implements notification.Store.
func (s *Store) SaveDelivery(_ context.Context, d notification.Delivery, wake bool) (notification.Delivery, error) {
	return locked(s, "save delivery", func() (notification.Delivery, error) { return s.save(d, wake) })
}

// SaveAttempt implements notification.Store.
func (s *Store) SaveAttempt(
	_ context.Context, _ notification.Subscription, d notification.Delivery, a notification.Attempt,
) error {
	_, err := locked(s, "save attempt", func() (nothing, error) {
		if _, err := s.save(d, false); err != nil {
			return nothing{}, err
		}
		k := key(d.Partner, d.SubscriptionID)
		s.attempts[k] = append(s.attempts[k], a)
		return nothing{}, nil
	})
	return err
}

// SaveFailing implements notification.Store.
func (s *Store) SaveFailing(
	_ context.Context, sub notification.Subscription, d notification.Delivery, a notification.Attempt, e event.Event,
) error {
	_, err := locked(s, "save attempt", func() (nothing, error) {
		k := key(d.Partner, d.SubscriptionID)
		is, ok := s.subscriptions[k]
		if !ok || !is.FailingSince.IsZero() {
			return nothing{}, notification.ErrNotWell
		}
		if _, err := s.save(d, false); err != nil {
			return nothing{}, err
		}
		is.Exhausted++
		is.FailingSince, is.FailingReason, is.FailingDetail = sub.FailingSince, sub.FailingReason, sub.FailingDetail
		s.subscriptions[k] = is
		s.attempts[k] = append(s.attempts[k], a)
		s.events = append(s.events, e)
		s.alerts = append(s.alerts, notification.Alert{
			Partner: sub.Partner, SubscriptionID: sub.ID, FailingSince: sub.FailingSince,
		})
		return nothing{}, nil
	})
	return err
}

func (s *Store) save(d notification.Delivery, wake bool) (notification.Delivery, error) {
	was, ok := s.deliveries[d.DeliveryKey]
	if !ok || was.Version != d.Version {
		return d, outcome.ErrChanged
	}
	d.Version++
	s.deliveries[d.DeliveryKey] = copied(d)
	if wake {
		s.wakes = append(s.wakes, d.DeliveryKey)
	}
	return d, nil
}

// DeleteDelivery implements notification.Store.
func (s *Store) DeleteDelivery(_ context.Context, k notification.DeliveryKey) error {
	_, err := locked(s, "delete delivery", func() (nothing, error) {
		delete(s.deliveries, k)
		return nothing{}, nil
	})
	return err
}

// TakeSlot implements notification.Store.
func (s *Store) TakeSlot(
	_ context.Context, partner owner.PartnerID, id string, slots int, now, until time.Time,
) (notification.Slot, error) {
	return locked(s, "take slot", func() (notification.Slot, error) {
		free, taken := -1, 1
		for i := range slots {
			if s.slots[slotKey(partner, id, i)].After(now) {
				taken++
			} else if free < 0 {
				free = i
			}
		}
		if free < 0 {
			return notification.Slot{}, outcome.ErrChanged
		}
		s.slots[slotKey(partner, id, free)] = until
		return notification.Slot{Number: free, Busy: 2*taken >= slots}, nil
	})
}

func slotKey(partner owner.PartnerID, id string, slot int) string {
	return key(partner, id) + "/" + strconv.Itoa(slot)
}

// ReleaseSlot implements notification.Store.
func (s *Store) ReleaseSlot(
	_ context.Context, partner owner.PartnerID, id string, slot int, until time.Time,
) error {
	_, err := locked(s, "release slot", func() (nothing, error) {
		if k := slotKey(partner, id, slot); s.slots[k].Equal(until) {
			delete(s.slots, k)
		}
		return nothing{}, nil
	})
	return err
}

// SetSlots implements notification.Store.
func (s *Store) SetSlots(_ context.Context, sub notification.Subscription, slots int) error {
	_, err := locked(s, "set slots", func() (nothing, error) {
		k := key(sub.Partner, sub.ID)
		is, ok := s.subscriptions[k]
		if !ok || is.Slots != sub.Slots || is.PeakSlots != sub.PeakSlots {
			return nothing{}, outcome.ErrChanged
		}
		is.Slots, is.PeakSlots = slots, max(is.PeakSlots, slots)
		s.subscriptions[k] = is
		return nothing{}, nil
	})
	return err
}

// NoteAcknowledged implements notification.Store.
func (s *Store) NoteAcknowledged(_ context.Context, partner owner.PartnerID, id string, at time.Time) error {
	_, err := locked(s, "note acknowledged", func() (nothing, error) {
		sub, ok := s.subscriptions[key(partner, id)]
		if ok && (sub.Exhausted > 0 || sub.AcknowledgedAt.Before(at.Add(-time.Hour))) {
			sub.Exhausted, sub.AcknowledgedAt = 0, at
			sub.FailingSince, sub.FailingReason, sub.FailingDetail = time.Time{}, "", ""
			s.subscriptions[key(partner, id)] = sub
		}
		return nothing{}, nil
	})
	return err
}

// NoteExhausted implements notification.Store.
func (s *Store) NoteExhausted(
	_ context.Context, partner owner.PartnerID, id string, r notification.Result,
) (notification.Subscription, error) {
	return locked(s, "note exhausted", func() (notification.Subscription, error) {
		sub, ok := s.subscriptions[key(partner, id)]
		if !ok {
			return sub, outcome.ErrNotFound
		}
		sub.Exhausted++
		sub.FailingReason, sub.FailingDetail = r.Outcome, r.Detail
		s.subscriptions[key(partner, id)] = sub
		return sub, nil
	})
}

// LeaseAlert implements notification.AlertStore.
func (s *Store) LeaseAlert(_ context.Context, sub notification.Subscription, until time.Time) error {
	_, err := locked(s, "lease alert", func() (nothing, error) {
		k := key(sub.Partner, sub.ID)
		is, ok := s.subscriptions[k]
		if !ok || !is.FailingSince.Equal(sub.FailingSince) || !is.AlertLease.Equal(sub.AlertLease) {
			return nothing{}, outcome.ErrChanged
		}
		is.AlertLease = until
		s.subscriptions[k] = is
		return nothing{}, nil
	})
	return err
}

// NoteAlerted implements notification.AlertStore.
func (s *Store) NoteAlerted(_ context.Context, sub notification.Subscription, at time.Time) error {
	_, err := locked(s, "note alerted", func() (nothing, error) {
		k := key(sub.Partner, sub.ID)
		if is, ok := s.subscriptions[k]; ok {
			is.AlertedAt, is.AlertLease = at, time.Time{}
			s.subscriptions[k] = is
		}
		return nothing{}, nil
	})
	return err
}

// Attempts implements notification.Store.
func (s *Store) Attempts(
	_ context.Context, sub notification.Subscription, limit int, position string,
) ([]notification.Attempt, string, error) {
	type page struct {
		attempts []notification.Attempt
		next     string
	}
	p, err := locked(s, "read attempts", func() (page, error) {
		all := slices.Clone(s.attempts[key(sub.Partner, sub.ID)])
		slices.SortFunc(all, func(a, b notification.Attempt) int { return cmp.Compare(b.ID, a.ID) })
		all = slices.DeleteFunc(all, func(a notification.Attempt) bool { return position != "" && a.ID >= position })
		if len(all) > limit {
			return page{all[:limit], all[limit-1].ID}, nil
		}
		return page{all, ""}, nil
	})
	return p.attempts, p.next, err
}

// DueShards implements notification.Store.
func (s *Store) DueShards() int { return 1 }

// DueDeliveries implements notification.Store.
func (s *Store) DueDeliveries(
	_ context.Context, _ int, until time.Time,
) iter.Seq2[notification.Delivery, error] {
	due, err := locked(s, "find due", func() ([]notification.Delivery, error) {
		var due []notification.Delivery
		for _, d := range s.deliveries {
			if d.Status == notification.DeliveryPending && !d.WakeAt.After(until) {
				due = append(due, copied(d))
			}
		}
		slices.SortFunc(due, func(a, b notification.Delivery) int { return a.WakeAt.Compare(b.WakeAt) })
		return due, nil
	})
	return func(yield func(notification.Delivery, error) bool) {
		for _, d := range due {
			if !yield(d, nil) {
				return
			}
		}
		if err != nil {
			yield(notification.Delivery{}, err)
		}
	}
}

// PendingDeliveries implements notification.Store.
func (s *Store) PendingDeliveries(_ context.Context, user owner.User) ([]notification.DeliveryKey, error) {
	return locked(s, "find pending", func() ([]notification.DeliveryKey, error) {
		var keys []notification.DeliveryKey
		for k, d := range s.deliveries {
			about := d.Partner == user.Partner && d.User == user.ID && d.User != ""
			if about && d.Status == notification.DeliveryPending {
				keys = append(keys, k)
			}
		}
		return keys, nil
	})
}

// EraseUser implements notification.Store.
func (s *Store) EraseUser(ctx context.Context, user owner.User) (int, error) {
	pending, err := s.PendingDeliveries(ctx, user)
	if err != nil {
		return 0, err
	}
	return locked(s, "erase user", func() (int, error) {
		found := len(pending)
		for _, k := range pending {
			delete(s.deliveries, k)
		}
		for k, attempts := range s.attempts {
			for i, a := range attempts {
				if strings.HasPrefix(k, key(user.Partner, "")) && a.User == user.ID && a.User != "" {
					attempts[i].Payload, attempts[i].User = nil, ""
					found++
				}
			}
		}
		return found, nil
	})
}

// PutEvent implements notification.Store.
func (s *Store) PutEvent(_ context.Context, e event.Event) error {
	_, err := locked(s, "put event", func() (nothing, error) {
		s.events = append(s.events, e)
		return nothing{}, nil
	})
	return err
}

// TakeWakes removes and returns the messages for webhook-delivery.
func (s *Store) TakeWakes() []notification.DeliveryKey {
	s.mu.Lock()
	defer s.mu.Unlock()
	wakes := s.wakes
	s.wakes = nil
	return wakes
}

// Events returns all events that were put.
func (s *Store) Events() []event.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.events)
}

// Alerts returns all alerts that were put.
func (s *Store) Alerts() []notification.Alert {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.alerts)
}

// Deliveries returns all deliveries by key.
func (s *Store) Deliveries() map[notification.DeliveryKey]notification.Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.deliveries)
}

// AllSubscriptions returns the subscriptions of all partners. It never fails.
func (s *Store) AllSubscriptions() []notification.Subscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.subscriptions))
}
