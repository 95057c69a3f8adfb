package aviso

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"time"
)

// firstWait is the longest wait before the first retry.
const firstWait = 500 * time.Millisecond

// sendWithRetries repeats a call that did not come through, unless that could do something
// twice. It gives up when the next try would be after ctx's deadline.
func (c *Client) sendWithRetries(ctx context.Context, out *call) ([]byte, error) {
	for retries := 0; ; retries++ {
		body, err := c.sendOnce(ctx, out)
		var failure *Error
		if err == nil || !errors.As(err, &failure) || retries >= c.config.MaxRetries || !failure.repeatable(out) {
			return body, err
		}
		if !sleep(ctx, failure.wait(retries)) {
			return nil, err
		}
	}
}

// repeatable reports whether the call may be sent again after the error.
func (e *Error) repeatable(out *call) bool {
	switch {
	case errors.Is(e.kind, ErrConnectionFailed):
		var dial *net.OpError
		neverSent := errors.As(e.cause, &dial) && dial.Op == "dial"
		return (out.repeatable || neverSent) && !errors.Is(e.cause, context.Canceled)
	case e.Status == http.StatusTooManyRequests, e.Code == "idempotency_in_progress":
		return true
	case e.Status == http.StatusBadGateway, e.Status == http.StatusServiceUnavailable, e.Status == http.StatusGatewayTimeout:
		return out.repeatable
	}
	return false
}

// wait is as long as the service asks for. Otherwise it doubles, up to eight seconds, and chance
// keeps clients apart that failed together.
func (e *Error) wait(retries int) time.Duration {
	if e.RetryAfter > 0 {
		return e.RetryAfter
	}
	return rand.N(firstWait << min(retries, 4)) //nolint:gosec // nobody gains by guessing it
}

// sleep reports whether it slept, which it does not if ctx ends before.
func sleep(ctx context.Context, wait time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < wait {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// retryAfter reads the header, which has seconds or a date.
func retryAfter(header string) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}
