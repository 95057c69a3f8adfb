package api

import "context"

// WithInput returns the context of an operation with this input.
func WithInput(ctx context.Context, in any) context.Context { return withCall(ctx, &call{input: in}) }
