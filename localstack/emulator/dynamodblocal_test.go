package emulator

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
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
	_, err := StartDynamoDB(t.Context(), Options{})
	assert.EqualError(t, err, `DYNAMODB is "postgres"; want nothing, or local for AWS's DynamoDB Local`)
}

func TestDownloadsAreChecked(t *testing.T) {
	content := map[string]string{"/good.jar": "good", "/bad.jar": "changed"}
	var mu sync.Mutex
	asked := map[string]int{}
	central := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path]++
		mu.Unlock()
		if text, ok := content[r.URL.Path]; ok {
			_, _ = w.Write([]byte(text))
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(central.Close)
	t.Setenv("MAVEN_CENTRAL", central.URL)
	dir := t.TempDir()
	fetchFile := func(name, text string) error {
		return fetchAll(t.Context(), "# a list\n"+checksum([]byte(text))+"  "+name+"\n", dir, Options{})
	}

	for range 2 {
		require.NoError(t, fetchFile("good.jar", "good"))
	}
	assert.Equal(t, 1, asked["/good.jar"], "what is there is not fetched again")
	assert.ErrorContains(t, fetchFile("bad.jar", "expected"), "the content is not the expected one")
	assert.NoFileExists(t, filepath.Join(dir, "bad.jar"))
	assert.ErrorContains(t, fetchFile("lost.jar", "lost"), "404 Not Found")
}
