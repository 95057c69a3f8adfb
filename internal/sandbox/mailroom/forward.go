package mailroom

import (
	"encoding/json"
	"net/http"
	"time"

	"aviso/internal/clock"
)

// ForwardPath is the path of the call with which the service moves the time of a user's letters:
//
//	POST /sandbox/clock/letters
//	Authorization: Bearer <token>
//	{"references": [cancellation IDs], "until": "<the user's time>"}
//
// It answers {"nextDue": "<time>"}, without the member if nothing waits, and 400 or 401 for what
// cannot be taken; see Processor.Forward.
const ForwardPath = "/sandbox/clock/letters"

// maxForwardBody is more than the cancellations of a user.
const maxForwardBody = 256 << 10

// NewForward returns the handler for ForwardPath. Without a token it accepts nothing.
func NewForward(p *Processor, token string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !Bearer(r, token) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var body struct {
			References []string  `json:"references"`
			Until      time.Time `json:"until"`
		}
		read := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxForwardBody)).Decode(&body) == nil
		if !read || body.Until.After(p.Now().Add(clock.MaxAhead)) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		next, err := p.Forward(r.Context(), body.References, body.Until)
		if err != nil {
			p.Log.ErrorContext(r.Context(), "sandbox letters not moved", "error", err)
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(Encode(struct {
			NextDue time.Time `json:"nextDue,omitzero"`
		}{next.UTC()})) // nothing to do if the caller has gone
	})
}
