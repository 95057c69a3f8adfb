package cancellation

import (
	"context"
	"errors"
	"fmt"

	"aviso/internal/apierror"
	"aviso/internal/outcome"
)

// Inspector shows the operator where a cancellation stands.
type Inspector struct{ store Store }

// NewInspector reads from store.
func NewInspector(store Store) *Inspector { return &Inspector{store: store} }

// Inspect is a cancellation, whoever's it is.
func (i *Inspector) Inspect(ctx context.Context, id string) (Cancellation, error) {
	user, err := i.store.CancellationOwner(ctx, id)
	var c Cancellation
	if err == nil {
		c, err = i.store.Cancellation(ctx, user, id)
	}
	if errors.Is(err, outcome.ErrNotFound) {
		return Cancellation{}, apierror.New(apierror.NotFound, "There is no such cancellation.")
	}
	if err != nil {
		return Cancellation{}, fmt.Errorf("read cancellation: %w", err)
	}
	return c, nil
}
