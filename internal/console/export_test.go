package console

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
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
func StoryOf(eventType string) Advice { return storyOf(eventType) }

// ConnectionWords and CancellationWords return "status reason" of each state that has words.
func ConnectionWords() []string { return slices.Collect(maps.Keys(allWords().Connections)) }

// CancellationWords is ConnectionWords for cancellations.
func CancellationWords() []string { return slices.Collect(maps.Keys(allWords().Cancellations)) }
