package carrier

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/clock"
	"aviso/internal/observe/redact"
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

// MailCopyOptions are the options of MailCopy.
type MailCopyOptions struct {
	Common
	// BaseURL is that of the sandbox's mailbox; required.
	BaseURL string
	// Token authenticates us there; required.
	Token redact.Secret
}

// MailCopy sends letters by e-mail in environments whose mail reaches nobody, and gives
// the sandbox a copy of each, so that a developer can read it.
type MailCopy struct {
	email  cancellation.Carrier
	client *client
	base   *url.URL
	token  redact.Secret
}

// NewMailCopy returns a carrier that sends by email. It fails if a required option is
// missing or the URL is invalid.
func NewMailCopy(email cancellation.Carrier, o MailCopyOptions) (*MailCopy, error) {
	c, err := newClient(o.Common)
	if err != nil {
		return nil, fmt.Errorf("mail copy: %w", err)
	}
	base, err := parseBase("BaseURL", o.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("mail copy: %w", err)
	}
	return &MailCopy{email: email, client: c, base: base, token: o.Token}, nil
}

// Send sends the mail and copies it. Its note says that there is a copy to erase. A mail
// whose copy fails has been sent all the same.
func (m *MailCopy) Send(ctx context.Context, s cancellation.Shipment) (cancellation.Receipt, error) {
	if !s.LookOnly {
		if err := s.Note(ctx, s.ID); err != nil {
			e := busy("ReferenceNotNoted", 0)
			e.Err = err
			return cancellation.Receipt{}, e
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
	body, err := json.Marshal(map[string]any{
		"cancellationId": s.CancellationID, "partnerId": string(s.Partner), "to": s.Channel.Email,
		"subject": s.Document.Subject, "text": s.Document.Text, "pdf": s.Document.PDF,
	})
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		failed := m.call(ctx, copyMail, http.MethodPut, s.ID, body)
		if failed == nil || try == copyTries || !clock.Wait(ctx, copyPause) {
			return failed
		}
	}
}

// Delete deletes the copy.
func (m *MailCopy) Delete(ctx context.Context, reference string) error {
	if !idShape.fits(reference) {
		return refused("BadReference")
	}
	return m.call(ctx, deleteMailCopy, http.MethodDelete, reference, nil)
}

func (m *MailCopy) call(ctx context.Context, operation, method, shipment string, body []byte) error {
	a, err := m.client.do(ctx, request{
		operation: operation, method: method, url: m.base.JoinPath(shipment), body: body,
		header: map[string]string{"Authorization": "Bearer " + string(m.token), "Content-Type": "application/json"},
	})
	if err != nil {
		return noResponse(operation, err)
	}
	if !a.ok() {
		return m.client.failed(operation, a)
	}
	return nil
}
