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
	c := w.sent("streaming")
	inspector := cancellation.NewInspector(w.store)
	got, err := inspector.Inspect(t.Context(), c.ID)
	require.NoError(t, err)
	assert.Equal(t, c, got)
	_, err = inspector.Inspect(t.Context(), uuid.NewString())
	assert.True(t, apierror.Is(err, apierror.NotFound), err)
}
