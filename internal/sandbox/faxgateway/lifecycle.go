package faxgateway

import (
	"time"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/mailroom"
)

// These are the states of a fax, as Sinch calls them.
const (
	queued     mailroom.State = "QUEUED"
	inProgress mailroom.State = "IN_PROGRESS"
	completed  mailroom.State = "COMPLETED"
	failure    mailroom.State = "FAILURE"
)

// Wait returns how long a fax stays in its state.
func (*Server) Wait(l mailroom.Letter) (time.Duration, bool) {
	switch l.State {
	case queued:
		return time.Second, true
	case inProgress:
		return 2 * time.Second, true
	default:
		return 0, false
	}
}

// Advance moves a fax to its next state.
func (s *Server) Advance(l *mailroom.Letter, _ []byte, at time.Time) {
	at = at.UTC()
	switch l.State {
	case queued:
		l.SetState(inProgress, at)
	case inProgress:
		switch {
		case len(l.Faxed.ContentURLs) > 0:
			s.fail(l, at, "DOCUMENT_CONVERSION_ERROR", 54, "Could not access the url you provided.")
		case l.Pages == 0:
			s.fail(l, at, "DOCUMENT_CONVERSION_ERROR", 129, "Mimetype not supported.")
		case l.Fate == mailroom.Reject:
			s.reject(l, at)
		case l.Fate == mailroom.Bounce:
			s.bounce(l, at)
		default:
			s.complete(l, at)
		}
	default:
	}
}

func (s *Server) complete(l *mailroom.Letter, at time.Time) {
	l.CompletedAt = at
	l.SetState(completed, at)
	s.notify(l)
}

func (s *Server) reject(l *mailroom.Letter, at time.Time) {
	s.fail(l, at, "CALL_ERROR", 34, "Phone number not operational")
}

// bounce fails the fax after all retries.
func (s *Server) bounce(l *mailroom.Letter, at time.Time) {
	l.Faxed.RetryCount = l.Faxed.MaxRetries
	s.fail(l, at, "CALL_ERROR", 17, "Busy")
}

func (s *Server) fail(l *mailroom.Letter, at time.Time, kind string, code int, message string) {
	l.CompletedAt = at
	l.Faxed.ErrorType, l.Faxed.ErrorCode, l.Faxed.ErrorMessage = kind, code, message
	l.SetState(failure, at)
	s.notify(l)
}

// notify adds a callback if one was requested.
func (s *Server) notify(l *mailroom.Letter) {
	if l.Faxed.CallbackURL != "" {
		l.AddNotice(s.NewID(), "FAX_COMPLETED", "", l.Faxed.ErrorMessage)
	}
}

// Apply applies a developer's command to a fax.
func (s *Server) Apply(l *mailroom.Letter, action string, at time.Time) error {
	switch {
	case l.State != queued && l.State != inProgress:
		return layout.Conflict("The fax is already complete.")
	case action == "deliver":
		s.complete(l, at)
	case action == "reject":
		s.reject(l, at)
	default:
		s.bounce(l, at)
	}
	return nil
}
