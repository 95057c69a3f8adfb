package mailroom

import (
	"context"
	"errors"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
)

// maxForward bounds the steps of one call, each of which may be a request to the service.
const maxForward = 20

// Forward runs what the letters of a user's cancellations wait for until a time of the user, in
// its order and each step at its own time. It returns when the next step is due, or zero if there
// is none. That may be before until, since one call runs a limited number of steps. If until is
// zero, nothing runs. The steps in the queue find their work done.
func (p *Processor) Forward(ctx context.Context, cancellations []string, until time.Time) (next time.Time, err error) {
	letters, err := p.of(ctx, cancellations...)
	if err == nil && !until.IsZero() {
		err = p.setAhead(ctx, letters, max(until.Sub(p.Now()), 0))
	}
	if err != nil {
		return next, err
	}
	moved := map[int]bool{}
	for range maxForward {
		i, step, due := p.first(letters)
		if i < 0 || due.After(until) {
			break
		}
		moved[i] = true
		if letters[i], err = p.runAt(ctx, letters[i], step, due); err != nil {
			return next, err
		}
	}
	for i := range moved {
		if err := p.scheduleSteps(ctx, letters[i], true); err != nil {
			return next, err
		}
	}
	_, _, next = p.first(letters)
	return next, nil
}

// first returns the letter with the earliest step, the step, and when it is due in the user's
// time. The letter is -1 if there is none.
func (p *Processor) first(letters []Letter) (letter int, step Step, due time.Time) {
	letter = -1
	for i, l := range letters {
		for _, s := range p.waiting(l) {
			if at := s.Due.Add(l.Ahead); letter < 0 || at.Before(due) {
				letter, step, due = i, s, at
			}
		}
	}
	return letter, step, due
}

// runAt runs a step at its own time, and returns the letter as it then is.
func (p *Processor) runAt(ctx context.Context, l Letter, s Step, due time.Time) (Letter, error) {
	at := clock.With(ctx, clock.Setting{Stopped: due})
	var err error
	if s.NoticeID != "" {
		err = p.notify(at, l, s)
	} else {
		_, err = p.advance(at, l)
	}
	if err != nil && !errors.Is(err, outcome.ErrChanged) { // a step from the queue may be faster
		return l, err
	}
	now, err := p.Store.Letter(ctx, l.ID)
	if errors.Is(err, outcome.ErrNotFound) { // erased in the meantime
		return Letter{Fate: Lose}, nil
	}
	return now, err
}

// setAhead moves the time of letters that may still change, so that they go on in that of their
// user.
func (p *Processor) setAhead(ctx context.Context, letters []Letter, ahead time.Duration) (err error) {
	for i, l := range letters {
		changeable := !l.Lost() && l.Carrier != Email && l.choose("deliver") != nil // a developer may still decide
		if (l.Ahead-ahead).Abs() < time.Second || len(p.waiting(l)) == 0 && !changeable {
			continue
		}
		letters[i], err = p.update(ctx, l, func(l *Letter) (bool, error) { l.Ahead = ahead; return true, nil })
		if err != nil {
			return err
		}
	}
	return nil
}
