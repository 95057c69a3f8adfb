package faxgateway

import (
	"net/url"
	"time"

	"aviso/internal/sandbox/mailroom"
)

// wireFax is a fax in the API. Members that do not apply are omitted.
type wireFax struct {
	mailroom.Faxed
	ID                    string         `json:"id"`
	Direction             string         `json:"direction"`
	To                    string         `json:"to"`
	NumberOfPages         int            `json:"numberOfPages,omitempty"`
	Status                mailroom.State `json:"status"`
	Price                 *price         `json:"price,omitempty"`
	CreateTime            time.Time      `json:"createTime"`
	CompletedTime         time.Time      `json:"completedTime,omitzero"`
	PagesSentSuccessfully int            `json:"pagesSentSuccessfully,omitempty"`
	HeaderPageNumbers     bool           `json:"headerPageNumbers"`
	HasFile               bool           `json:"hasFile"`
	ProjectID             string         `json:"projectId"`
}

type price struct {
	Amount       string `json:"amount"`
	CurrencyCode string `json:"currencyCode"`
}

func (s *Server) wire(l mailroom.Letter) wireFax {
	w := wireFax{
		Faxed: l.Faxed, ID: wireID(l.ID), Direction: "OUTBOUND", To: l.To, NumberOfPages: l.Pages, Status: l.State,
		CreateTime: l.CreatedAt, CompletedTime: l.CompletedAt, HeaderPageNumbers: !l.Faxed.PlainHeader,
		HasFile:   l.HasFile,
		ProjectID: s.credentials.ProjectID,
	}
	if w.CallbackURL == "" {
		w.CallbackType = ""
	}
	w.CallbackURL = masked(w.CallbackURL)
	if !l.CompletedAt.IsZero() {
		w.Price = &price{"0.07", "EUR"}
	}
	if l.State == completed {
		w.PagesSentSuccessfully = l.Pages
	}
	return w
}

// masked hides the credentials in a URL.
func masked(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return address
	}
	u.User = nil
	return u.Scheme + "://***:***@" + u.Host + u.RequestURI()
}
