package letterdispatchfn

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/cancellation"
	"aviso/internal/outcome"
)

func TestRetryable(t *testing.T) {
	closed := errors.New("the carrier is closed")
	for name, c := range map[string]struct {
		err     error
		attempt int
		want    error
	}{
		"keeps a message that is due soon":                {&outcome.Later{After: time.Minute, Err: closed}, 1, &outcome.Later{After: time.Minute, Err: closed}},
		"keeps that a failure is normal":                  {&outcome.Later{After: time.Minute, Err: closed, Normal: true}, 1, &outcome.Later{After: time.Minute, Err: closed, Normal: true}},
		"keeps one that waits as usual":                   {&outcome.Later{After: time.Minute}, 1, &outcome.Later{After: time.Minute}},
		"never asks for less than a second":               {&outcome.Later{}, 1, &outcome.Later{After: time.Second}},
		"leaves a long wait to housekeeping":              {&outcome.Later{After: time.Hour, Err: closed}, 1, nil},
		"leaves a usual wait to housekeeping after a few": {&outcome.Later{After: time.Second}, fewAttempts, nil},
		"returns any other error as it is":                {closed, fewAttempts, closed},
	} {
		t.Run(name, func(t *testing.T) {
			do := Retryable(func(context.Context, cancellation.Job, int) error { return c.err })
			assert.Equal(t, c.want, do(t.Context(), cancellation.Job{Kind: cancellation.JobSend}, c.attempt))
		})
	}
}
