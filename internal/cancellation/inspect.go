package cancellation

import (
	"context"
	"errors"
	"fmt"

	"aviso/internal/api/apierror"
	"aviso/internal/outcome"
)

// Inspect returns a cancellation of any user, for the operator.
func Inspect(ctx context.Context, store Store, id string) (Cancellation, error) {
	user, err := store.CancellationOwner(ctx, id)
	var c Cancellation
	if err == nil {
		c, err = store.Cancellation(ctx, user, id)
	}
	if errors.Is(err, outcome.ErrNotFound) {
		return Cancellation{}, apierror.New(apierror.NotFound, "There is no such cancellation.")
	}
	if err != nil {
		return Cancellation{}, fmt.Errorf("read cancellation: %w", err)
	}
	return c, nil
}
