package cancellation_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/cancellation"
)

func TestInspect(t *testing.T) {
	w := newWorld(t)
	c := w.Sent("streaming")
	got, err := cancellation.Inspect(t.Context(), w.Store, c.ID)
	require.NoError(t, err)
	assert.Equal(t, c, got)
	_, err = cancellation.Inspect(t.Context(), w.Store, uuid.NewString())
	assert.True(t, apierror.Is(err, apierror.NotFound), err)
}
