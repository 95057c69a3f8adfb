package postoffice

import (
	"encoding/json"
	"slices"
	"time"

	"aviso/internal/sandbox/mailroom"
)

// timestamp formats a time as Pingen does: with an offset without a colon.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05-0700") }

// resource is a JSON:API resource object.
type resource struct {
	ID            string            `json:"id"`
	Type          string            `json:"type"`
	Attributes    any               `json:"attributes"`
	Relationships any               `json:"relationships,omitempty"`
	Links         map[string]string `json:"links,omitempty"`
	Meta          any               `json:"meta,omitempty"`
}

// orNull returns nil for the zero value.
func orNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// attributesOf returns the attributes of a letter; unknown ones are null.
func attributesOf(l mailroom.Letter) map[string]any {
	p := l.Posted
	a := map[string]any{
		"status": l.State, "file_original_name": l.FileName, "file_pages": orNull(l.Pages), "address": orNull(l.To),
		"address_position": p.AddressPosition, "country": orNull(p.Country),
		"delivery_product": orNull(p.DeliveryProduct), "print_mode": orNull(p.PrintMode),
		"print_spectrum": orNull(p.PrintSpectrum),
		"price_currency": nil, "price_value": nil, "paper_types": nil, "fonts": nil, "source": "api",
		"tracking_number": orNull(p.TrackingNumber), "sender_address": orNull(p.SenderAddress), "submitted_at": nil,
		"created_at": timestamp(l.CreatedAt), "updated_at": timestamp(l.UpdatedAt),
	}
	if l.Pages > 0 {
		a["price_currency"], a["price_value"], a["fonts"] = "EUR", json.Number("1.00"), []string{}
		a["paper_types"] = slices.Repeat([]string{"normal"}, l.Pages)
	}
	if !l.SubmittedAt.IsZero() {
		a["submitted_at"] = timestamp(l.SubmittedAt)
	}
	return a
}

func (s *Server) organisationPath(l mailroom.Letter) string {
	return l.Base + Path + "/organisations/" + s.credentials.OrganisationID
}

func (s *Server) letterAddress(l mailroom.Letter) string {
	return s.organisationPath(l) + "/deliveries/letters/" + l.ID
}

// item returns a letter in a list.
func (s *Server) item(l mailroom.Letter) resource {
	self := s.letterAddress(l)
	return resource{
		ID: l.ID, Type: "letters", Attributes: attributesOf(l), Links: map[string]string{"self": self},
		Relationships: map[string]any{
			"organisation": related(s.organisationPath(l), "organisations", s.credentials.OrganisationID),
			"events": map[string]any{"links": map[string]any{"related": map[string]any{
				"href": self + "/events", "meta": map[string]int{"count": len(l.History)},
			}}},
			"batch": nil,
		},
	}
}

// detail returns a single letter, with the actions that are possible now.
func (s *Server) detail(l mailroom.Letter) resource {
	able := func(can bool) string {
		if can {
			return "ok"
		}
		return "state"
	}
	r := s.item(l)
	r.Meta = map[string]any{"abilities": map[string]any{"self": map[string]string{
		"cancel": able(l.State == submitted || l.State == processing), "delete": able(deletable(l.State)),
		"submit": able(l.State == valid), "get-pdf-raw": able(l.HasFile),
	}}}
	return r
}

func related(address, kind, id string) any {
	return map[string]any{"links": map[string]string{"related": address},
		"data": map[string]string{"id": id, "type": kind}}
}
