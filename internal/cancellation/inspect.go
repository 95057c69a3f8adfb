package cancellation

import (
	"context"
	"errors"
	"fmt"

	"aviso/internal/api/apierror"
	"aviso/internal/dynamo/outcome"
)

// Inspector shows the operator the state of a cancellation.
type Inspector struct{ store Store }

// NewInspector returns an inspector that reads from store.
func NewInspector(store Store) *Inspector { return &Inspector{store: store} }

// Inspect returns a cancellation of any user.
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
