package postoffice

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"time"

	"aviso/internal/sandbox/mailroom"
)

// WebhookPath is the path of the service for Pingen's webhooks.
const WebhookPath = "/carriers/v1/pingen"

// RetryDelay returns how long Pingen waits after this many attempts.
func (*Server) RetryDelay(attempts int) (time.Duration, bool) {
	delays := []time.Duration{time.Minute, 5 * time.Minute, 10 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour}
	if attempts < 1 || attempts > len(delays) {
		return 0, false
	}
	return delays[attempts-1], true
}

// Callback returns the webhook for a notice. Every attempt has the same body, even if the
// letter has changed in the meantime.
func (s *Server) Callback(ctx context.Context, l mailroom.Letter, n mailroom.Notice, _ []byte) (*http.Request, error) {
	body := s.body(l, n)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.Base+WebhookPath, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("create webhook: %w", err)
	}
	mac := hmac.New(sha256.New, []byte(s.credentials.WebhookSecret))
	_, _ = mac.Write(body)
	req.Header.Set("Content-Type", mediaType)
	req.Header.Set("Signature", hex.EncodeToString(mac.Sum(nil)))
	req.Header.Set("User-Agent", "Pingen/sandbox")
	return req, nil
}

func (s *Server) body(l mailroom.Letter, n mailroom.Notice) []byte {
	l.State, l.UpdatedAt = n.State, n.At
	attributes := map[string]any{"url": l.Base + WebhookPath, "created_at": timestamp(n.At)}
	if n.Event == "issues" || n.Event == "undeliverable" {
		attributes["reason"] = n.Reason
	}
	if n.Event == "undeliverable" {
		attributes["corrected_address"] = nil
	}
	letter := related(s.letterAddress(l), "letters", l.ID)
	at := timestamp(n.At)
	event := map[string]any{
		"code": n.Code, "name": eventName(n), "producer": "Pingen", "location": "", "has_image": false, "data": []any{},
		"emitted_at": at, "created_at": at, "updated_at": at,
	}
	eventID := eventID(n)
	return mailroom.Encode(map[string]any{
		"data": resource{ID: n.ID, Type: "webhook_" + n.Event, Attributes: attributes, Relationships: map[string]any{
			"organisation": related(s.organisationPath(l), "organisations", s.credentials.OrganisationID),
			"deliverable":  letter, "letter": letter,
			"event": map[string]any{"data": map[string]string{"id": eventID, "type": "deliverables_events"}},
		}},
		"included": []resource{
			s.organisationResource(l),
			{ID: l.ID, Type: "letters", Attributes: attributesOf(l),
				Links: map[string]string{"self": s.letterAddress(l)}},
			{ID: eventID, Type: "deliverables_events", Attributes: event},
			{ID: eventID, Type: "letters_events", Attributes: event},
		},
	})
}

// eventID returns a UUID that is the same at each attempt.
func eventID(n mailroom.Notice) string {
	h := digest("event\n" + n.ID)
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-8" + h[17:20] + "-" + h[20:32]
}

func (s *Server) organisationResource(l mailroom.Letter) resource {
	return resource{
		ID: s.credentials.OrganisationID, Type: "organisations",
		Links: map[string]string{"self": s.organisationPath(l)},
		Attributes: map[string]any{"name": "Aviso sandbox", "status": "active", "plan": "free",
			"billing_mode": "prepaid", "billing_currency": "EUR"},
	}
}

func eventName(n mailroom.Notice) string {
	if n.Reason != "" {
		return n.Reason
	}
	switch n.Code {
	case "delivered":
		return "Delivered"
	default:
		return "Handed to distributor"
	}
}
