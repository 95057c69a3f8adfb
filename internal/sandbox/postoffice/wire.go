package postoffice

import (
	"encoding/json"
	"time"

	"aviso/internal/sandbox/mailroom"
)

// timestamp writes a time as Pingen does: with an offset without a colon.
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

// letterAttributes are those of a letter; what is not known yet is null.
type letterAttributes struct {
	Status           mailroom.State `json:"status"`
	FileOriginalName string         `json:"file_original_name"`
	FilePages        *int           `json:"file_pages"`
	Address          *string        `json:"address"`
	AddressPosition  string         `json:"address_position"`
	Country          *string        `json:"country"`
	DeliveryProduct  *string        `json:"delivery_product"`
	PrintMode        *string        `json:"print_mode"`
	PrintSpectrum    *string        `json:"print_spectrum"`
	PriceCurrency    *string        `json:"price_currency"`
	PriceValue       *json.Number   `json:"price_value"`
	PaperTypes       []string       `json:"paper_types"`
	Fonts            []string       `json:"fonts"`
	Source           string         `json:"source"`
	TrackingNumber   *string        `json:"tracking_number"`
	SenderAddress    *string        `json:"sender_address"`
	SubmittedAt      *string        `json:"submitted_at"`
	CreatedAt        string         `json:"created_at"`
	UpdatedAt        string         `json:"updated_at"`
}

// orNull is nil for the zero value.
func orNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

func attributesOf(l mailroom.Letter) letterAttributes {
	p := l.Posted
	a := letterAttributes{
		Status: l.State, FileOriginalName: l.FileName, FilePages: orNull(l.Pages), Address: orNull(l.To), AddressPosition: p.AddressPosition,
		Country: orNull(p.Country), DeliveryProduct: orNull(p.DeliveryProduct), PrintMode: orNull(p.PrintMode), PrintSpectrum: orNull(p.PrintSpectrum),
		Source: "api", TrackingNumber: orNull(p.TrackingNumber), SenderAddress: orNull(p.SenderAddress),
		CreatedAt: timestamp(l.CreatedAt), UpdatedAt: timestamp(l.UpdatedAt),
	}
	if l.Pages > 0 {
		a.Fonts = []string{}
		for range l.Pages {
			a.PaperTypes = append(a.PaperTypes, "normal")
		}
		a.PriceCurrency, a.PriceValue = orNull("EUR"), orNull(json.Number("1.00"))
	}
	if !l.SubmittedAt.IsZero() {
		a.SubmittedAt = orNull(timestamp(l.SubmittedAt))
	}
	return a
}

func (s *Server) organisationPath(l mailroom.Letter) string {
	return l.Base + Path + "/organisations/" + s.credentials.OrganisationID
}

func (s *Server) letterAddress(l mailroom.Letter) string {
	return s.organisationPath(l) + "/deliveries/letters/" + l.ID
}

// item is a letter in a list.
func (s *Server) item(l mailroom.Letter) resource {
	self := s.letterAddress(l)
	return resource{
		ID: l.ID, Type: "letters", Attributes: attributesOf(l), Links: map[string]string{"self": self},
		Relationships: map[string]any{
			"organisation": related(s.organisationPath(l), "organisations", s.credentials.OrganisationID),
			"events":       map[string]any{"links": map[string]any{"related": map[string]any{"href": self + "/events", "meta": map[string]int{"count": len(l.History)}}}},
			"batch":        nil,
		},
	}
}

// detail is a letter by itself: with what can be done to it now.
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
	return map[string]any{"links": map[string]string{"related": address}, "data": map[string]string{"id": id, "type": kind}}
}
