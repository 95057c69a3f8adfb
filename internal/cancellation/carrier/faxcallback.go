package carrier

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/dispatch"
	"aviso/internal/cancellation/evidence"
	"aviso/internal/observe"
)

// minCallbackSecret is the minimum length of a callback secret. 32 letters and
// digits have 190 bits.
const minCallbackSecret = 32

// maxFaxPart limits how much of the form's fax part is read.
const maxFaxPart = 64 << 10

// FaxCallback is a request to /carriers/v1/fax/{cancellationId}/{shipmentId}/{token}.
type FaxCallback struct {
	CancellationID, ShipmentID, Token string
	// ContentType is the header. JSON and multipart/form-data are supported.
	ContentType string
	Body        []byte
}

// callbackURL returns the URL that Sinch calls when the fax is done. Its token proves that the URL is ours.
func (f *Fax) callbackURL(cancellationID, shipmentID string) string {
	token := base64.RawURLEncoding.EncodeToString(mac(f.CallbackSecret, callbackText(cancellationID, shipmentID)))
	return f.CallbackBaseURL + "/carriers/v1/fax/" + cancellationID + "/" + shipmentID + "/" + token
}

// callbackText is the signed text of a token. The IDs contain no line breaks, so no two pairs of IDs have the same
// text.
func callbackText(cancellationID, shipmentID string) []byte {
	return []byte("fax callback\n" + cancellationID + "\n" + shipmentID)
}

// signed reports whether the signature belongs to the text and one of the keys. It compares in constant time. It
// skips empty keys, with which anybody can sign.
func signed(signature, text []byte, keys ...observe.Secret) bool {
	return slices.ContainsFunc(keys, func(key observe.Secret) bool {
		return key != "" && hmac.Equal(signature, mac(key, text))
	})
}

// mac returns the HMAC-SHA256 of a text.
func mac(key observe.Secret, text []byte) []byte {
	h := hmac.New(sha256.New, []byte(key))
	h.Write(text)
	return h.Sum(nil)
}

// ParseCallback returns the state of a fax. Anybody who has seen the URL can call it, so it reads only the fax's ID
// from the callback and asks Sinch for the rest. The error is ErrNotAuthentic, ErrMalformedCallback or
// ErrNothingReported, or a *dispatch.CarrierError if the call to Sinch failed.
func (f *Fax) ParseCallback(ctx context.Context, c FaxCallback) (dispatch.Report, error) {
	token, err := base64.RawURLEncoding.Strict().DecodeString(c.Token)
	if err != nil || !idPattern.MatchString(c.CancellationID) || !idPattern.MatchString(c.ShipmentID) ||
		!signed(token, callbackText(c.CancellationID, c.ShipmentID), f.CallbackSecret, f.PreviousCallbackSecret) {
		return dispatch.Report{}, fmt.Errorf("read fax callback: %w", ErrNotAuthentic)
	}
	id := faxID(c.ContentType, c.Body)
	if !idPattern.MatchString(id) {
		return dispatch.Report{}, fmt.Errorf("read fax callback: %w", ErrMalformedCallback)
	}
	var sent fax
	a, failure := f.call(ctx, "read fax", http.MethodGet, f.faxes+"/"+id, nil, &sent)
	switch {
	case a.status == http.StatusNotFound:
		return dispatch.Report{}, fmt.Errorf("read fax callback: %w", ErrNotAuthentic)
	case failure != nil:
		return dispatch.Report{}, failure
	}
	if sent.ID != id || sent.Labels[labelCancellation] != c.CancellationID ||
		sent.Labels[labelShipment] != c.ShipmentID {
		return dispatch.Report{}, fmt.Errorf("read fax callback: %w", ErrNotAuthentic)
	}
	report := dispatch.Report{
		CancellationID: c.CancellationID, ShipmentID: c.ShipmentID,
		Channel: cancellation.ChannelFax, Reference: id, At: f.Now().UTC(),
		Received: evidence.Received{Body: a.body},
	}
	if !sent.CompletedTime.IsZero() {
		report.At = sent.CompletedTime.UTC()
	}
	switch sent.Status {
	case "QUEUED", "IN_PROGRESS":
		report.State = dispatch.ReportAccepted
	case "COMPLETED":
		report.State = dispatch.ReportDelivered
	case "FAILURE":
		report.State, report.Reason = dispatch.ReportFailed, sent.reason()
	default:
		return dispatch.Report{}, fmt.Errorf("read fax callback: %w", ErrNothingReported)
	}
	return report, nil
}

// reason returns the type and the number of the error. CALL_ERROR-17, for example,
// is a busy line.
func (f fax) reason() string {
	reason := safeCode(f.ErrorType)
	if f.ErrorCode != "" {
		reason += "-" + safeCode(f.ErrorCode.String())
	}
	return reason
}

// faxID returns the ID from either form of a callback, or "".
func faxID(contentType string, body []byte) string {
	var event struct{ Fax struct{ ID string } }
	media, params, _ := mime.ParseMediaType(contentType)
	switch media {
	case "application/json":
		_ = json.Unmarshal(body, &event)
	case "multipart/form-data":
		parts := multipart.NewReader(bytes.NewReader(body), params["boundary"])
		for part, err := parts.NextPart(); err == nil; part, err = parts.NextPart() {
			if part.FormName() == "fax" {
				_ = json.NewDecoder(io.LimitReader(part, maxFaxPart)).Decode(&event.Fax)
				break
			}
		}
	}
	return event.Fax.ID
}
