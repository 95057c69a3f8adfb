package identity

import (
	"context"
	"errors"
	"fmt"
	"time"

	"aviso/internal/api/apierror"
	"aviso/internal/clock"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// ErasureStatus is the status of an erasure.
type ErasureStatus string

// The states of an erasure.
const (
	ErasureRunning   ErasureStatus = "Running"
	ErasureCompleted ErasureStatus = "Completed"
)

// The kinds of data that the identity area erases; other areas have their own.
const (
	CountUsers       = "users"
	CountAcceptances = "termsAcceptances"
)

// ErasureReceipt is the partner's receipt. It outlives the user, so nothing in it identifies the user.
type ErasureReceipt struct {
	ID          string          `json:"erasureId" dynamodbav:"id" format:"uuid"`
	Partner     owner.PartnerID `json:"-" dynamodbav:"-"`
	Status      ErasureStatus   `json:"status" dynamodbav:"status" enum:"Running,Completed"`
	RequestedAt time.Time       `json:"requestedAt" dynamodbav:"requestedAt"`
	CompletedAt time.Time       `json:"completedAt,omitzero" dynamodbav:"completedAt,omitempty"`
	Counts      map[string]int  `json:"counts" dynamodbav:"counts"`
}

// ErasureTask is an erasure in progress. Only the task knows the user, and it is
// deleted with the last of the user's data.
type ErasureTask struct {
	owner.User
	ID          string    `dynamodbav:"id"`
	RequestedAt time.Time `dynamodbav:"requestedAt"`
	// Counted reports whether the receipt's Counts are final.
	Counted bool `dynamodbav:"counted,omitempty"`
}

// EventUserErased is the type of the event sent when an erasure is complete. The event
// carries the former user's ID.
const EventUserErased = "user.erased"

// ErasedEventData is the data of EventUserErased.
type ErasedEventData struct {
	ErasureID string `json:"erasureId"`
}

// Erase deletes the partner's user, so that calls no longer find the user. Housekeeping deletes the user's data
// later.
func (s *Users) Erase(ctx context.Context, user owner.User) (ErasureReceipt, error) {
	e := ErasureReceipt{ID: s.newID(), Partner: user.Partner, Status: ErasureRunning, RequestedAt: clock.Read(s.now).Time()}
	if err := userError(s.store.BeginErasure(ctx, user, e)); err != nil {
		return ErasureReceipt{}, fmt.Errorf("begin erasure: %w", err)
	}
	return e, nil
}

// Receipt returns the receipt of one of the partner's erasures.
func (s *Users) Receipt(ctx context.Context, p owner.PartnerID, id string) (ErasureReceipt, error) {
	e, err := s.store.Erasure(ctx, p, id)
	if errors.Is(err, outcome.ErrNotFound) {
		return ErasureReceipt{}, apierror.New(apierror.NotFound, "The partner has no erasure with this ID.")
	}
	return e, err
}
