package cancellation

import "errors"

// What stores say.
var (
	// ErrNotFound: there is no such thing, or it is somebody else's.
	ErrNotFound = errors.New("cancellation: not found")
	// ErrChanged: what was to be written over is no longer as it was read.
	ErrChanged = errors.New("cancellation: changed meanwhile")
)
