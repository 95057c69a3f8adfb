package notification

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/api/idempotency"
	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

const (
	// MaxSubscriptions is the maximum number of subscriptions of a partner.
	MaxSubscriptions = 50
	// maxSecrets is how many secrets of a subscription may sign at once.
	maxSecrets = 5
	// overlap is how long a secret keeps signing after a newer one was created.
	overlap = 24 * time.Hour
)

// Subscriptions manages the subscriptions of partners and their secrets.
type Subscriptions struct {
	store        SubscriptionStore
	checkAddress AddressCheck
	now          func() time.Time
	newID        func() string
}

// NewSubscriptions wires the service.
func NewSubscriptions(
	store SubscriptionStore, checkAddress AddressCheck, now func() time.Time, newID func() string,
) *Subscriptions {
	return &Subscriptions{store: store, checkAddress: checkAddress, now: now, newID: newID}
}

// SubscriptionInput has a partner's settings; nil members leave a value unchanged.
type SubscriptionInput struct {
	ServerURL   *string
	Events      []string
	Description *string
	// KeepsAnswers is set by people in the console.
	KeepsAnswers *bool
}

// Create creates a subscription and its first secret. Only this call returns the key.
func (s *Subscriptions) Create(
	ctx context.Context, partner owner.PartnerID, in SubscriptionInput, also idempotency.Effect[NewSubscription],
) (Subscription, Secret, error) {
	if err := s.check(in); err != nil {
		return Subscription{}, Secret{}, err
	}
	now := clock.Read(s.now)
	sub := Subscription{
		ID: s.newID(), Partner: partner, Status: SubscriptionActive, CreatedAt: now, UpdatedAt: now, ActiveSince: now,
	}
	in.apply(&sub)
	secret := s.newSecret(now)
	err := untilWon(func() error { return s.store.CreateSubscription(ctx, sub, secret, also) })
	if errors.Is(err, ErrTooManySubscriptions) {
		return Subscription{}, Secret{}, tooMany(MaxSubscriptions, "subscriptions. Delete one first.")
	}
	if err != nil {
		return Subscription{}, Secret{}, fmt.Errorf("create subscription: %w", err)
	}
	return sub, secret, nil
}

// List returns all of the partner's subscriptions.
func (s *Subscriptions) List(ctx context.Context, partner owner.PartnerID) ([]Subscription, error) {
	all, err := s.store.Subscriptions(ctx, partner)
	return all, subscriptionError(err)
}

// Get returns one of the partner's subscriptions.
func (s *Subscriptions) Get(ctx context.Context, partner owner.PartnerID, id string) (Subscription, error) {
	sub, err := s.store.Subscription(ctx, partner, id)
	return sub, subscriptionError(err)
}

// Update changes the members that are set in the input.
func (s *Subscriptions) Update(
	ctx context.Context, partner owner.PartnerID, id string, in SubscriptionInput,
) (Subscription, error) {
	if err := s.check(in); err != nil {
		return Subscription{}, err
	}
	return s.change(ctx, partner, id, func(sub *Subscription) error {
		in.apply(sub)
		return nil
	})
}

// SetStatus pauses or reactivates a subscription. A partner can reactivate one that
// was disabled after failures, but not one that the operator disabled.
func (s *Subscriptions) SetStatus(
	ctx context.Context, partner owner.PartnerID, id string, status SubscriptionStatus,
) (Subscription, error) {
	return s.change(ctx, partner, id, func(sub *Subscription) error {
		if sub.Status == SubscriptionDisabled && sub.Reason == ReasonByOperator {
			return apierror.New(apierror.Conflict, "The operator has disabled the subscription.")
		}
		if sub.Status == SubscriptionDisabled && status == SubscriptionPaused {
			return apierror.New(apierror.Conflict, "A disabled subscription can only be reactivated.")
		}
		if status == SubscriptionActive && sub.Status != SubscriptionActive {
			sub.ActiveSince = clock.Read(s.now)
		}
		sub.Status, sub.Reason = status, ReasonNone
		return nil
	})
}

// Delete deletes a subscription. Pending deliveries are no longer sent.
func (s *Subscriptions) Delete(ctx context.Context, partner owner.PartnerID, id string) error {
	return untilWon(func() error {
		sub, err := s.Get(ctx, partner, id)
		if err != nil {
			return err
		}
		if err := s.store.DeleteSubscription(ctx, sub); err != nil {
			return fmt.Errorf("delete subscription: %w", err)
		}
		return nil
	})
}

// maxChangeTries is how often a change is tried while concurrent changes interfere. Every lost race is another
// caller's success, so that many concurrent callers all succeed.
const maxChangeTries = 10

// untilWon repeats change, which reads and then writes, until it loses no race.
func untilWon(change func() error) error {
	for range maxChangeTries {
		if err := change(); !errors.Is(err, outcome.ErrChanged) {
			return err
		}
	}
	return &apierror.Error{
		Code: apierror.TemporarilyUnavailable, RetryAfter: time.Second,
		Detail: "Other requests are changing the subscriptions. Try again.",
	}
}

func (s *Subscriptions) change(
	ctx context.Context, partner owner.PartnerID, id string, do func(*Subscription) error,
) (Subscription, error) {
	return changeSubscription(ctx, s.store, partner, id, s.now, do)
}

type subscriptionSaver interface {
	Subscription(ctx context.Context, partner owner.PartnerID, id string) (Subscription, error)
	SaveSubscription(ctx context.Context, s Subscription, events ...outbox.Event) error
}

// changeSubscription saves the changes that do makes. Without changes, it writes nothing.
func changeSubscription(
	ctx context.Context, store subscriptionSaver, partner owner.PartnerID, id string, now func() time.Time,
	do func(*Subscription) error,
) (sub Subscription, err error) {
	err = untilWon(func() (err error) {
		if sub, err = store.Subscription(ctx, partner, id); err != nil {
			return subscriptionError(err)
		}
		old := sub
		if err := do(&sub); err != nil || reflect.DeepEqual(old, sub) {
			return err
		}
		sub.UpdatedAt = clock.Read(now)
		if err := store.SaveSubscription(ctx, sub); err != nil {
			return fmt.Errorf("save subscription: %w", err)
		}
		return nil
	})
	return sub, err
}

// check returns all errors in an input.
func (s *Subscriptions) check(in SubscriptionInput) error {
	var faults []apierror.Field
	if in.ServerURL != nil {
		var refused *AddressError
		if err := s.checkAddress(*in.ServerURL); errors.As(err, &refused) {
			faults = append(faults, apierror.Field{Pointer: "/serverUrl", Code: "refused", Detail: refused.Reason})
		} else if err != nil {
			return fmt.Errorf("check server URL: %w", err)
		}
	}
	if faults = append(faults, unknownEvents(in.Events)...); len(faults) > 0 {
		return apierror.Invalid(faults...)
	}
	return nil
}

// apply changes the members that are set. Duplicate events count once.
func (in SubscriptionInput) apply(sub *Subscription) {
	if in.ServerURL != nil {
		sub.ServerURL = *in.ServerURL
	}
	if in.Events != nil {
		sub.Events = slices.Compact(slices.Sorted(slices.Values(in.Events)))
	}
	if in.Description != nil {
		sub.Description = *in.Description
	}
	if in.KeepsAnswers != nil {
		sub.KeepsAnswers = *in.KeepsAnswers
	}
}

func unknownEvents(events []string) []apierror.Field {
	var faults []apierror.Field
	for i, name := range events {
		pointer := "/events/" + strconv.Itoa(i)
		if name == AllEvents {
			if len(events) > 1 {
				faults = append(faults, apierror.Field{
					Pointer: pointer, Code: "alone", Detail: `"*" means all events and must be the only entry.`,
				})
			}
			continue
		}
		if _, ok := FindEventType(name); !ok {
			fault := unknownType(pointer)
			fault.Detail += ` "*" alone stands for all.`
			faults = append(faults, fault)
		}
	}
	return faults
}

// Secrets returns the secrets of a subscription, newest first. The caller must not change them.
func (s *Subscriptions) Secrets(ctx context.Context, partner owner.PartnerID, id string) ([]Secret, error) {
	to, err := s.store.Target(ctx, partner, id)
	return to.Secrets, subscriptionError(err)
}

// changeSecrets writes the secrets that choose returns for the current ones. If other secrets are written meanwhile,
// it calls choose again.
func (s *Subscriptions) changeSecrets(
	ctx context.Context, partner owner.PartnerID, id string, also idempotency.Effect[Secret],
	choose func(now clock.Real, secrets []Secret) ([]Secret, error),
) error {
	return untilWon(func() error {
		to, err := s.store.Target(ctx, partner, id)
		if err != nil {
			return subscriptionError(err)
		}
		write, err := choose(clock.Read(s.now), to.Secrets)
		if err != nil || len(write) == 0 {
			return err
		}
		if err := s.store.SaveSecrets(ctx, to.Subscription, also, write...); err != nil {
			return fmt.Errorf("save secrets: %w", err)
		}
		return nil
	})
}

// AddSecret creates a secret that signs from now on. The previous one keeps signing
// for 24 hours.
func (s *Subscriptions) AddSecret(
	ctx context.Context, partner owner.PartnerID, id string, also idempotency.Effect[Secret],
) (Secret, error) {
	var added Secret
	err := s.changeSecrets(ctx, partner, id, also, func(now clock.Real, secrets []Secret) ([]Secret, error) {
		added = s.newSecret(now)
		signing, write := 0, []Secret{added}
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
			return nil, tooMany(maxSecrets, "signing secrets. Revoke one first.")
		}
		return write, nil
	})
	if err != nil {
		return Secret{}, err
	}
	return added, nil
}

func tooMany(limit int, rest string) error {
	return apierror.WithFields(apierror.Conflict, "The limit is "+strconv.Itoa(limit)+" "+rest,
		apierror.Field{Code: "limit_reached", Detail: "No more can be created.", Limit: limit})
}

// RevokeSecret revokes a secret at once. It refuses to revoke the last Active one.
func (s *Subscriptions) RevokeSecret(ctx context.Context, partner owner.PartnerID, id, secretID string) error {
	return s.changeSecrets(ctx, partner, id, nil, func(now clock.Real, secrets []Secret) ([]Secret, error) {
		i := slices.IndexFunc(secrets, func(x Secret) bool { return x.ID == secretID })
		if i < 0 {
			return nil, apierror.New(apierror.NotFound, "The subscription has no secret with this ID.")
		}
		if secrets[i].Status(now) == SecretRevoked {
			return nil, nil
		}
		others := slices.ContainsFunc(secrets, func(x Secret) bool {
			return x.ID != secretID && x.Status(now) == SecretActive
		})
		if !others {
			return nil, apierror.New(apierror.Conflict, "This is the last active secret. Create another one first.")
		}
		revoked := secrets[i]
		revoked.Revoked, revoked.ExpiresAt = true, now
		return []Secret{revoked}, nil
	})
}

// Attempts returns a page of attempts, newest first.
func (s *Subscriptions) Attempts(
	ctx context.Context, partner owner.PartnerID, id string, limit int, position string,
) ([]Attempt, string, error) {
	subscription, err := s.store.Subscription(ctx, partner, id)
	if err != nil {
		return nil, "", subscriptionError(err)
	}
	page, next, err := s.store.Attempts(ctx, subscription, limit, position)
	return page, next, subscriptionError(err)
}

// Attempt returns one attempt of the last 30 days, with the answer that is kept apart.
func (s *Subscriptions) Attempt(ctx context.Context, partner owner.PartnerID, id, attemptID string) (Attempt, error) {
	sub, err := s.store.Subscription(ctx, partner, id)
	if err != nil {
		return Attempt{}, subscriptionError(err)
	}
	page, _, err := s.store.Attempts(ctx, sub, 1, attemptID+"~") // the position sorts right after the attempt
	if err != nil {
		return Attempt{}, subscriptionError(err)
	}
	if len(page) == 0 || page[0].ID != attemptID {
		return Attempt{}, apierror.New(apierror.NotFound, "There is no attempt with this ID.")
	}
	a := page[0]
	if !sub.KeepsAnswers || a.Answer != "" {
		return a, nil
	}
	if a.Answer, err = s.store.KeptAnswer(ctx, sub, attemptID); err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return Attempt{}, fmt.Errorf("read answer: %w", err)
	}
	return a, nil
}

// keyBytes is the length of a signing key.
const keyBytes = 32

func (s *Subscriptions) newSecret(now clock.Real) Secret {
	key := make([]byte, keyBytes)
	_, _ = rand.Read(key) // never fails
	return Secret{ID: s.newID(), Key: Key("whsec_" + base64.StdEncoding.EncodeToString(key)), CreatedAt: now}
}

// subscriptionError is the error of a call that failed to read or write a subscription.
func subscriptionError(err error) error {
	if errors.Is(err, outcome.ErrNotFound) {
		return apierror.New(apierror.NotFound, "There is no subscription with this ID.")
	}
	if err != nil {
		return fmt.Errorf("subscription: %w", err)
	}
	return nil
}
