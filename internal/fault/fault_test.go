package fault_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/fault"
)

func TestIs(t *testing.T) {
	err := fault.New(fault.NotFound, "no such account")

	t.Run("knows the code through wrapping", func(t *testing.T) {
		assert.True(t, fault.Is(err, fault.NotFound))
		assert.True(t, fault.Is(fmt.Errorf("read account: %w", err), fault.NotFound))
	})

	t.Run("knows no other code and no other error", func(t *testing.T) {
		assert.False(t, fault.Is(err, fault.UserNotFound))
		assert.False(t, fault.Is(errors.New("not_found"), fault.NotFound))
		assert.False(t, fault.Is(nil, fault.NotFound))
	})
}

func TestWithFields(t *testing.T) {
	err := fault.WithFields(fault.ValidationFailed, "the body has faults", fault.Field{Pointer: "/name", Code: "required"})

	assert.Equal(t, []fault.Field{{Pointer: "/name", Code: "required"}}, err.Fields)
	assert.EqualError(t, err, "validation_failed: the body has faults")
}
