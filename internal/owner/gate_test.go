package owner_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/owner"
)

type answers struct{ err error }

func (a answers) Admit(context.Context, owner.User) error { return a.err }

// meeting admits once somebody receives from it.
type meeting chan struct{}

func (m meeting) Admit(context.Context, owner.User) error {
	m <- struct{}{}
	return nil
}

func TestReadDoesNotWaitForTheGate(t *testing.T) {
	gate := make(meeting)
	_, err := owner.Read(t.Context(), gate, owner.User{}, func(context.Context) (any, error) { return <-gate, nil })
	require.NoError(t, err)
}

func TestRead(t *testing.T) {
	refused, broken := errors.New("refused"), errors.New("broken")
	read := func(err error) func(context.Context) (string, error) {
		return func(context.Context) (string, error) { return "a secret", err }
	}
	out, err := owner.Read(t.Context(), answers{}, owner.User{}, read(nil))
	require.NoError(t, err)
	assert.Equal(t, "a secret", out)
	out, err = owner.Read(t.Context(), answers{refused}, owner.User{}, read(nil))
	require.ErrorIs(t, err, refused)
	assert.Empty(t, out)
	_, err = owner.Read(t.Context(), answers{refused}, owner.User{}, read(broken))
	require.ErrorIs(t, err, refused, "the refusal takes precedence")
	_, err = owner.Read(t.Context(), answers{}, owner.User{}, read(broken))
	require.ErrorIs(t, err, broken)
}
