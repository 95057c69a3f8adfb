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
type Later interface {
	// Later has Clerk.Advance called with the step after some time, from 0 to
	// MaxLater. More than once, or late, is fine.
	Later(ctx context.Context, after time.Duration, step Step) error
}

// MaxLater is the longest that a step is asked for at once: what SQS delays.
// What comes later still is asked for again and again.
const MaxLater = 15 * time.Minute

// Handling is all that the mailroom knows of a carrier.
type Handling interface {
	// Wait is how long a letter stays in its state by itself, and false where it
	// stays for good.
	Wait(l Letter) (time.Duration, bool)
	// Move takes the letter out of its state, given its document.
	Move(l *Letter, document []byte, at time.Time)
	// Order makes of the letter what somebody ordered (deliver, bounce, reject),
	// or answers a *layout.Problem.
	Order(l *Letter, action string, at time.Time) error
	// Message is a notice to the service as a request.
	Message(ctx context.Context, l Letter, n Notice, document []byte) (*http.Request, error)
	// Pause is how long to wait after so many attempts, and false after the last.
	Pause(attempts int) (time.Duration, bool)
	// Admit answers a *Refusal to who may not call the interface.
	Admit(r *http.Request) error
	// Refuse puts a refusal in the carrier's own words.
	Refuse(no *Refusal) Reply
}

// Clerk moves letters on.
type Clerk struct {
	Store Store
	Later Later
	Now   func() time.Time
	Log   *slog.Logger
	// Client sends notices: no redirects, at most 10 s.
	Client   *http.Client
	Handling map[Carrier]Handling
}

// NewClient is a client as Clerk wants it.
func NewClient() *http.Client {
	return &http.Client{
		Timeout:       10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Receive takes in a new letter with its document and further records. Its first
// step is asked for before it is kept: a letter that nothing moves would be worse
// than a step that finds no letter.
func (c *Clerk) Receive(ctx context.Context, l Letter, more ...Record) error {
	if err := c.next(ctx, l); err != nil {
		return err
	}
	if err := c.Store.Save(ctx, append([]Record{l}, more...)...); err != nil {
		return fmt.Errorf("save letter: %w", err)
	}
	return nil
}

// Change keeps a letter that something was done to, with further records, and
// asks for what follows.
func (c *Clerk) Change(ctx context.Context, l Letter, more ...Record) error {
	if err := c.Store.Save(ctx, append([]Record{l}, more...)...); err != nil {
		return fmt.Errorf("save letter: %w", err)
	}
	return c.follow(ctx, l)
}

// grace is how long a step may find no letter: it can come before its letter is
// kept. After that the letter has been deleted.
const grace = time.Minute

// Advance does a step. Doing it twice changes nothing.
func (c *Clerk) Advance(ctx context.Context, s Step) error {
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
		return c.ask(ctx, s)
	case s.NoticeID != "":
		return c.tell(ctx, l, s)
	case l.State == s.From:
		if l, err = c.move(ctx, l, now); err != nil {
			return err
		}
	}
	// What follows is asked for even when nothing changed: whoever changed it may
	// have broken off before asking.
	return c.follow(ctx, l)
}

func (c *Clerk) move(ctx context.Context, l Letter, now time.Time) (Letter, error) {
	content, err := c.document(ctx, l)
	if err != nil {
		return l, err
	}
	c.Handling[l.Carrier].Move(&l, content, now)
	if err := c.Store.Save(ctx, l); err != nil {
		return l, fmt.Errorf("save letter: %w", err)
	}
	return l, nil
}

// document is empty where it was deleted.
func (c *Clerk) document(ctx context.Context, l Letter) ([]byte, error) {
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
// is to be told.
func (c *Clerk) follow(ctx context.Context, l Letter) error {
	if l.Lost() {
		return nil
	}
	for _, n := range l.Notices {
		if n.Attempts == 0 && !n.Acknowledged {
			if err := c.ask(ctx, Step{LetterID: l.ID, NoticeID: n.ID, Due: c.Now()}); err != nil {
				return err
			}
		}
	}
	return c.next(ctx, l)
}

// next asks for the next step of the letter, if there is one.
func (c *Clerk) next(ctx context.Context, l Letter) error {
	wait, moves := c.Handling[l.Carrier].Wait(l)
	if !moves {
		return nil
	}
	return c.ask(ctx, Step{LetterID: l.ID, From: l.State, Due: l.UpdatedAt.Add(wait)})
}

// ask asks for a step when it is due, or on the way there.
func (c *Clerk) ask(ctx context.Context, s Step) error {
	after := min(max(s.Due.Sub(c.Now()), 0), MaxLater)
	if err := c.Later.Later(ctx, after, s); err != nil {
		return fmt.Errorf("ask for a step: %w", err)
	}
	return nil
}
