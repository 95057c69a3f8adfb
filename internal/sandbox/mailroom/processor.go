package mailroom

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"aviso/internal/outcome"
)

// Step is something that is to happen to a letter later.
type Step struct {
	LetterID string `json:"letterId"`
	// From is the state that the step leads out of. A step with a NoticeID leads
	// nowhere but tells the service.
	From     State  `json:"from,omitempty"`
	NoticeID string `json:"noticeId,omitempty"`
	// Attempt counts the attempts to tell, from 0.
	Attempt int       `json:"attempt,omitempty"`
	Due     time.Time `json:"due"`
}

// Later brings steps back.
type Scheduler interface {
	// Later has Processor.Advance called with the step after some time, from 0 to
	// MaxDelay. More than once, or late, is fine.
	Schedule(ctx context.Context, after time.Duration, step Step) error
}

// MaxDelay is the longest that a step is asked for at once: what SQS delays.
// What comes later still is asked for again and again.
const MaxDelay = 15 * time.Minute

// Driver is all that the mailroom knows of a carrier.
type Driver interface {
	// Wait is how long a letter stays in its state by itself, and false where it
	// stays for good.
	Wait(l Letter) (time.Duration, bool)
	// Move takes the letter out of its state, given its document.
	Advance(l *Letter, document []byte, at time.Time)
	// Order makes of the letter what somebody ordered (deliver, bounce, reject),
	// or answers a *layout.Problem.
	Apply(l *Letter, action string, at time.Time) error
	// Message is a notice to the service as a request.
	Callback(ctx context.Context, l Letter, n Notice, document []byte) (*http.Request, error)
	// RetryDelay is how long to wait after so many attempts, and false after the last.
	RetryDelay(attempts int) (time.Duration, bool)
	// Authenticate answers a *APIError to who may not call the interface.
	Authenticate(r *http.Request) error
	// Refuse puts a refusal in the carrier's own words.
	ErrorReply(e *APIError) Reply
}

// Processor moves letters on.
type Processor struct {
	Store     Store
	Scheduler Scheduler
	Now       func() time.Time
	Log       *slog.Logger
	// Client sends notices: no redirects, at most 10 s.
	Client  *http.Client
	Drivers map[Carrier]Driver
}

// NewClient is a client as Processor wants it.
func NewClient() *http.Client {
	return &http.Client{
		Timeout:       10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Receive takes in a new letter with its document and further records. Its first
// step is asked for before it is kept: a letter that nothing moves would be worse
// than a step that finds no letter.
func (c *Processor) Receive(ctx context.Context, l Letter, more ...Record) error {
	if err := c.scheduleNext(ctx, l); err != nil {
		return err
	}
	if err := c.Store.Save(ctx, append([]Record{l}, more...)...); err != nil {
		return fmt.Errorf("save letter: %w", err)
	}
	return nil
}

// Change keeps a letter that something was done to, with further records, and
// asks for what follows.
func (c *Processor) Change(ctx context.Context, l Letter, more ...Record) error {
	if err := c.Store.Save(ctx, append([]Record{l}, more...)...); err != nil {
		return fmt.Errorf("save letter: %w", err)
	}
	return c.scheduleFollowUps(ctx, l)
}

// grace is how long a step may find no letter: it can come before its letter is
// kept. After that the letter has been deleted.
const grace = time.Minute

// Advance does a step. Doing it twice changes nothing.
func (c *Processor) Advance(ctx context.Context, s Step) error {
	l, err := c.Store.Letter(ctx, s.LetterID)
	now := c.Now()
	if errors.Is(err, outcome.ErrNotFound) && now.After(s.Due.Add(grace)) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read letter: %w", err)
	}
	switch {
	case l.Lost():
		return nil
	case s.NoticeID == "" && l.HeldUntil.After(s.Due) && l.State == s.From:
		s.Due = l.HeldUntil
	}
	switch {
	case now.Before(s.Due):
		return c.schedule(ctx, s)
	case s.NoticeID != "":
		return c.notify(ctx, l, s)
	case l.State == s.From:
		if l, err = c.advance(ctx, l, now); err != nil {
			return err
		}
	}
	// What follows is asked for even when nothing changed: whoever changed it may
	// have broken off before asking.
	return c.scheduleFollowUps(ctx, l)
}

func (c *Processor) advance(ctx context.Context, l Letter, now time.Time) (Letter, error) {
	content, err := c.document(ctx, l)
	if err != nil {
		return l, err
	}
	c.Drivers[l.Carrier].Advance(&l, content, now)
	if err := c.Store.Save(ctx, l); err != nil {
		return l, fmt.Errorf("save letter: %w", err)
	}
	return l, nil
}

// document is empty where it was deleted.
func (c *Processor) document(ctx context.Context, l Letter) ([]byte, error) {
	if !l.HasFile {
		return nil, nil
	}
	d, err := c.Store.Document(ctx, l.ID)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return nil, fmt.Errorf("read document: %w", err)
	}
	return d.Content, nil
}

// follow asks for what comes after the letter's state, and for what the service
// is to be noticeItem.
func (c *Processor) scheduleFollowUps(ctx context.Context, l Letter) error {
	if l.Lost() {
		return nil
	}
	for _, n := range l.Notices {
		if n.Attempts == 0 && !n.Acknowledged {
			if err := c.schedule(ctx, Step{LetterID: l.ID, NoticeID: n.ID, Due: c.Now()}); err != nil {
				return err
			}
		}
	}
	return c.scheduleNext(ctx, l)
}

// next asks for the next step of the letter, if there is one.
func (c *Processor) scheduleNext(ctx context.Context, l Letter) error {
	wait, moves := c.Drivers[l.Carrier].Wait(l)
	if !moves {
		return nil
	}
	return c.schedule(ctx, Step{LetterID: l.ID, From: l.State, Due: l.UpdatedAt.Add(wait)})
}

// ask asks for a step when it is due, or on the way there.
func (c *Processor) schedule(ctx context.Context, s Step) error {
	after := min(max(s.Due.Sub(c.Now()), 0), MaxDelay)
	if err := c.Scheduler.Schedule(ctx, after, s); err != nil {
		return fmt.Errorf("ask for a step: %w", err)
	}
	return nil
}
