package faxgateway

import (
	"net/url"
	"time"

	"aviso/internal/sandbox/mailroom"
)

// wireFax is a fax as the API tells it. What does not apply is left out.
type wireFax struct {
	ID                     string            `json:"id"`
	Direction              string            `json:"direction"`
	From                   string            `json:"from,omitempty"`
	To                     string            `json:"to"`
	ContentURL             []string          `json:"contentUrl,omitempty"`
	NumberOfPages          int               `json:"numberOfPages,omitempty"`
	Status                 mailroom.State    `json:"status"`
	Price                  *price            `json:"price,omitempty"`
	CreateTime             time.Time         `json:"createTime"`
	CompletedTime          *time.Time        `json:"completedTime,omitempty"`
	PagesSentSuccessfully  int               `json:"pagesSentSuccessfully,omitempty"`
	HeaderText             string            `json:"headerText,omitempty"`
	HeaderPageNumbers      bool              `json:"headerPageNumbers"`
	HeaderTimeZone         string            `json:"headerTimeZone"`
	RetryDelaySeconds      int               `json:"retryDelaySeconds"`
	Labels                 map[string]string `json:"labels,omitempty"`
	CallbackURL            string            `json:"callbackUrl,omitempty"`
	CallbackURLContentType string            `json:"callbackUrlContentType,omitempty"`
	ImageConversionMethod  string            `json:"imageConversionMethod"`
	ErrorType              string            `json:"errorType,omitempty"`
	ErrorCode              int               `json:"errorCode,omitempty"`
	ErrorMessage           string            `json:"errorMessage,omitempty"`
	MaxRetries             int               `json:"maxRetries"`
	RetryCount             int               `json:"retryCount"`
	HasFile                bool              `json:"hasFile"`
	Resolution             string            `json:"resolution"`
	ProjectID              string            `json:"projectId"`
	ServiceID              string            `json:"serviceId,omitempty"`
}

type price struct {
	Amount       string `json:"amount"`
	CurrencyCode string `json:"currencyCode"`
}

func (s *Server) wire(l mailroom.Letter) wireFax {
	f := l.Faxed
	w := wireFax{
		ID: wireID(l.ID), Direction: "OUTBOUND", From: f.From, To: l.To, ContentURL: f.ContentURLs, NumberOfPages: l.Pages, Status: l.State,
		CreateTime: l.CreatedAt, HeaderText: f.HeaderText, HeaderPageNumbers: !f.PlainHeader, HeaderTimeZone: f.HeaderTimeZone,
		RetryDelaySeconds: f.RetryDelaySeconds, Labels: f.Labels, ImageConversionMethod: f.ImageConversion,
		ErrorType: f.ErrorType, ErrorCode: f.ErrorCode, ErrorMessage: f.ErrorMessage, MaxRetries: f.MaxRetries, RetryCount: f.RetryCount,
		HasFile: l.HasFile, Resolution: f.Resolution, ProjectID: s.credentials.ProjectID, ServiceID: f.ServiceID,
	}
	if f.CallbackURL != "" {
		w.CallbackURL, w.CallbackURLContentType = masked(f.CallbackURL), f.CallbackType
	}
	if !l.CompletedAt.IsZero() {
		w.CompletedTime, w.Price = &l.CompletedAt, &price{"0.07", "EUR"}
	}
	if l.State == completed {
		w.PagesSentSuccessfully = l.Pages
	}
	return w
}

// masked hides the credentials of an address.
func masked(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return address
	}
	u.User = nil
	return u.Scheme + "://***:***@" + u.Host + u.RequestURI()
}
