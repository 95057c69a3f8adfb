package carrier

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/clock"
	"aviso/internal/observe"
)

var (
	_ dispatch.Carrier       = (*Fax)(nil)
	_ dispatch.CarrierEraser = (*Fax)(nil)
)

const (
	// faxListDelay is the maximum time until an accepted fax is in the list.
	faxListDelay = 2 * time.Minute
	// maxFaxRetries is how often Sinch redials. Sinch allows up to five.
	maxFaxRetries = 3
	faxPageSize   = 1000 // the maximum
	maxFaxPages   = 20
)

// The names of the operations.
const (
	sendFax   = "send fax"
	listFaxes = "list faxes"
)

// FaxOptions are the options of Fax. An operator enters our account as JSON.
type FaxOptions struct {
	Common `json:"-"`

	// BaseURL is the URL of the API with its version, https://fax.api.sinch.com/v3;
	// required.
	BaseURL string `json:"-"`
	// ProjectID, KeyID and KeySecret identify us at Sinch; required.
	ProjectID string
	KeyID     string
	KeySecret observe.Secret
	// ServiceID and From (E.164) select a fax service and one of our numbers. Both are
	// optional; Sinch then uses its default.
	ServiceID, From string
	// CallbackBaseURL is our public URL. CallbackSecret makes callback URLs
	// unguessable and has at least 32 characters. Both are required.
	CallbackBaseURL string `json:"-"`
	CallbackSecret  observe.Secret
	// PreviousCallbackSecret is accepted too: older faxes have it in their URLs, or it is the next CallbackSecret. It
	// is optional.
	PreviousCallbackSecret observe.Secret
}

// Fax sends letters by Sinch.
type Fax struct {
	FaxOptions
	client *client
	faxes  string // the URL
}

// NewFax returns the fax carrier. It fails if a required part of our account is missing.
func NewFax(o FaxOptions) (*Fax, error) {
	if !idPattern.MatchString(o.ProjectID) || o.KeyID == "" || o.KeySecret == "" {
		return nil, errors.New("fax carrier: project and key are required")
	}
	if min(len(o.CallbackSecret), len(cmp.Or(o.PreviousCallbackSecret, o.CallbackSecret))) < minCallbackSecret {
		return nil, fmt.Errorf("fax carrier: callback secrets must have at least %d characters", minCallbackSecret)
	}
	if o.From != "" && !faxNumber.MatchString(o.From) {
		return nil, errors.New("fax carrier: From is not a number in E.164 form")
	}
	faxes := o.BaseURL + "/projects/" + o.ProjectID + "/faxes"
	return &Fax{FaxOptions: o, client: newClient(o.Common), faxes: faxes}, nil
}

// faxNumber matches a number in E.164 form.
var faxNumber = regexp.MustCompile(`^\+[1-9]\d{1,14}$`)

// newFax is the request to send a fax.
type newFax struct {
	To                  string            `json:"to"`
	From                string            `json:"from,omitempty"`
	ServiceID           string            `json:"serviceId,omitempty"`
	Files               []faxFile         `json:"files"`
	Labels              map[string]string `json:"labels"`
	MaxRetries          int               `json:"maxRetries"`
	CallbackURL         string            `json:"callbackUrl"`
	CallbackContentType string            `json:"callbackUrlContentType"`
	HeaderTimeZone      string            `json:"headerTimeZone"`
	Resolution          string            `json:"resolution"`
}

type faxFile struct {
	File     []byte `json:"file"` // encodes as base64
	FileType string `json:"fileType"`
}

// fax is a fax as Sinch returns it.
type fax struct {
	ID            string            `json:"id"`
	Status        string            `json:"status"`
	Labels        map[string]string `json:"labels"`
	ErrorType     string            `json:"errorType"`
	ErrorCode     json.Number       `json:"errorCode"`
	CompletedTime time.Time         `json:"completedTime"`
}

// The labels of our faxes at Sinch. The first two identify a fax.
const (
	labelCancellation = "cancellationId"
	labelShipment     = "shipmentId"
	labelPartner      = "partnerId"
)

// Send hands the fax to Sinch. The receipt's reference is Sinch's ID of the fax.
func (f *Fax) Send(ctx context.Context, s dispatch.Shipment) (dispatch.Receipt, error) {
	if s.Channel.Kind != cancellation.ChannelFax {
		return dispatch.Receipt{}, fmt.Errorf("send fax: channel is %s", s.Channel.Kind)
	}
	if !faxNumber.MatchString(s.Channel.Fax) {
		return dispatch.Receipt{}, refused("NumberNotE164")
	}
	if !s.TriedAt.IsZero() {
		if rest := s.TriedAt.Add(faxListDelay).Sub(clock.Now(ctx, f.Now)); rest > 0 {
			return dispatch.Receipt{}, busy("WaitingForList", rest)
		}
		id, failure := f.find(ctx, s)
		if failure != nil {
			return dispatch.Receipt{}, failure
		}
		if id != "" {
			return dispatch.Receipt{Reference: id}, nil
		}
	}
	if s.LookOnly {
		return dispatch.Receipt{}, notSent()
	}
	var sent fax
	_, failure := f.call(ctx, sendFax, http.MethodPost, f.faxes, newFax{
		To: s.Channel.Fax, From: f.From, ServiceID: f.ServiceID,
		Files: []faxFile{{File: s.Document.PDF, FileType: "PDF"}},
		Labels: map[string]string{
			labelCancellation: s.CancellationID, labelShipment: s.ID, labelPartner: string(s.Partner),
		},
		MaxRetries:  maxFaxRetries,
		CallbackURL: f.callbackURL(s.CancellationID, s.ID), CallbackContentType: "application/json",
		HeaderTimeZone: "Europe/Berlin", Resolution: "FINE",
	}, &sent)
	switch {
	case failure != nil:
		return dispatch.Receipt{}, failure
	case !idPattern.MatchString(sent.ID):
		return dispatch.Receipt{}, malformed(sendFax)
	default:
		return dispatch.Receipt{Reference: sent.ID}, nil
	}
}

// maxSearchWindow limits how far back find searches. A channel is abandoned after a day, so no try is much older.
const maxSearchWindow = 72 * time.Hour

// find returns the ID of the fax of an earlier try, or "". It lists faxes by day, as the API requires, starting at
// Since. It adds a margin for tries around midnight and for clock skew.
func (f *Fax) find(ctx context.Context, s dispatch.Shipment) (string, *dispatch.CarrierError) {
	last := s.TriedAt.Add(faxListDelay).UTC().Format(time.DateOnly)
	if s.Since.IsZero() || s.TriedAt.Sub(s.Since) > maxSearchWindow {
		s.Since = s.TriedAt.Add(-maxSearchWindow)
	}
	for day := s.Since.Add(-faxListDelay).UTC(); day.Format(time.DateOnly) <= last; day = day.AddDate(0, 0, 1) {
		if id, failure := f.findOn(ctx, day.Format(time.DateOnly), s); id != "" || failure != nil {
			return id, failure
		}
	}
	return "", nil
}

// findOn reads all pages of a day. It requests the first page without a number, and the others by the number in the
// response. The documentation does not say whether pages start at zero or one, and it names the number page in the
// schema and pageNumber in examples.
func (f *Fax) findOn(ctx context.Context, day string, s dispatch.Shipment) (string, *dispatch.CarrierError) {
	query := url.Values{
		"createTime": {day}, "direction": {"OUTBOUND"}, "to": {s.Channel.Fax}, "pageSize": {strconv.Itoa(faxPageSize)},
	}
	for pages := 1; pages <= maxFaxPages; pages++ {
		var list struct {
			Faxes      *[]fax `json:"faxes"`
			Page       *int   `json:"page"`
			PageNumber *int   `json:"pageNumber"`
			TotalPages int    `json:"totalPages"`
		}
		_, failure := f.call(ctx, listFaxes, http.MethodGet, f.faxes+"?"+query.Encode(), nil, &list)
		if failure == nil && list.Faxes == nil {
			failure = malformed(listFaxes)
		}
		if failure != nil {
			return "", asBusy(failure)
		}
		for _, sent := range *list.Faxes {
			if sent.Labels[labelShipment] == s.ID && sent.Labels[labelCancellation] == s.CancellationID &&
				idPattern.MatchString(sent.ID) {
				return sent.ID, nil
			}
		}
		if pages >= list.TotalPages {
			return "", nil
		}
		page := cmp.Or(list.Page, list.PageNumber)
		if page == nil {
			return "", busy("UnnumberedPage", 0)
		}
		query.Set("page", strconv.Itoa(*page+1))
	}
	return "", busy("TooManyFaxes", time.Hour)
}

// Delete deletes the document that Sinch stores. The number stays in Sinch's log.
func (f *Fax) Delete(ctx context.Context, reference string) error {
	if !idPattern.MatchString(reference) {
		return refused("BadReference")
	}
	a, failure := f.call(ctx, "delete fax", http.MethodDelete, f.faxes+"/"+reference+"/file", nil, nil)
	if failure != nil && !a.gone() {
		return failure
	}
	return nil
}

// call makes a call. body and into are optional.
func (f *Fax) call(
	ctx context.Context, operation, method, to string, body, into any,
) (response, *dispatch.CarrierError) {
	credentials := base64.StdEncoding.EncodeToString([]byte(f.KeyID + ":" + string(f.KeySecret)))
	return f.client.do(ctx, request{
		operation: operation, method: method, url: to, authorization: "Basic " + observe.Secret(credentials),
		body: body, into: into,
	})
}
