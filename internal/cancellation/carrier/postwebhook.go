package carrier

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/redact"
)

// What is wrong with a callback.
var (
	// ErrNotAuthentic: the callback does not prove that it comes from the
	// carrier.
	ErrNotAuthentic = errors.New("callback is not authentic")
	// ErrMalformedCallback: it does, but nothing can be read from it.
	ErrMalformedCallback = errors.New("callback is malformed")
	// ErrNothingReported: it is in order and tells nothing of what has become of
	// a letter of ours.
	ErrNothingReported = errors.New("callback reports nothing")
)

// webhook is what Pingen posts.
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

// ParseWebhook reads a webhook of Pingen, which names the letter by Reference.
// The error is ErrNotAuthentic, ErrMalformedCallback or ErrNothingReported.
func (p *Post) ParseWebhook(header http.Header, body []byte) (cancellation.Report, error) {
	if !p.signed(header.Get("Signature"), body) {
		return cancellation.Report{}, fmt.Errorf("read post webhook: %w", ErrNotAuthentic)
	}
	var w webhook
	if unmarshal(body, &w) != nil || w.Data.Type == "" {
		return cancellation.Report{}, fmt.Errorf("read post webhook: %w", ErrMalformedCallback)
	}
	about := w.Data.Relationships.Deliverable.Data
	if about.ID == "" {
		about = w.Data.Relationships.Letter.Data
	}
	state, known := webhookState(w.Data.Type)
	code := w.eventCode()
	switch {
	case !known, about.Type != typeLetters, isTemporary(code):
		return cancellation.Report{}, fmt.Errorf("read post webhook: %w", ErrNothingReported)
	case !idShape.fits(about.ID):
		return cancellation.Report{}, fmt.Errorf("read post webhook: %w", ErrMalformedCallback)
	}
	report := cancellation.Report{Channel: cancellation.ChannelMail, Reference: about.ID, State: state, At: p.webhookTime(w.Data.Attributes.CreatedAt)}
	if state == cancellation.ReportFailed {
		if report.Reason = w.Data.Type; code != "" {
			report.Reason = safeCode(code)
		}
	}
	for _, i := range w.Included {
		if number := trackingNumber(i.Attributes.TrackingNumber); i.ID == about.ID && number != "" {
			report.TrackingNumber = number
		}
	}
	return report, nil
}

// signed compares in constant time.
func (p *Post) signed(signature string, body []byte) bool {
	got, err := hex.DecodeString(signature)
	if err != nil {
		return false
	}
	for _, key := range p.webhookKeys {
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write(body)
		if hmac.Equal(got, mac.Sum(nil)) {
			return true
		}
	}
	return false
}

// currentAndPrevious leaves a previous secret out that there is not: with an empty
// key anybody could sign.
func currentAndPrevious(present, previous redact.Secret) []redact.Secret {
	if previous == "" {
		return []redact.Secret{present}
	}
	return []redact.Secret{present, previous}
}

func webhookState(kind string) (cancellation.ReportState, bool) {
	switch kind {
	case "webhook_sent":
		return cancellation.ReportAccepted, true
	case "webhook_delivered":
		return cancellation.ReportDelivered, true
	case "webhook_undeliverable", "webhook_issues":
		return cancellation.ReportFailed, true
	default:
		return "", false
	}
}

// eventCode is Pingen's word for what happened: address_purged,
// file_too_many_pages. The sentence beside it may tell where somebody lives now.
func (w webhook) eventCode() string {
	for _, i := range w.Included {
		if i.ID != "" && i.ID == w.Data.Relationships.Event.Data.ID && i.Attributes.Code != "" {
			return i.Attributes.Code
		}
	}
	return ""
}

// passing are issues that hold up a letter for a while: our account wants money
// or papers, or a cancellation was asked for or refused.
func isTemporary(code string) bool {
	switch code {
	case "waiting_for_funds", "waiting_for_legitimacy", "cancellation_requested", "cancellation_rejected":
		return true
	default:
		return false
	}
}

// webhookTime is now where the webhook has no time: it is posted at once.
func (p *Post) webhookTime(s string) time.Time {
	for _, layout := range []string{"2006-01-02T15:04:05-0700", time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return p.client.now().UTC()
}
