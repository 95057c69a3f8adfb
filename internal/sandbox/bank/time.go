package bank

import (
	"errors"
	"net/http"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
)

// now returns the time of the customer whom a request is for.
func (s *server) now(r *http.Request) time.Time { return clock.Now(r.Context(), s.Now) }

// inTime returns r with the time of the consent's customer, which the service has told with this
// request or with an earlier one.
func inTime(r *http.Request, c Consent) *http.Request {
	if clock.From(r.Context()) != (clock.Setting{}) {
		return r
	}
	return r.WithContext(clock.With(r.Context(), clock.Setting{Ahead: c.Ahead}))
}

// sameTime is more than what lies between two requests at a time that stands still, or that they
// take: it is not worth a write.
const sameTime = time.Minute

// keepTime reads a consent, and keeps on it the time that the service has told.
func (s *server) keepTime(r *http.Request, read func() (Consent, error)) (Consent, error) {
	told := clock.From(r.Context()).Ahead
	for {
		c, err := read()
		if err != nil || told == 0 || (told-c.Ahead).Abs() < sameTime {
			return c, err
		}
		c.Ahead = told
		if err = s.Store.Save(r.Context(), c); !errors.Is(err, outcome.ErrChanged) {
			c.Version++
			return c, err
		}
	}
}
