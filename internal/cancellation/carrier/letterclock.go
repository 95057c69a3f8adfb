package carrier

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"aviso/internal/cancellation"
)

var _ cancellation.SandboxMail = (*LetterClock)(nil)

const moveLetters = "move time of letters"

// LetterClock moves the time of a user's letters at the sandbox's carriers.
type LetterClock struct{ sandbox }

// NewLetterClock returns a LetterClock. It fails if the URL is invalid.
func NewLetterClock(o SandboxOptions) (*LetterClock, error) {
	s, err := newSandbox(o)
	if err != nil {
		return nil, fmt.Errorf("letter clock: %w", err)
	}
	return &LetterClock{s}, nil
}

// NextDue returns when the next step of one of the letters of these cancellations is due, in the
// user's time. It is zero if no letter waits for one.
func (c *LetterClock) NextDue(ctx context.Context, cancellationIDs []string) (time.Time, error) {
	return c.run(ctx, cancellationIDs, time.Time{})
}

// Advance runs the steps that are due until a time of the user, in their order and each at its own
// time. From then on the letters' time is until, so call it also when the user's clock reaches its
// end. It may be repeated.
func (c *LetterClock) Advance(ctx context.Context, cancellationIDs []string, until time.Time) error {
	for {
		next, err := c.run(ctx, cancellationIDs, until)
		if err != nil || next.IsZero() || next.After(until) {
			return err
		}
	}
}

// run makes one call, which runs a limited number of steps.
func (c *LetterClock) run(ctx context.Context, cancellationIDs []string, until time.Time) (time.Time, error) {
	if len(cancellationIDs) == 0 {
		return time.Time{}, nil
	}
	var answer struct{ NextDue time.Time }
	err := c.call(ctx, moveLetters, http.MethodPost, "letters", struct {
		References []string  `json:"references"`
		Until      time.Time `json:"until,omitzero"`
	}{cancellationIDs, until}, &answer)
	return answer.NextDue, err
}
