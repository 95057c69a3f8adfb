package emulator

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// java puts a Java of this version first in the PATH.
func java(t *testing.T, version string) {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\necho 'openjdk version \"" + version + "\" 2025-04-15' >&2\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "java"), []byte(script), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
}

func TestJavaIsNewEnough(t *testing.T) {
	java(t, "17.0.15")
	require.NoError(t, checkJava(t.Context()))
	java(t, "21")
	require.NoError(t, checkJava(t.Context()))
	java(t, "1.8.0_402")
	require.ErrorIs(t, checkJava(t.Context()), ErrNoDynamoDB)
	assert.ErrorContains(t, checkJava(t.Context()), "needs Java 17 or newer")
	t.Setenv("PATH", t.TempDir())
	require.ErrorIs(t, checkJava(t.Context()), ErrNoDynamoDB)
	assert.ErrorContains(t, checkJava(t.Context()), "no Java was found")
}

func TestUnknownDynamoDB(t *testing.T) {
	t.Setenv("DYNAMODB", "postgres")
	_, err := StartDynamoDB(t.Context(), "")
	assert.EqualError(t, err, `DYNAMODB is "postgres"; want nothing, or local for AWS's DynamoDB Local`)
}
