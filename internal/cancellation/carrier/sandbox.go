package carrier

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"aviso/internal/cancellation/dispatch"
	"aviso/internal/clock"
	"aviso/internal/observe"
)

// SandboxOptions are the options of MailCopy and LetterClock.
type SandboxOptions struct {
	Common
	// BaseURL is the sandbox's URL; required.
	BaseURL string
	// Token authenticates us at the sandbox; required.
	Token observe.Secret
}

// sandbox makes calls to the sandbox.
type sandbox struct {
	SandboxOptions
	client *client
}

// call makes a call. body and into are optional.
func (s sandbox) call(ctx context.Context, operation, method, path string, body, into any) error {
	_, failure := s.client.do(ctx, request{
		operation: operation, method: method, url: s.BaseURL + path, authorization: "Bearer " + s.Token,
		body: body, into: into,
	})
	if failure != nil {
		return failure
	}
	return nil
}

var (
	_ dispatch.Carrier       = (*MailCopy)(nil)
	_ dispatch.CarrierEraser = (*MailCopy)(nil)
)

// When the local stack starts, the sandbox may not be ready for copies yet.
const (
	copyTries = 3
	copyPause = time.Second
)

// MailCopy sends letters by e-mail in environments whose mail reaches nobody. It gives the sandbox a copy of each, so
// that developers can read them.
type MailCopy struct {
	sandbox
	email dispatch.Carrier
}

// NewMailCopy returns a carrier that sends by email.
func NewMailCopy(email dispatch.Carrier, o SandboxOptions) *MailCopy {
	return &MailCopy{sandbox{o, newClient(o.Common)}, email}
}

// Send sends the mail and copies it. It notes that there is a copy to erase. A failed copy does not fail the mail.
func (m *MailCopy) Send(ctx context.Context, s dispatch.Shipment) (dispatch.Receipt, error) {
	if !s.LookOnly {
		if err := s.Note(ctx, s.ID); err != nil {
			return dispatch.Receipt{}, notSaved(err)
		}
	}
	receipt, err := m.email.Send(ctx, s)
	if err != nil {
		return receipt, err
	}
	if err := m.copy(ctx, s); err != nil {
		slog.WarnContext(ctx, "mail not copied to the sandbox", "error", err.Error())
	}
	return receipt, nil
}

func (m *MailCopy) copy(ctx context.Context, s dispatch.Shipment) error {
	for try := 1; ; try++ {
		err := m.call(ctx, "copy mail", http.MethodPut, "/mail/"+s.ID, map[string]any{
			"cancellationId": s.CancellationID, "partnerId": string(s.Partner), "to": s.Channel.Email,
			"subject": s.Document.Subject, "text": s.Document.Text, "pdf": s.Document.PDF,
		}, nil)
		if err == nil || try == copyTries || !clock.Wait(ctx, copyPause) {
			return err
		}
	}
}

// Delete deletes the copy.
func (m *MailCopy) Delete(ctx context.Context, reference string) error {
	if !idPattern.MatchString(reference) {
		return refused("BadReference")
	}
	return m.call(ctx, "delete mail copy", http.MethodDelete, "/mail/"+reference, nil, nil)
}

var _ dispatch.SandboxMail = (*LetterClock)(nil)

// LetterClock moves the time of a user's letters at the sandbox's carriers.
type LetterClock struct{ sandbox }

// NewLetterClock returns a LetterClock.
func NewLetterClock(o SandboxOptions) *LetterClock {
	return &LetterClock{sandbox{o, newClient(o.Common)}}
}

// NextDue returns the time of the next step of a letter of these cancellations, in the user's time, or zero if no
// letter waits for one.
func (c *LetterClock) NextDue(ctx context.Context, cancellationIDs []string) (time.Time, error) {
	return c.run(ctx, cancellationIDs, time.Time{})
}

// Advance runs the steps that are due up to a time of the user, in order and each at its own time. Then the letters'
// time is until, so call it also when the user's clock reaches its end. It may be repeated.
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
	err := c.call(ctx, "move time of letters", http.MethodPost, "/clock/letters", struct {
		References []string  `json:"references"`
		Until      time.Time `json:"until,omitzero"`
	}{cancellationIDs, until}, &answer)
	return answer.NextDue, err
}
