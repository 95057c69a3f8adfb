package mailroom

import (
	"cmp"
	"time"

	"github.com/google/uuid"

	"aviso/internal/sandbox/layout"
)

// WebhookPath is the path of the service for Pingen's webhooks.
const WebhookPath = "/carriers/v1/pingen"

// RetryDelays returns how long Pingen waits after each attempt.
func (*PostOffice) RetryDelays() []time.Duration {
	return []time.Duration{time.Minute, 5 * time.Minute, 10 * time.Minute, time.Hour, 2 * time.Hour, 4 * time.Hour}
}

// Callback returns the webhook for a notice. Every attempt has the same body, even if the
// letter has changed in the meantime.
func (s *PostOffice) Callback(l Letter, n Notice, _ []byte) Call {
	body := s.body(l, n)
	return Call{URL: l.Base + WebhookPath, Body: body, Header: map[string]string{
		"Content-Type": mediaType, "User-Agent": "Pingen/sandbox",
		"Signature": hmacOf(s.credentials.WebhookSecret, body),
	}}
}

func (s *PostOffice) body(l Letter, n Notice) []byte {
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
	name := cmp.Or(n.Reason, map[string]string{"delivered": "Delivered"}[n.Code], "Handed to distributor")
	event := map[string]any{
		"code": n.Code, "name": name, "producer": "Pingen", "location": "", "has_image": false, "data": []any{},
		"emitted_at": at, "created_at": at, "updated_at": at,
	}
	eventID := uuid.NewSHA1(uuid.NameSpaceURL, []byte(n.ID)).String() // the same at each attempt
	return Encode(map[string]any{
		"data": resource{ID: n.ID, Type: "webhook_" + n.Event, Attributes: attributes, Relationships: map[string]any{
			"organisation": related(s.organisationPath(l), "organisations", s.credentials.OrganisationID),
			"deliverable":  letter, "letter": letter,
			"event": map[string]any{"data": map[string]string{"id": eventID, "type": "deliverables_events"}},
		}},
		"included": []resource{
			{ID: s.credentials.OrganisationID, Type: "organisations", Attributes: map[string]string{"name": "Aviso sandbox"}},
			s.resource(l),
			{ID: eventID, Type: "deliverables_events", Attributes: event},
			{ID: eventID, Type: "letters_events", Attributes: event},
		},
	})
}

// timestamp formats a time as Pingen does: with an offset without a colon.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05-0700") }

// resource is a JSON:API resource object.
type resource struct {
	ID            string            `json:"id"`
	Type          string            `json:"type"`
	Attributes    any               `json:"attributes"`
	Relationships any               `json:"relationships,omitempty"`
	Links         map[string]string `json:"links,omitempty"`
}

// attributesOf returns the attributes of a letter; unknown ones are null.
func attributesOf(l Letter) map[string]any {
	p := l.Posted
	a := map[string]any{
		"status": l.State, "file_original_name": l.FileName, "file_pages": layout.OrNull(l.Pages),
		"address":          layout.OrNull(l.To),
		"address_position": p.AddressPosition, "country": layout.OrNull(p.Country),
		"delivery_product": layout.OrNull(p.DeliveryProduct), "print_mode": layout.OrNull(p.PrintMode),
		"print_spectrum": layout.OrNull(p.PrintSpectrum),
		"source":         "api", "tracking_number": layout.OrNull(p.TrackingNumber), "submitted_at": nil,
		"created_at": timestamp(l.CreatedAt), "updated_at": timestamp(l.UpdatedAt),
	}
	if !l.SubmittedAt.IsZero() {
		a["submitted_at"] = timestamp(l.SubmittedAt)
	}
	return a
}

func (s *PostOffice) organisationPath(l Letter) string {
	return l.Base + PostPath + "/organisations/" + s.credentials.OrganisationID
}

func (s *PostOffice) letterAddress(l Letter) string {
	return s.organisationPath(l) + "/deliveries/letters/" + l.ID
}

// resource returns a letter as a resource.
func (s *PostOffice) resource(l Letter) resource {
	return resource{
		ID: l.ID, Type: "letters", Attributes: attributesOf(l), Links: map[string]string{"self": s.letterAddress(l)},
	}
}

func related(address, kind, id string) any {
	return map[string]any{"links": map[string]string{"related": address},
		"data": map[string]string{"id": id, "type": kind}}
}
