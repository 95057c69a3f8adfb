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
