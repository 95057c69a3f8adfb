package carrier

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/clock"
)

var (
	_ cancellation.Carrier       = (*MailCopy)(nil)
	_ cancellation.CarrierEraser = (*MailCopy)(nil)
)

// The names of the operations.
const (
	copyMail       = "copy mail"
	deleteMailCopy = "delete mail copy"
)

// Copying may come before the sandbox is ready, when the local stack starts.
const (
	copyTries = 3
	copyPause = time.Second
)

// MailCopy sends letters by e-mail in environments whose mail reaches nobody, and gives
// the sandbox a copy of each, so that a developer can read it.
type MailCopy struct {
	sandbox
	email cancellation.Carrier
}

// NewMailCopy returns a carrier that sends by email. It fails if the URL is invalid.
func NewMailCopy(email cancellation.Carrier, o SandboxOptions) (*MailCopy, error) {
	s, err := newSandbox(o)
	if err != nil {
		return nil, fmt.Errorf("mail copy: %w", err)
	}
	return &MailCopy{s, email}, nil
}

// Send sends the mail and copies it. Its note says that there is a copy to erase. A mail
// whose copy fails has been sent all the same.
func (m *MailCopy) Send(ctx context.Context, s cancellation.Shipment) (cancellation.Receipt, error) {
	if !s.LookOnly {
		if err := s.Note(ctx, s.ID); err != nil {
			return cancellation.Receipt{}, notNoted(err)
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

func (m *MailCopy) copy(ctx context.Context, s cancellation.Shipment) error {
	for try := 1; ; try++ {
		err := m.call(ctx, copyMail, http.MethodPut, s.ID, map[string]any{
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
	return m.call(ctx, deleteMailCopy, http.MethodDelete, reference, nil, nil)
}
