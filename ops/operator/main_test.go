package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// stack answers invocations with answer, and keeps the last event.
type stack struct {
	answer  string
	failed  bool
	event   map[string]any
	dataDir string
}

func newStack(t *testing.T, answer string) *stack {
	t.Helper()
	s := &stack{answer: answer, dataDir: t.TempDir()}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "/2015-03-31/functions/operator/invocations", r.URL.Path)
		assert.True(t, strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=local/"))
		assert.Contains(t, r.Header.Get("Authorization"), "/lambda/aws4_request")
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		assert.NoError(t, json.Unmarshal(body, &s.event))
		if s.failed {
			w.Header().Set("X-Amz-Function-Error", "Unhandled")
		}
		_, _ = io.WriteString(w, s.answer)
	}))
	t.Cleanup(server.Close)
	require.NoError(t, os.WriteFile(filepath.Join(s.dataDir, "lambda-endpoint"), []byte(server.URL+"\n"), 0o600))
	return s
}

func (s *stack) run(t *testing.T, variables map[string]string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), func(name string) string {
		if name == "DATA_DIR" {
			return s.dataDir
		}
		return variables[name]
	}, &out)
	return out.String(), err
}

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

func TestCommandsAreSent(t *testing.T) {
	t.Parallel()

	t.Run("with their members, and the answer is printed", func(t *testing.T) {
		t.Parallel()
		s := newStack(t, `{"id":"acme","secrets":[]}`)
		out, err := s.run(t, map[string]string{"CMD": "show-partner", "ARGS": `{"id":"acme"}`})
		require.NoError(t, err)
		assert.Equal(t, []string{"{", `  "id": "acme",`, `  "secrets": []`, "}", ""}, strings.Split(out, "\n"))
		assert.Equal(t, map[string]any{"command": "show-partner", "id": "acme"}, s.event)
	})

	t.Run("from a file, completed by the members", func(t *testing.T) {
		t.Parallel()
		s := newStack(t, `{}`)
		_, err := s.run(t, map[string]string{"FILE": write(t, `{"command":"show-partner","id":"acme"}`), "ARGS": `{"id":"other"}`})
		require.NoError(t, err)
		assert.Equal(t, map[string]any{"command": "show-partner", "id": "other"}, s.event)
	})

	t.Run("with the content of a file", func(t *testing.T) {
		t.Parallel()
		s := newStack(t, `{}`)
		args := func(path string) string {
			text, err := json.Marshal(map[string]any{"file": "@" + path})
			require.NoError(t, err)
			return string(text)
		}
		_, err := s.run(t, map[string]string{"CMD": "import-providers", "ARGS": args(write(t, "a line"))})
		require.NoError(t, err)
		zipped, err := base64.StdEncoding.DecodeString(s.event["file"].(string))
		require.NoError(t, err)
		r, err := gzip.NewReader(bytes.NewReader(zipped))
		require.NoError(t, err)
		plain, err := io.ReadAll(r)
		require.NoError(t, err)
		assert.Equal(t, "a line", string(plain))

		_, err = s.run(t, map[string]string{"CMD": "import-providers", "ARGS": args(write(t, string(zipped)))})
		require.NoError(t, err)
		assert.Equal(t, base64.StdEncoding.EncodeToString(zipped), s.event["file"], "a gzipped file is sent as it is")
		_, err = s.run(t, map[string]string{"CMD": "import-providers", "ARGS": args("/no/such/file")})
		require.ErrorIs(t, err, os.ErrNotExist)
	})
}

func TestErrors(t *testing.T) {
	t.Parallel()
	s := newStack(t, `{}`)
	for want, variables := range map[string]map[string]string{
		"no command given":             {},
		"ARGS is not a JSON object":    {"CMD": "show-partner", "ARGS": "acme"},
		"is not a JSON object":         {"FILE": write(t, "[]")},
		"no such file":                 {"FILE": "/no/such/file"},
		"ARGS is not a JSON object: j": {"CMD": "show-partner", "ARGS": "[]"},
	} {
		_, err := s.run(t, variables)
		require.ErrorContains(t, err, want)
	}

	t.Run("a stack that does not run", func(t *testing.T) {
		t.Parallel()
		_, err := (&stack{dataDir: t.TempDir()}).run(t, map[string]string{"CMD": "show-partner"})
		require.ErrorContains(t, err, "no stack runs on ")
	})

	t.Run("a function that fails", func(t *testing.T) {
		t.Parallel()
		s := newStack(t, `{"errorMessage":"operator: There is no partner with this ID.","errorType":"errorString"}`)
		s.failed = true
		out, err := s.run(t, map[string]string{"CMD": "show-partner"})
		require.EqualError(t, err, "operator: There is no partner with this ID.")
		assert.Empty(t, out)
	})

	t.Run("a file with errors", func(t *testing.T) {
		t.Parallel()
		s := newStack(t, `{"errorCount":2,"errors":[]}`)
		out, err := s.run(t, map[string]string{"CMD": "import-providers"})
		require.ErrorContains(t, err, "the file has 2 errors")
		assert.Contains(t, out, `"errorCount": 2`)
	})
}
