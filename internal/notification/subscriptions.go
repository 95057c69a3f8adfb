package notification

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"aviso/internal/apierror"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

const (
	// maxSubscriptions is how many a partner may have.
	maxSubscriptions = 50
	// maxSecrets is how many secrets of a subscription may sign at once.
	maxSecrets = 5
	// overlap is how long a secret goes on to sign beside a newer one.
	overlap = 24 * time.Hour
)

// Subscriptions manages what partners are told and where.
type Subscriptions struct {
	store        Store
	checkAddress AddressCheck
	now          func() time.Time
	newID        func() string
}

// NewSubscriptions wires the service.
func NewSubscriptions(
	store Store, checkAddress AddressCheck, now func() time.Time, newID func() string,
) *Subscriptions {
	return &Subscriptions{store: store, checkAddress: checkAddress, now: now, newID: newID}
}

// Wish is what a partner asks of a subscription; nil members leave what is.
type Wish struct {
	ServerURL   *string
	Events      []string
	Description *string
}

// Create makes a subscription with its first secret, whose key is given this
// once.
func (s *Subscriptions) Create(ctx context.Context, partner owner.PartnerID, w Wish) (Subscription, Secret, error) {
	if err := s.check(w); err != nil {
		return Subscription{}, Secret{}, err
	}
	now := clock.Read(s.now)
	sub := Subscription{ID: s.newID(), Partner: partner, Status: SubscriptionActive, CreatedAt: now, UpdatedAt: now, ActiveSince: now}
	w.apply(&sub)
	all, err := s.store.Subscriptions(ctx, partner)
	if err != nil {
		return Subscription{}, Secret{}, fmt.Errorf("read subscriptions: %w", err)
	}
	if len(all) >= maxSubscriptions {
		return Subscription{}, Secret{}, apierror.New(apierror.Conflict, "There are "+strconv.Itoa(maxSubscriptions)+" subscriptions, which is the most; delete one first.")
	}
	secret := s.newSecret(now)
	if err := s.store.CreateSubscription(ctx, sub, secret); err != nil {
		return Subscription{}, Secret{}, fmt.Errorf("create subscription: %w", err)
	}
	return sub, secret, nil
}

// List is all of the partner's subscriptions.
func (s *Subscriptions) List(ctx context.Context, partner owner.PartnerID) ([]Subscription, error) {
	all, err := s.store.Subscriptions(ctx, partner)
	if err != nil {
		return nil, fmt.Errorf("read subscriptions: %w", err)
	}
	return all, nil
}

// Get is one of them.
func (s *Subscriptions) Get(ctx context.Context, partner owner.PartnerID, id string) (Subscription, error) {
	sub, err := s.store.Subscription(ctx, partner, id)
	return sub, asFault(err)
}

// Update changes what the wish names.
func (s *Subscriptions) Update(ctx context.Context, partner owner.PartnerID, id string, w Wish) (Subscription, error) {
	if err := s.check(w); err != nil {
		return Subscription{}, err
	}
	return s.change(ctx, partner, id, func(sub *Subscription) error {
		w.apply(sub)
		return nil
	})
}

// SetStatus pauses a subscription or makes it active again, also one that has
// disabled itself. What the operator has disabled stays so.
func (s *Subscriptions) SetStatus(ctx context.Context, partner owner.PartnerID, id string, status SubscriptionStatus) (Subscription, error) {
	return s.change(ctx, partner, id, func(sub *Subscription) error {
		if sub.Status == SubscriptionDisabled && sub.Reason == ReasonByOperator {
			return apierror.New(apierror.Conflict, "The operator has disabled the subscription.")
		}
		if sub.Status == SubscriptionDisabled && status == SubscriptionPaused {
			return apierror.New(apierror.Conflict, "A subscription that is disabled can only be made active again.")
		}
		if status == SubscriptionActive && sub.Status != SubscriptionActive {
			sub.ActiveSince = clock.Read(s.now)
		}
		sub.Status, sub.Reason = status, ReasonNone
		return nil
	})
}

// Delete ends a subscription. What is on its way is not sent any more.
func (s *Subscriptions) Delete(ctx context.Context, partner owner.PartnerID, id string) error {
	if _, err := s.store.Subscription(ctx, partner, id); err != nil {
		return asFault(err)
	}
	if err := s.store.DeleteSubscription(ctx, partner, id); err != nil {
		return fmt.Errorf("delete subscription: %w", err)
	}
	return nil
}

// changeTries is how often a change is tried when another comes between.
const changeTries = 4

func (s *Subscriptions) change(ctx context.Context, partner owner.PartnerID, id string, do func(*Subscription) error) (Subscription, error) {
	return changeSubscription(ctx, s.store, partner, id, s.now, do)
}

func changeSubscription(
	ctx context.Context, store Store, partner owner.PartnerID, id string, now func() time.Time, do func(*Subscription) error,
) (Subscription, error) {
	err := outcome.ErrChanged
	for try := 0; try < changeTries && errors.Is(err, outcome.ErrChanged); try++ {
		var sub Subscription
		if sub, err = store.Subscription(ctx, partner, id); err != nil {
			return Subscription{}, asFault(err)
		}
		if err := do(&sub); err != nil {
			return Subscription{}, err
		}
		sub.UpdatedAt = clock.Read(now)
		if err = store.SaveSubscription(ctx, sub); err == nil {
			return sub, nil
		}
	}
	return Subscription{}, fmt.Errorf("save subscription: %w", err)
}

// check says all that is wrong with a wish.
func (s *Subscriptions) check(w Wish) error {
	var faults []apierror.Field
	if w.ServerURL != nil {
		var refused *AddressError
		if err := s.checkAddress(*w.ServerURL); errors.As(err, &refused) {
			faults = append(faults, apierror.Field{Pointer: "/serverUrl", Code: "refused", Detail: refused.Reason})
		} else if err != nil {
			return fmt.Errorf("check server URL: %w", err)
		}
	}
	if faults = append(faults, unknownEvents(w.Events)...); len(faults) > 0 {
		return invalidData(faults)
	}
	return nil
}

// apply changes what the wish names. Events that are named twice count once.
func (w Wish) apply(sub *Subscription) {
	if w.ServerURL != nil {
		sub.ServerURL = *w.ServerURL
	}
	if w.Events != nil {
		sub.Events = slices.Compact(slices.Sorted(slices.Values(w.Events)))
	}
	if w.Description != nil {
		sub.Description = *w.Description
	}
}

func unknownEvents(events []string) []apierror.Field {
	var faults []apierror.Field
	for i, name := range events {
		pointer := "/events/" + strconv.Itoa(i)
		if name == AllEvents {
			if len(events) > 1 {
				faults = append(faults, apierror.Field{Pointer: pointer, Code: "alone", Detail: `"*" stands for all events and stands alone.`})
			}
			continue
		}
		if _, ok := FindEventType(name); !ok {
			faults = append(faults, apierror.Field{Pointer: pointer, Code: "unknown", Detail: "GET /webhooks/v1/event-types lists the types."})
		}
	}
	return faults
}

// Secrets are those of a subscription, the newest first.
func (s *Subscriptions) Secrets(ctx context.Context, partner owner.PartnerID, id string) ([]Secret, error) {
	if _, err := s.store.Subscription(ctx, partner, id); err != nil {
		return nil, asFault(err)
	}
	secrets, err := s.store.Secrets(ctx, partner, id)
	if err != nil {
		return nil, fmt.Errorf("read secrets: %w", err)
	}
	return secrets, nil
}

// AddSecret makes a secret that signs from now on. The one before goes on to
// sign for 24 hours.
func (s *Subscriptions) AddSecret(ctx context.Context, partner owner.PartnerID, id string) (Secret, error) {
	secrets, err := s.Secrets(ctx, partner, id)
	if err != nil {
		return Secret{}, err
	}
	now := clock.Read(s.now)
	signing, write := 0, []Secret{s.newSecret(now)}
	for _, old := range secrets {
		if old.Status(now) == SecretRevoked {
			continue
		}
		signing++
		if old.ExpiresAt.IsZero() {
			old.ExpiresAt = now.Add(overlap)
			write = append(write, old)
		}
	}
	if signing >= maxSecrets {
		return Secret{}, apierror.New(apierror.Conflict, "There are "+strconv.Itoa(maxSecrets)+" secrets that sign; delete one first.")
	}
	if err := s.store.SaveSecrets(ctx, partner, id, write...); err != nil {
		return Secret{}, asFault(err)
	}
	return write[0], nil
}

// RevokeSecret ends a secret at once. The last one that signs stays.
func (s *Subscriptions) RevokeSecret(ctx context.Context, partner owner.PartnerID, id, secretID string) error {
	secrets, err := s.Secrets(ctx, partner, id)
	if err != nil {
		return err
	}
	now := clock.Read(s.now)
	i := slices.IndexFunc(secrets, func(x Secret) bool { return x.ID == secretID })
	if i < 0 {
		return apierror.New(apierror.NotFound, "The subscription has no secret of this id.")
	}
	if secrets[i].Status(now) == SecretRevoked {
		return nil
	}
	others := slices.ContainsFunc(secrets, func(x Secret) bool { return x.ID != secretID && x.Status(now) == SecretActive })
	if !others {
		return apierror.New(apierror.Conflict, "No other secret would go on to sign; make one first.")
	}
	secrets[i].Revoked, secrets[i].ExpiresAt = true, now
	return asFault(s.store.SaveSecrets(ctx, partner, id, secrets[i]))
}

// Attempts is a page of what was tried, newest first.
func (s *Subscriptions) Attempts(ctx context.Context, partner owner.PartnerID, id string, limit int, position string) ([]Attempt, string, error) {
	if _, err := s.store.Subscription(ctx, partner, id); err != nil {
		return nil, "", asFault(err)
	}
	page, next, err := s.store.Attempts(ctx, partner, id, limit, position)
	if err != nil {
		return nil, "", fmt.Errorf("read attempts: %w", err)
	}
	return page, next, nil
}

// keyBytes is the length of a signing key.
const keyBytes = 32

func (s *Subscriptions) newSecret(now time.Time) Secret {
	key := make([]byte, keyBytes)
	_, _ = rand.Read(key) // never fails
	return Secret{ID: s.newID(), Key: Key("whsec_" + base64.StdEncoding.EncodeToString(key)), CreatedAt: now}
}

// asFault is what a partner is told when a subscription could not be read or
// written.
func asFault(err error) error {
	if errors.Is(err, outcome.ErrNotFound) {
		return apierror.New(apierror.NotFound, "There is no subscription of this id.")
	}
	if err != nil {
		return fmt.Errorf("subscription: %w", err)
	}
	return nil
}
