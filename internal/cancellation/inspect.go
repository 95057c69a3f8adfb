package cancellation

import (
	"context"
	"errors"
	"fmt"

	"aviso/internal/fault"
	"aviso/internal/outcome"
	"aviso/internal/owner"
)

// InspectStore finds a cancellation by its id alone.
type InspectStore interface {
	// CancellationOwner is that of FeedbackStore.
	CancellationOwner(ctx context.Context, id string) (owner.User, error)
	// Cancellation is that of LetterStore.
	Cancellation(ctx context.Context, user owner.User, id string) (Cancellation, error)
}

// Inspector shows the operator where a cancellation stands.
type Inspector struct{ store InspectStore }

// NewInspector reads from store.
func NewInspector(store InspectStore) *Inspector { return &Inspector{store: store} }

// Inspect is a cancellation, whoever's it is.
func (i *Inspector) Inspect(ctx context.Context, id string) (Cancellation, error) {
	user, err := i.store.CancellationOwner(ctx, id)
	var c Cancellation
	if err == nil {
		c, err = i.store.Cancellation(ctx, user, id)
	}
	if errors.Is(err, outcome.ErrNotFound) {
		return Cancellation{}, fault.New(fault.NotFound, "There is no such cancellation.")
	}
	if err != nil {
		return Cancellation{}, fmt.Errorf("read cancellation: %w", err)
	}
	return c, nil
}
