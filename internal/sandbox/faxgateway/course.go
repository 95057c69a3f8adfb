package faxgateway

import (
	"time"

	"aviso/internal/sandbox/mailroom"
)

// The states of a fax, as Sinch names them.
const (
	queued     mailroom.State = "QUEUED"
	inProgress mailroom.State = "IN_PROGRESS"
	completed  mailroom.State = "COMPLETED"
	failure    mailroom.State = "FAILURE"
)

// Course is the way of faxes.
type Course struct {
	// NewID makes UUIDs.
	NewID func() string
}

// Wait is how long a fax stays in its state.
func (Course) Wait(l mailroom.Letter) (time.Duration, bool) {
	switch l.State {
	case queued:
		return time.Second, true
	case inProgress:
		return 2 * time.Second, true
	default:
		return 0, false
	}
}

// Move takes a fax out of its state.
func (c Course) Move(l *mailroom.Letter, _ []byte, at time.Time) {
	at = at.UTC()
	switch l.State {
	case queued:
		l.Enter(inProgress, at)
	case inProgress:
		switch {
		case len(l.Faxed.ContentURLs) > 0:
			c.fail(l, at, "DOCUMENT_CONVERSION_ERROR", 54, "Could not access the url you provided.")
		case l.Pages == 0:
			c.fail(l, at, "DOCUMENT_CONVERSION_ERROR", 129, "Mimetype not supported.")
		case l.Fate == mailroom.Reject:
			c.reject(l, at)
		case l.Fate == mailroom.Bounce:
			c.bounce(l, at)
		default:
			c.complete(l, at)
		}
	default:
	}
}

func (c Course) complete(l *mailroom.Letter, at time.Time) {
	l.CompletedAt = at
	l.Enter(completed, at)
	c.tell(l)
}

func (c Course) reject(l *mailroom.Letter, at time.Time) {
	c.fail(l, at, "CALL_ERROR", 34, "Phone number not operational")
}

// bounce fails after all retries.
func (c Course) bounce(l *mailroom.Letter, at time.Time) {
	l.Faxed.RetryCount = l.Faxed.MaxRetries
	c.fail(l, at, "CALL_ERROR", 17, "Busy")
}

func (c Course) fail(l *mailroom.Letter, at time.Time, kind string, code int, message string) {
	l.CompletedAt = at
	l.Faxed.ErrorType, l.Faxed.ErrorCode, l.Faxed.ErrorMessage = kind, code, message
	l.Enter(failure, at)
	c.tell(l)
}

// tell notes a callback, where one was asked for.
func (c Course) tell(l *mailroom.Letter) {
	if l.Faxed.CallbackURL != "" {
		l.Tell(c.NewID(), "FAX_COMPLETED", "", l.Faxed.ErrorMessage)
	}
}

// Order makes of a fax what was ordered.
func (c Course) Order(l *mailroom.Letter, action string, at time.Time) error {
	switch {
	case l.State != queued && l.State != inProgress:
		return mailroom.NotNow("The fax has ended.")
	case action == "deliver":
		c.complete(l, at)
	case action == "reject":
		c.reject(l, at)
	default:
		c.bounce(l, at)
	}
	return nil
}
