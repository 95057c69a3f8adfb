// Package receiver acknowledges every callback. Partners whose machines have no public
// address subscribe it, and read what was sent in the attempts.
package receiver

import (
	"encoding/json"
	"net/http"
	"time"
)

// Path is the path of the receiver.
const Path = "/sandbox/receiver"

// acknowledgement is what receivers answer.
type acknowledgement struct {
	IsAcknowledged bool      `json:"isAcknowledged"`
	Timestamp      time.Time `json:"timestamp"`
}

// New returns the receiver. It neither reads nor keeps what it gets.
func New(now func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(acknowledgement{true, now().UTC()}) // fails only if the caller has gone
	})
}
