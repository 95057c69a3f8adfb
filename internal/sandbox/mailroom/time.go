package mailroom

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"aviso/internal/clock"
	"aviso/internal/outcome"
)

// TimeOf returns the time of the letter's user: the one that the service has told with the
// request in ctx, or with the letter.
func (p *Processor) TimeOf(ctx context.Context, l Letter) time.Time {
	if clock.From(ctx) == (clock.Setting{}) {
		ctx = clock.With(ctx, clock.Setting{Ahead: l.Ahead})
	}
	return clock.Now(ctx, p.Now)
}

// Arrive sets when a new letter arrives.
func (p *Processor) Arrive(ctx context.Context, l *Letter) {
	l.CreatedAt = clock.Now(ctx, p.Now)
	l.Ahead = clock.From(ctx).Ahead
	l.CreatedAhead = l.Ahead
}

// move returns the step that ends the letter's state, and false if the state is final.
func (p *Processor) move(l Letter) (Step, bool) {
	driver := p.Drivers[l.Carrier]
	if driver == nil { // nobody here decides about mail
		return Step{}, false
	}
	wait, moves := driver.Wait(l)
	due := l.UpdatedAt.Add(wait)
	if l.HeldUntil.After(due) {
		due = l.HeldUntil
	}
	return Step{LetterID: l.ID, From: l.State, Due: due.Add(-l.Ahead)}, moves
}

// retry returns the step that sends a notice again, and false if there is none.
func (p *Processor) retry(l Letter, n Notice) (Step, bool) {
	pause, again := p.Drivers[l.Carrier].RetryDelay(n.Attempts)
	due := n.LastAt.Add(pause - l.Ahead)
	return Step{LetterID: l.ID, NoticeID: n.ID, Attempt: n.Attempts, Due: due}, again && !l.Lost()
}

// waiting returns the steps that the letter waits for. Notices come before the next state.
func (p *Processor) waiting(l Letter) []Step {
	var steps []Step
	add := func(s Step, exists bool) {
		if exists && !l.Lost() {
			steps = append(steps, s)
		}
	}
	for _, n := range l.Notices {
		switch {
		case n.Acknowledged:
		case n.Attempts == 0:
			add(Step{LetterID: l.ID, NoticeID: n.ID, Due: n.At.Add(-l.Ahead)}, true)
		default:
			add(p.retry(l, n))
		}
	}
	add(p.move(l))
	return steps
}

// maxForward bounds the steps of one call, each of which may be a request to the service.
const maxForward = 20

// Forward runs what the letters of a user's cancellations wait for until a time of the user, in
// its order and each step at its own time. It returns when the next step is due, or zero if there
// is none. That may be before until, since one call runs a limited number of steps. If until is
// zero, nothing runs. The steps in the queue find their work done.
func (p *Processor) Forward(ctx context.Context, cancellations []string, until time.Time) (time.Time, error) {
	letters, err := p.lettersOf(ctx, "", "", all)
	if err != nil {
		return time.Time{}, err
	}
	letters = slices.DeleteFunc(letters, func(l Letter) bool { return !slices.Contains(cancellations, l.CancellationID) })
	if !until.IsZero() {
		if err := p.setAhead(ctx, letters, until.Sub(p.Now())); err != nil {
			return time.Time{}, err
		}
	}
	moved := map[int]bool{}
	for range maxForward {
		i, step, due := p.first(letters)
		if i < 0 || due.After(until) {
			break
		}
		moved[i] = true
		if letters[i], err = p.runAt(ctx, letters[i], step, due); err != nil {
			return time.Time{}, err
		}
	}
	for i := range moved {
		for _, step := range p.waiting(letters[i]) {
			if err := p.schedule(ctx, step); err != nil {
				return time.Time{}, err
			}
		}
	}
	_, _, next := p.first(letters)
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
func (p *Processor) setAhead(ctx context.Context, letters []Letter, ahead time.Duration) error {
	ahead = max(ahead, 0)
	for i, l := range letters {
		if (l.Ahead-ahead).Abs() < time.Second || len(p.waiting(l)) == 0 && !p.changeable(l) {
			continue
		}
		var err error
		if letters[i], err = p.update(ctx, l, func(l *Letter) { l.Ahead = ahead }); err != nil {
			return err
		}
	}
	return nil
}

// changeable reports whether a developer can still decide what happens to the letter.
func (p *Processor) changeable(l Letter) bool {
	driver := p.Drivers[l.Carrier]
	return driver != nil && !l.Lost() && driver.Apply(&l, "deliver", l.UpdatedAt) == nil
}

// update changes a letter whose state may change at the same time, and returns it.
func (p *Processor) update(ctx context.Context, l Letter, change func(*Letter)) (Letter, error) {
	for range maxTries {
		change(&l)
		err := p.Store.Save(ctx, l)
		if err == nil {
			l.Version++
			return l, nil
		}
		if !errors.Is(err, outcome.ErrChanged) {
			return l, fmt.Errorf("save letter: %w", err)
		}
		if l, err = p.Store.Letter(ctx, l.ID); err != nil {
			return l, fmt.Errorf("read letter: %w", err)
		}
	}
	return l, fmt.Errorf("change letter: %w", outcome.ErrChanged)
}
