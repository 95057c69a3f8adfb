package apierror_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/api/apierror"
)

func TestIs(t *testing.T) {
	err := apierror.New(apierror.NotFound, "no such account")

	t.Run("finds the code of a wrapped error", func(t *testing.T) {
		assert.True(t, apierror.Is(err, apierror.NotFound))
		assert.True(t, apierror.Is(fmt.Errorf("read account: %w", err), apierror.NotFound))
	})

	t.Run("is false for other codes and errors", func(t *testing.T) {
		assert.False(t, apierror.Is(err, apierror.UserNotFound))
		assert.False(t, apierror.Is(errors.New("not_found"), apierror.NotFound))
		assert.False(t, apierror.Is(nil, apierror.NotFound))
	})
}

func TestWithFields(t *testing.T) {
	err := apierror.WithFields(apierror.ValidationFailed, "the body has faults", apierror.Field{Pointer: "/name", Code: "required"})

	assert.Equal(t, []apierror.Field{{Pointer: "/name", Code: "required"}}, err.Fields)
	assert.EqualError(t, err, "validation_failed: the body has faults")
}
