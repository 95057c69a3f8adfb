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

// Step is a future change to a letter.
type Step struct {
	LetterID string `json:"letterId"`
	// From is the state that the step ends. A step with a NoticeID changes no state but
	// notifies the service.
	From     State  `json:"from,omitempty"`
	NoticeID string `json:"noticeId,omitempty"`
	// Attempt counts the earlier attempts to notify.
	Attempt int `json:"attempt,omitempty"`
	// Due is in real time.
	Due time.Time `json:"due"`
}

// Scheduler delivers steps later.
type Scheduler interface {
	// Schedule calls Processor.Advance with the step after a delay from 0 to MaxDelay. It
	// may do so late or more than once.
	Schedule(ctx context.Context, after time.Duration, step Step) error
}

// MaxDelay is the longest delay of a step, which is the limit of SQS. A step that is due
// later is rescheduled until then.
const MaxDelay = 15 * time.Minute

// Driver implements what differs between carriers.
type Driver interface {
	// Wait returns how long a letter stays in its state, and false if the state is final.
	Wait(l Letter) (time.Duration, bool)
	// Advance moves the letter to its next state, given its document.
	Advance(l *Letter, document []byte, at time.Time)
	// Apply applies a developer's command (deliver, bounce, reject). It may return a
	// *layout.Problem.
	Apply(l *Letter, action string, at time.Time) error
	// Callback returns the request that notifies the service.
	Callback(ctx context.Context, l Letter, n Notice, document []byte) (*http.Request, error)
	// RetryDelay returns how long to wait after this many attempts, and false after the
	// last.
	RetryDelay(attempts int) (time.Duration, bool)
	// Authenticate returns an *APIError if the caller may not use the interface.
	Authenticate(r *http.Request) error
	// ErrorReply formats an error as the carrier does.
	ErrorReply(e *APIError) Reply
}

// Processor takes letters through their states.
type Processor struct {
	Store     Store
	Scheduler Scheduler
	Now       func() time.Time
	Log       *slog.Logger
	// Client sends notices, without redirects and with a timeout of 10 s.
	Client  *http.Client
	Drivers map[Carrier]Driver
	// PerPartner is set if each partner chooses the behaviour with its own letters.
	PerPartner bool
}

// NewClient returns a client for Processor.
func NewClient() *http.Client {
	return &http.Client{
		Timeout:       10 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Receive stores a new letter with its document and other records. It schedules the first
// step before it stores the letter: a step without a letter does no harm, but a letter
// without a step would never move.
func (p *Processor) Receive(ctx context.Context, l Letter, more ...Record) error {
	if err := p.scheduleNext(ctx, l); err != nil {
		return err
	}
	if err := p.Store.Save(ctx, append([]Record{l}, more...)...); err != nil {
		return fmt.Errorf("save letter: %w", err)
	}
	return nil
}

// Change stores a changed letter with other records and schedules what follows.
func (p *Processor) Change(ctx context.Context, l Letter, more ...Record) error {
	if err := p.Store.Save(ctx, append([]Record{l}, more...)...); err != nil {
		return fmt.Errorf("save letter: %w", err)
	}
	return p.scheduleFollowUps(ctx, l)
}

// grace is how long a step waits for its letter, since it can arrive before the letter is
// stored. After that the letter was deleted.
const grace = time.Minute

// Advance runs a step. Running it twice changes nothing.
func (p *Processor) Advance(ctx context.Context, s Step) error {
	l, err := p.Store.Letter(ctx, s.LetterID)
	now := p.Now()
	if errors.Is(err, outcome.ErrNotFound) && now.After(s.Due.Add(grace)) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read letter: %w", err)
	}
	switch {
	case l.Lost():
		return nil
	case s.NoticeID == "" && l.State == s.From:
		if next, moves := p.move(l); moves { // it may be due at another time by now
			s = next
		}
	}
	switch {
	case now.Before(s.Due):
		return p.schedule(ctx, s)
	case s.NoticeID != "":
		return p.notify(ctx, l, s)
	case l.State == s.From:
		if l, err = p.advance(ctx, l); err != nil {
			return err
		}
	}
	// Schedule the follow-ups even if nothing changed: an earlier run may have failed
	// between the change and the scheduling.
	return p.scheduleFollowUps(ctx, l)
}

func (p *Processor) advance(ctx context.Context, l Letter) (Letter, error) {
	content, err := p.document(ctx, l)
	if err != nil {
		return l, err
	}
	p.Drivers[l.Carrier].Advance(&l, content, p.TimeOf(ctx, l))
	if err := p.Store.Save(ctx, l); err != nil {
		return l, fmt.Errorf("save letter: %w", err)
	}
	return l, nil
}

// document returns the letter's document, or nothing if it was deleted.
func (p *Processor) document(ctx context.Context, l Letter) ([]byte, error) {
	if !l.HasFile {
		return nil, nil
	}
	d, err := p.Store.Document(ctx, l.ID)
	if err != nil && !errors.Is(err, outcome.ErrNotFound) {
		return nil, fmt.Errorf("read document: %w", err)
	}
	return d.Content, nil
}

// scheduleFollowUps schedules the letter's next step and its notices to the service.
func (p *Processor) scheduleFollowUps(ctx context.Context, l Letter) error {
	if l.Lost() {
		return nil
	}
	for _, n := range l.Notices {
		if n.Attempts == 0 && !n.Acknowledged {
			if err := p.schedule(ctx, Step{LetterID: l.ID, NoticeID: n.ID, Due: p.Now()}); err != nil {
				return err
			}
		}
	}
	return p.scheduleNext(ctx, l)
}

// scheduleNext schedules the next step of the letter, if there is one.
func (p *Processor) scheduleNext(ctx context.Context, l Letter) error {
	next, moves := p.move(l)
	if !moves {
		return nil
	}
	return p.schedule(ctx, next)
}

// schedule schedules a step for when it is due, or an earlier wake-up if that is too far
// away.
func (p *Processor) schedule(ctx context.Context, s Step) error {
	after := min(max(s.Due.Sub(p.Now()), 0), MaxDelay)
	if err := p.Scheduler.Schedule(ctx, after, s); err != nil {
		return fmt.Errorf("schedule step: %w", err)
	}
	return nil
}
