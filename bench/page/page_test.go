package page

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestBetween(t *testing.T) {
	t.Parallel()
	page, err := Between("# T\n\n<!-- a -->\nold\n<!-- /a -->\n\nend\n", "a", "new\n")
	require.NoError(t, err)
	assert.Equal(t, "# T\n\n<!-- a -->\n\nnew\n\n<!-- /a -->\n\nend\n", page)
	again, err := Between(page, "a", "new\n")
	require.NoError(t, err)
	assert.Equal(t, page, again, "writing the same text again changes nothing")
	_, err = Between(page, "b", "new")
	require.Error(t, err)
}
