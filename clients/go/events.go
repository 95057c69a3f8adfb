package aviso

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The reasons why Verify refuses a callback, for errors.Is.
var (
	ErrSignature = errors.New("aviso: no signature of the callback is valid")
	ErrTimestamp = errors.New("aviso: the callback was not signed in the last five minutes")
)

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

// Verify checks that Aviso has sent the callback, and returns its event. Pass the body as it
// was received, and every secret that may have signed it: two while you rotate them. Empty
// secrets are ignored.
func Verify(body []byte, header http.Header, secrets ...string) (*Event, error) {
	sent, err := strconv.ParseInt(header.Get("Webhook-Timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(sent, 0)).Abs() > tolerance {
		return nil, ErrTimestamp
	}
	secrets = slices.DeleteFunc(slices.Clone(secrets), func(secret string) bool { return secret == "" })
	if len(secrets) == 0 {
		return nil, errors.New("aviso: Verify needs a secret")
	}
	valid := false
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return nil, errors.New("aviso: a secret is whsec_ and base64")
		}
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.", header.Get("Webhook-Id"), header.Get("Webhook-Timestamp"))
		mac.Write(body)
		want := base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for signature := range strings.FieldsSeq(header.Get("Webhook-Signature")) {
			valid = hmac.Equal([]byte(signature), []byte("v1,"+want)) || valid
		}
	}
	if !valid {
		return nil, ErrSignature
	}
	event, err := decode[struct {
		Event
		Data json.RawMessage `json:"data"`
	}](body)
	if err == nil {
		event.Event.Data, err = decodeEventData(event.EventType, event.Data)
	}
	if err != nil {
		return nil, fmt.Errorf("aviso: the callback cannot be read: %w", err)
	}
	return &event.Event, nil
}

// Receiver returns a handler for callbacks. It verifies each one, calls handle, and acknowledges
// the event if handle returns nil. Otherwise Aviso sends the event again. handle has to be quick:
// let it store the event, and process it afterwards.
func Receiver(handle func(*http.Request, *Event) error, secrets ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxCallback))
		if err != nil {
			http.Error(w, "The body cannot be read.", http.StatusBadRequest)
			return
		}
		event, err := Verify(body, r.Header, secrets...)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		if err := handle(r, event); err != nil {
			http.Error(w, "The event was not stored.", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(EventAcknowledgement{IsAcknowledged: true, Timestamp: time.Now().UTC()})
	})
}
