package carrier

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/observe/redact"
)

var _ cancellation.SandboxMail = (*LetterClock)(nil)

const moveLetters = "move time of letters"

// LetterClockOptions are the options of LetterClock.
type LetterClockOptions struct {
	Common
	// BaseURL is that of the sandbox's clock; required.
	BaseURL string
	// Token authenticates us there; required.
	Token redact.Secret
}

// LetterClock moves the time of a user's letters at the sandbox's carriers.
type LetterClock struct {
	client *client
	url    *url.URL
	token  redact.Secret
}

// NewLetterClock returns a LetterClock. It fails if a required option is missing or the URL is
// invalid.
func NewLetterClock(o LetterClockOptions) (*LetterClock, error) {
	c, err := newClient(o.Common)
	if err != nil {
		return nil, fmt.Errorf("letter clock: %w", err)
	}
	base, err := parseBase("BaseURL", o.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("letter clock: %w", err)
	}
	return &LetterClock{client: c, url: base.JoinPath("letters"), token: o.Token}, nil
}

// NextDue returns when the next step of one of the letters of these cancellations is due, in the
// user's time. It is zero if no letter waits for one.
func (c *LetterClock) NextDue(ctx context.Context, cancellationIDs []string) (time.Time, error) {
	return c.call(ctx, cancellationIDs, time.Time{})
}

// Advance runs the steps that are due until a time of the user, in their order and each at its own
// time. From then on the letters' time is until, so call it also when the user's clock reaches its
// end. It may be repeated.
func (c *LetterClock) Advance(ctx context.Context, cancellationIDs []string, until time.Time) error {
	for {
		next, err := c.call(ctx, cancellationIDs, until)
		if err != nil || next.IsZero() || next.After(until) {
			return err
		}
	}
}

// call makes one call, which runs a limited number of steps.
func (c *LetterClock) call(ctx context.Context, cancellationIDs []string, until time.Time) (time.Time, error) {
	if len(cancellationIDs) == 0 {
		return time.Time{}, nil
	}
	body, err := json.Marshal(struct {
		References []string  `json:"references"`
		Until      time.Time `json:"until,omitzero"`
	}{cancellationIDs, until})
	if err != nil {
		return time.Time{}, err
	}
	a, err := c.client.do(ctx, request{
		operation: moveLetters, method: http.MethodPost, url: c.url, body: body,
		header: map[string]string{"Authorization": "Bearer " + string(c.token), "Content-Type": "application/json"},
	})
	if err != nil {
		return time.Time{}, noResponse(moveLetters, err)
	}
	if !a.ok() {
		return time.Time{}, c.client.failed(moveLetters, a)
	}
	var answer struct{ NextDue time.Time }
	if unmarshal(a.body, &answer) != nil {
		return time.Time{}, malformed(moveLetters)
	}
	return answer.NextDue, nil
}
