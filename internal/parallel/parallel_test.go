package parallel_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/parallel"
)

func TestBoth(t *testing.T) {
	t.Parallel()
	errA, errB := errors.New("a"), errors.New("b")
	meet := make(chan struct{}) // each waits for the other
	first, second := parallel.Both(
		func() error { meet <- struct{}{}; return errA },
		func() error { <-meet; return errB },
	)
	assert.Equal(t, errA, first)
	assert.Equal(t, errB, second)
}
