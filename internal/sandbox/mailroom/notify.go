package mailroom

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"aviso/internal/outcome"
)

// tell sends a notice and notes what came of it. The attempt is noted after it
// was made: of a crash in between the service notices a second notice, which
// carriers send as well.
func (c *Processor) notify(ctx context.Context, l Letter, s Step) error {
	i := l.notice(s.NoticeID)
	if i < 0 || l.Notices[i].Acknowledged || l.Notices[i].Attempts > s.Attempt {
		return nil
	}
	content, err := c.document(ctx, l)
	if err != nil {
		return err
	}
	req, err := c.Drivers[l.Carrier].Callback(ctx, l, l.Notices[i], content)
	if err != nil {
		return fmt.Errorf("make notice: %w", err)
	}
	status := c.send(req)
	return c.recordAttempt(ctx, s, status)
}

// send answers with the status, zero where there was none.
func (c *Processor) send(req *http.Request) int {
	res, err := c.Client.Do(req)
	if err != nil {
		// The error names the address, which may carry a secret.
		c.Log.WarnContext(req.Context(), "sandbox carrier got no answer to its notice")
		return 0
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // keeps the connection for the next one
	return res.StatusCode
}

// tries is how often a note is written over a change at the same moment.
const tries = 5

// note writes down how an attempt ended, and asks for the next one.
func (c *Processor) recordAttempt(ctx context.Context, s Step, status int) error {
	for range tries {
		l, err := c.Store.Letter(ctx, s.LetterID)
		if errors.Is(err, outcome.ErrNotFound) {
			return nil // deleted meanwhile
		}
		if err != nil {
			return fmt.Errorf("read letter: %w", err)
		}
		i := l.notice(s.NoticeID)
		if i < 0 || l.Notices[i].Acknowledged || l.Notices[i].Attempts > s.Attempt {
			return nil
		}
		n := &l.Notices[i]
		n.Attempts, n.LastStatus, n.LastAt = s.Attempt+1, status, c.Now()
		n.Acknowledged = status >= 200 && status < 300
		acknowledged := n.Acknowledged
		if !acknowledged {
			// Asked for before it is noted, so that no retry is lost.
			if pause, again := c.Drivers[l.Carrier].RetryDelay(n.Attempts); again && !l.Lost() {
				again := Step{LetterID: l.ID, NoticeID: s.NoticeID, Attempt: n.Attempts, Due: c.Now().Add(pause)}
				if err := c.schedule(ctx, again); err != nil {
					return err
				}
			}
		}
		err = c.Store.Save(ctx, l)
		if err == nil {
			return nil
		}
		if !errors.Is(err, outcome.ErrChanged) {
			return fmt.Errorf("save letter: %w", err)
		}
	}
	return fmt.Errorf("note a notice: %w", outcome.ErrChanged)
}
