package identity

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/apierror"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// ErasureStatus is how far an erasure has come.
type ErasureStatus string

// The states of an erasure.
const (
	ErasureRunning   ErasureStatus = "Running"
	ErasureCompleted ErasureStatus = "Completed"
)

// Kinds of what the identity area itself erases; other areas name their own.
const (
	CountUsers       = "users"
	CountAcceptances = "termsAcceptances"
)

// Erasure is the receipt that a partner gets. It outlives the user, so it holds
// nothing by which the user could be told.
type Erasure struct {
	ID      string
	Partner owner.PartnerID
	Status  ErasureStatus
	// RequestedAt is when the user was gone for every call; CompletedAt is zero
	// while the erasure runs.
	RequestedAt time.Time
	CompletedAt time.Time
	// Counts is how much of each kind goes. It is whole when the erasure is
	// completed.
	Counts map[string]int
}

// ErasureTask is an erasure that has yet to be completed. It alone knows whose
// it is, and goes with the last of the user's data.
type ErasureTask struct {
	ID          string
	User        owner.User
	RequestedAt time.Time
	// Counted tells that Counts of the receipt are whole.
	Counted bool
}

// EventUserErased is the type of the event that tells the end of an erasure. It
// names the former user.
const EventUserErased = "user.erased"

// ErasedEventData is the data of EventUserErased.
type ErasedEventData struct {
	ErasureID string `json:"erasureId"`
}

// Erasures begins erasures and shows their receipts.
type Erasures struct {
	store Store
	now   func() time.Time
	newID func() string
}

// NewErasures keeps erasures in store.
func NewErasures(store Store, now func() time.Time, newID func() string) *Erasures {
	return &Erasures{store: store, now: now, newID: newID}
}

// Begin makes the partner's user unknown to every call, and has housekeeping
// delete all that is kept of the user.
func (s *Erasures) Begin(ctx context.Context, user owner.User) (Erasure, error) {
	e := Erasure{ID: s.newID(), Partner: user.Partner, Status: ErasureRunning, RequestedAt: clock.Read(s.now)}
	err := s.store.BeginErasure(ctx, user, e)
	if errors.Is(err, outcome.ErrNotFound) {
		return Erasure{}, errUserNotFound()
	}
	if err != nil {
		return Erasure{}, fmt.Errorf("begin erasure: %w", err)
	}
	return e, nil
}

// Receipt is one of the partner's erasures.
func (s *Erasures) Receipt(ctx context.Context, p owner.PartnerID, id string) (Erasure, error) {
	e, err := s.store.Erasure(ctx, p, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return Erasure{}, apierror.New(apierror.NotFound, "The partner has no erasure of this id.")
	}
	return e, err
}
