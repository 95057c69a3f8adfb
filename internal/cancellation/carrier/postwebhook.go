package carrier

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
)

// The errors of callbacks.
var (
	// ErrNotAuthentic is returned if the callback does not prove that the carrier sent it.
	ErrNotAuthentic = errors.New("callback is not authentic")
	// ErrMalformedCallback is returned for an authentic callback that cannot be read.
	ErrMalformedCallback = errors.New("callback is malformed")
	// ErrNothingReported is returned for a valid callback without a result for one of our letters.
	ErrNothingReported = errors.New("callback reports nothing")
)

// webhook is the body of Pingen's webhooks.
type webhook struct {
	Data struct {
		Type       string `json:"type"`
		Attributes struct {
			CreatedAt string `json:"created_at"`
		} `json:"attributes"`
		Relationships struct {
			Deliverable relationship `json:"deliverable"`
			Letter      relationship `json:"letter"` // its name until July 2026
			Event       relationship `json:"event"`
		} `json:"relationships"`
	} `json:"data"`
	Included []struct {
		ID         string `json:"id"`
		Attributes struct {
			TrackingNumber string `json:"tracking_number"`
			Code           string `json:"code"`
		} `json:"attributes"`
	} `json:"included"`
}

type relationship struct {
	Data struct {
		ID   string `json:"id"`
		Type string `json:"type"`
	} `json:"data"`
}

// ParseWebhook reads a webhook of Pingen. The report identifies the letter by Reference. The error is
// ErrNotAuthentic, ErrMalformedCallback or ErrNothingReported.
func (p *Post) ParseWebhook(header http.Header, body []byte) (dispatch.Report, error) {
	signature, err := hex.DecodeString(header.Get("Signature"))
	if err != nil || !signed(signature, body, p.WebhookSecret, p.PreviousWebhookSecret) {
		return dispatch.Report{}, fmt.Errorf("read post webhook: %w", ErrNotAuthentic)
	}
	var w webhook
	if json.Unmarshal(body, &w) != nil || w.Data.Type == "" {
		return dispatch.Report{}, fmt.Errorf("read post webhook: %w", ErrMalformedCallback)
	}
	about := w.Data.Relationships.Deliverable.Data
	if about.ID == "" {
		about = w.Data.Relationships.Letter.Data
	}
	state, known := map[string]dispatch.ReportState{
		"webhook_sent": dispatch.ReportAccepted, "webhook_delivered": dispatch.ReportDelivered,
		"webhook_undeliverable": dispatch.ReportFailed, "webhook_issues": dispatch.ReportFailed,
	}[w.Data.Type]
	code := w.eventCode()
	switch {
	case !known, about.Type != typeLetters, isTemporary(code):
		return dispatch.Report{}, fmt.Errorf("read post webhook: %w", ErrNothingReported)
	case !idPattern.MatchString(about.ID):
		return dispatch.Report{}, fmt.Errorf("read post webhook: %w", ErrMalformedCallback)
	}
	at, err := time.Parse("2006-01-02T15:04:05-0700", w.Data.Attributes.CreatedAt)
	if err != nil {
		at = p.Now() // webhooks are sent immediately
	}
	report := dispatch.Report{Channel: cancellation.ChannelMail, Reference: about.ID, State: state, At: at.UTC()}
	if state == dispatch.ReportFailed {
		if report.Reason = w.Data.Type; code != "" {
			report.Reason = safeCode(code)
		}
	}
	for _, i := range w.Included {
		if number := trackingPattern.FindString(i.Attributes.TrackingNumber); i.ID == about.ID && number != "" {
			report.TrackingNumber = number
		}
	}
	return report, nil
}

// eventCode returns Pingen's code for the event, such as address_purged or file_too_many_pages. It ignores the text
// next to it, which may contain somebody's new address.
func (w webhook) eventCode() string {
	for _, i := range w.Included {
		if i.ID != "" && i.ID == w.Data.Relationships.Event.Data.ID && i.Attributes.Code != "" {
			return i.Attributes.Code
		}
	}
	return ""
}

// isTemporary reports whether an issue only delays a letter. Our account may need money or documents, or a
// cancellation was requested or rejected.
func isTemporary(code string) bool {
	return slices.Contains([]string{
		"waiting_for_funds", "waiting_for_legitimacy", "cancellation_requested", "cancellation_rejected",
	}, code)
}
