package aviso

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// WebhookVerificationError is a callback that is not Aviso's, too old, or cannot be read: answer 401.
type WebhookVerificationError struct {
	// Reason is one of the constants whose names begin with Reason.
	Reason string

	text string
}

// The reasons of a WebhookVerificationError.
const (
	ReasonHeaderMissing     = "header_missing"
	ReasonTimestampInvalid  = "timestamp_invalid"
	ReasonTimestampTooOld   = "timestamp_too_old"
	ReasonTimestampTooNew   = "timestamp_too_new"
	ReasonSignatureMismatch = "signature_mismatch"
	ReasonPayloadInvalid    = "payload_invalid"
)

// Error says why the callback is refused.
func (e *WebhookVerificationError) Error() string { return "aviso: " + e.text }

var errSecret = errors.New("aviso: the webhook secret must be given as it was issued, with whsec_")

const (
	tolerance   = 5 * time.Minute
	maxCallback = 1 << 20
)

// Event is the body of a callback: something that happened to a user.
type Event struct {
	// EventID is the same each time the event is sent: compare it to recognize duplicates.
	EventID     string    `json:"eventId"`
	EventType   string    `json:"eventType"`
	OccurredAt  time.Time `json:"occurredAt"`
	Environment string    `json:"environment"`
	// IsSimulated is true if nothing has really happened.
	IsSimulated bool   `json:"isSimulated"`
	UserID      string `json:"userId"`
	// Data has the type of the event: TransactionsUpdatedEventData for transactions.updated.
	// It is a json.RawMessage for types that are newer than this package.
	Data any `json:"-"`
}

// Verify checks that Aviso has sent the callback, and returns its event, or else a
// *WebhookVerificationError. Pass the body as it was received, and every secret that may have
// signed it: two while you rotate them. Empty secrets are ignored if there is another.
func Verify(body []byte, header http.Header, secrets ...string) (*Event, error) {
	keys, err := keysOf(secrets)
	if err != nil {
		return nil, err
	}
	return verify(body, header, keys)
}

// keysOf returns the keys of the secrets. Its error never has a secret.
func keysOf(secrets []string) ([][]byte, error) {
	var keys [][]byte
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		text, found := strings.CutPrefix(secret, "whsec_")
		key, err := base64.StdEncoding.DecodeString(text)
		if !found || err != nil || len(key) == 0 {
			return nil, errSecret
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return nil, errSecret
	}
	return keys, nil
}

func verify(body []byte, header http.Header, keys [][]byte) (*Event, error) {
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		if header.Get(name) == "" {
			return nil, &WebhookVerificationError{ReasonHeaderMissing, name + " is missing"}
		}
	}
	if err := checkTime(header.Get("Webhook-Timestamp")); err != nil {
		return nil, err
	}
	valid := false
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.", header.Get("Webhook-Id"), header.Get("Webhook-Timestamp"))
		mac.Write(body)
		want := base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for signature := range strings.FieldsSeq(header.Get("Webhook-Signature")) {
			valid = hmac.Equal([]byte(signature), []byte("v1,"+want)) || valid
		}
	}
	if !valid {
		return nil, &WebhookVerificationError{ReasonSignatureMismatch,
			"no signature matches: the secret is of another subscription, or the body was changed"}
	}
	event, err := decode[struct {
		Event
		Data json.RawMessage `json:"data"`
	}](body)
	if err == nil {
		event.Event.Data, err = decodeEventData(event.EventType, event.Data)
	}
	if err != nil {
		return nil, &WebhookVerificationError{ReasonPayloadInvalid, "the callback is not an event: " + err.Error()}
	}
	return &event.Event, nil
}

func checkTime(timestamp string) error {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return &WebhookVerificationError{ReasonTimestampInvalid, "webhook-timestamp is not a number of seconds"}
	}
	switch age := time.Since(time.Unix(seconds, 0)); {
	case age > tolerance:
		return &WebhookVerificationError{ReasonTimestampTooOld, "the callback was signed more than 5 minutes ago"}
	case age < -tolerance:
		return &WebhookVerificationError{ReasonTimestampTooNew, "the callback was signed more than 5 minutes in the future"}
	}
	return nil
}

// Receiver returns a handler for callbacks. It verifies each one, calls handle, and acknowledges
// the event if handle returns nil. Otherwise Aviso sends the event again. handle has to be quick:
// let it store the event, and process it afterwards. What goes wrong is logged with slog. A GET
// comes from a user who returns from the bank, and gets a page with thanks.
//
// Receiver returns an error if a secret has the wrong form.
func Receiver(handle func(*http.Request, *Event) error, secrets ...string) (http.Handler, error) {
	keys, err := keysOf(secrets)
	if err != nil {
		return nil, err
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, "Thank you.")
			return
		}
		refuse := func(status int, text string, err error) {
			slog.WarnContext(r.Context(), "aviso: a callback is not acknowledged", "error", err)
			http.Error(w, text, status)
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxCallback))
		if err != nil {
			refuse(http.StatusBadRequest, "The body cannot be read.", err)
			return
		}
		event, err := verify(body, r.Header, keys)
		if err != nil {
			refuse(http.StatusUnauthorized, err.Error(), err)
			return
		}
		if err := handle(r, event); err != nil {
			refuse(http.StatusInternalServerError, "The event was not stored.", err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(EventAcknowledgement{IsAcknowledged: true, Timestamp: time.Now().UTC()})
	}), nil
}
