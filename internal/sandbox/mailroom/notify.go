package mailroom

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"aviso/internal/outcome"
)

// notify sends a notice and records the result. It records an attempt after making it:
// after a crash in between, the service receives the notice twice, which real carriers
// also do.
func (p *Processor) notify(ctx context.Context, l Letter, s Step) error {
	i := l.notice(s.NoticeID)
	if i < 0 || l.Notices[i].Acknowledged || l.Notices[i].Attempts > s.Attempt {
		return nil
	}
	content, err := p.document(ctx, l)
	if err != nil {
		return err
	}
	req, err := p.Drivers[l.Carrier].Callback(ctx, l, l.Notices[i], content)
	if err != nil {
		return fmt.Errorf("create callback: %w", err)
	}
	return p.recordAttempt(ctx, s, p.send(req))
}

// send returns the response status, or zero if there was no response.
func (p *Processor) send(req *http.Request) int {
	res, err := p.Client.Do(req)
	if err != nil {
		// The error is not logged: it contains the address, which may hold a secret.
		p.Log.WarnContext(req.Context(), "sandbox carrier got no response to its callback")
		return 0
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // keeps the connection for the next one
	return res.StatusCode
}

// maxTries is how often recordAttempt retries after a lost race.
const maxTries = 5

// recordAttempt records the result of an attempt and schedules the next one.
func (p *Processor) recordAttempt(ctx context.Context, s Step, status int) error {
	for range maxTries {
		l, err := p.Store.Letter(ctx, s.LetterID)
		if errors.Is(err, outcome.ErrNotFound) {
			return nil // deleted in the meantime
		}
		if err != nil {
			return fmt.Errorf("read letter: %w", err)
		}
		i := l.notice(s.NoticeID)
		if i < 0 || l.Notices[i].Acknowledged || l.Notices[i].Attempts > s.Attempt {
			return nil
		}
		n := &l.Notices[i]
		n.Attempts, n.LastStatus, n.LastAt = s.Attempt+1, status, p.TimeOf(ctx, l)
		n.Acknowledged = status >= 200 && status < 300
		if !n.Acknowledged {
			// Schedule the retry before recording the attempt, so that no retry is lost.
			if next, due := p.retry(l, *n); due {
				if err := p.schedule(ctx, next); err != nil {
					return err
				}
			}
		}
		err = p.Store.Save(ctx, l)
		if err == nil {
			return nil
		}
		if !errors.Is(err, outcome.ErrChanged) {
			return fmt.Errorf("save letter: %w", err)
		}
	}
	return fmt.Errorf("record attempt: %w", outcome.ErrChanged)
}
