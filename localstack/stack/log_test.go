package stack

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheLogDoesNotGrowForEver(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "log")
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	require.NoError(t, err)
	log := &limited{File: file, most: 100}
	for n := range 20 {
		_, err := fmt.Fprintf(log, "line %30d\n", n)
		require.NoError(t, err)
	}
	require.NoError(t, file.Close())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, fmt.Sprintf("line %30d\nline %30d\n", 18, 19), string(text))
}
