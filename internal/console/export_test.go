package console

import (
	"net/http"
	"net/http/httptest"
)

// SessionCookie is the name of the cookie where there is HTTPS.
const SessionCookie = "__Host-" + sessionCookie

// SealSession returns the cookie of a session.
func (c *Console) SealSession(s Session) *http.Cookie {
	w := httptest.NewRecorder()
	c.keep(w, s)
	return w.Result().Cookies()[0]
}

// StoryOf tells an event in words.
func StoryOf(eventType string) Story { return storyOf(eventType) }

// ConnectionWords and CancellationWords return "status reason" of each state that has words.
func ConnectionWords() []string {
	var states []string
	for s := range connectionWords() {
		states = append(states, string(s.status)+" "+string(s.reason))
	}
	return states
}

// CancellationWords is ConnectionWords for cancellations.
func CancellationWords() []string {
	var states []string
	for s := range cancellationWords() {
		states = append(states, string(s.status)+" "+string(s.reason))
	}
	return states
}
