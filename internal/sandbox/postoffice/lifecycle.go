package postoffice

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"aviso/internal/sandbox/layout"
	"aviso/internal/sandbox/mailroom"
)

// These are the states of a letter, as Pingen calls them.
const (
	validating     mailroom.State = "validating"
	valid          mailroom.State = "valid"
	actionRequired mailroom.State = "action_required"
	unreadable     mailroom.State = "invalid"
	submitted      mailroom.State = "submitted"
	processing     mailroom.State = "processing"
	sent           mailroom.State = "sent"
	delivered      mailroom.State = "delivered"
	undeliverable  mailroom.State = "undeliverable"
	rejected       mailroom.State = "rejected"
	cancelling     mailroom.State = "cancelling"
	cancelled      mailroom.State = "cancelled"
)

// maxPages is the maximum number of pages in a letter.
const maxPages = 99

// Wait returns how long a letter stays in its state.
func (*Server) Wait(l mailroom.Letter) (time.Duration, bool) {
	switch l.State {
	case validating, submitted, cancelling:
		return time.Second, true
	case processing:
		return 2 * time.Second, true
	case sent:
		return 2 * time.Second, l.How == mailroom.RegisteredMail || l.Fate == mailroom.Bounce
	default:
		return 0, false
	}
}

// Advance moves a letter to its next state.
func (s *Server) Advance(l *mailroom.Letter, document []byte, at time.Time) {
	at = at.UTC()
	reject := l.Fate == mailroom.Reject
	switch l.State {
	case validating:
		s.validate(l, document, reject, at)
	case submitted, processing:
		switch {
		case reject || strings.HasSuffix(l.FileName, "_simulate_unprintable.pdf"):
			s.reject(l, at)
		case l.State == submitted:
			l.SetState(processing, at)
		default:
			s.dispatch(l, at)
		}
	case sent:
		if l.Fate == mailroom.Bounce {
			s.bounce(l, at)
		} else {
			s.deliver(l, at)
		}
	case cancelling:
		l.SetState(cancelled, at)
		l.CompletedAt = at
	default:
	}
}

// addressee removes the sender's return line, which is one line above the address with
// parts separated by dots.
func addressee(window string) string {
	first, rest, more := strings.Cut(window, "\n")
	if more && strings.Contains(first, " · ") {
		return rest
	}
	return window
}

// validate checks the document as the package comment describes.
func (s *Server) validate(l *mailroom.Letter, document []byte, reject bool, at time.Time) {
	sheet, err := mailroom.Inspect(document)
	var window string
	if err == nil {
		l.Pages = sheet.Pages
		window, err = mailroom.Window(document, l.Posted.AddressPosition == "right")
	}
	l.To = addressee(window)
	state, code, reason := valid, "", ""
	switch {
	case err != nil:
		state, code, reason = unreadable, "file_not_readable", "File is not readable"
	case reject:
		state, code, reason = actionRequired, "content_failed_inspection", "Content failed inspection"
	case sheet.Pages > maxPages:
		state, code, reason = actionRequired, "file_too_many_pages", "Page limit exceeded"
	case !sheet.A4:
		state, code, reason = actionRequired, "file_not_a4_portrait", "File is not A4 portrait"
	case window == "":
		state, code, reason = actionRequired, "address_not_found", "Address not found"
	}
	l.SetState(state, at)
	if code != "" {
		l.AddNotice(s.NewID(), "issues", code, reason)
		return
	}
	if l.Posted.AutoSend {
		submit(l, at)
	}
}

// submit submits a valid letter.
func submit(l *mailroom.Letter, at time.Time) {
	l.SetState(submitted, at)
	l.SubmittedAt = at
	switch {
	case strings.HasSuffix(l.FileName, "_simulate_cancellable.pdf"):
		l.HeldUntil = at.Add(10 * time.Minute)
	case strings.HasSuffix(l.FileName, "_simulate_undeliverable.pdf") && l.Fate == "":
		l.Fate = mailroom.Bounce
	}
}

func (s *Server) dispatch(l *mailroom.Letter, at time.Time) {
	l.SetState(sent, at)
	if l.How == mailroom.RegisteredMail {
		l.Posted.TrackingNumber = trackingNumber(l.ID)
	}
	l.AddNotice(s.NewID(), "sent", "transferred_to_distributor", "")
}

func (s *Server) deliver(l *mailroom.Letter, at time.Time) {
	l.SetState(delivered, at)
	l.CompletedAt = at
	l.AddNotice(s.NewID(), "delivered", "delivered", "")
}

func (s *Server) bounce(l *mailroom.Letter, at time.Time) {
	l.SetState(undeliverable, at)
	l.CompletedAt = at
	l.AddNotice(s.NewID(), "undeliverable", "undeliverable",
		"Recipient could not be determined at the specified address.")
}

func (s *Server) reject(l *mailroom.Letter, at time.Time) {
	l.SetState(rejected, at)
	l.CompletedAt = at
	l.AddNotice(s.NewID(), "issues", "content_failed_inspection", "Content failed inspection")
}

// Apply applies a developer's command to a letter.
func (s *Server) Apply(l *mailroom.Letter, action string, at time.Time) error {
	inProduction := l.State == submitted || l.State == processing
	switch {
	case action == "reject" && l.State == validating:
		l.SetState(actionRequired, at)
		l.AddNotice(s.NewID(), "issues", "content_failed_inspection", "Content failed inspection")
	case action == "reject" && inProduction:
		s.reject(l, at)
	case action == "reject":
		return layout.Conflict("Only a letter that is being validated or printed can be rejected.")
	case !inProduction && l.State != sent:
		return layout.Conflict("Only a letter that is being printed or was sent can be delivered or returned.")
	case action == "deliver":
		if inProduction {
			s.dispatch(l, at)
		}
		s.deliver(l, at)
	default:
		if inProduction {
			s.dispatch(l, at)
		}
		s.bounce(l, at)
	}
	return nil
}

// deletable reports whether a letter in this state can be deleted.
func deletable(state mailroom.State) bool {
	return !mailroom.OneOf(string(state), "validating submitted processing printing cancelling")
}

// trackingNumber returns a number in the format of Swiss Post.
func trackingNumber(id string) string {
	sum := sha256.Sum256([]byte(id))
	n := binary.BigEndian.Uint64(sum[:8])
	return fmt.Sprintf("98.%02d.%06d.%08d", n%100, n/100%1_000_000, n/100_000_000%100_000_000)
}
