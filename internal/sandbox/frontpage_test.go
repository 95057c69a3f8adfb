package sandbox_test

import (
	"encoding/xml"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/sandbox"
	"aviso/localstack/tests/testenv"
)

// opened returns a function that opens a page of the sandbox.
func opened(t *testing.T, stage config.Stage) func(path string) *httptest.ResponseRecorder {
	t.Helper()
	s := sandbox.New(sandbox.Options{
		DynamoDB: testenv.DynamoDB(t), Table: testenv.Table(t, "SandboxTable"), Stage: stage,
		Now: time.Now, Log: slog.New(slog.DiscardHandler), Scheduler: noSteps{},
	})
	return func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost:3999"+path, nil))
		return w
	}
}

var linked = regexp.MustCompile(`href="(/[^"]*)"`)

func TestFrontPage(t *testing.T) {
	t.Parallel()
	get := opened(t, config.Local)
	page := get("/")
	require.Equal(t, http.StatusOK, page.Code, page.Body)
	assert.Equal(t, "text/html; charset=utf-8", page.Header().Get("Content-Type"))
	policy := page.Header().Get("Content-Security-Policy")
	assert.Regexp(t, `^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; `, policy)
	assert.Contains(t, policy, "; form-action 'none'")
	assert.Equal(t, "no-store", page.Header().Get("Cache-Control"))
	assert.Contains(t, page.Body.String(),
		">curl -s -u sandbox:sandbox-secret -d grant_type=client_credentials http://localhost:3999/oauth2/token</code>")
	assert.Contains(t, page.Body.String(), `href="/sandbox"`)
	assert.Contains(t, page.Body.String(), `href="/docs"`)
	assert.Contains(t, page.Body.String(), `href="/app/">Open the sample app</a>`)
	pictures := regexp.MustCompile(`<img src="([^"]+)"`).FindAllStringSubmatch(page.Body.String(), -1)
	require.Len(t, pictures, 3)
	for _, p := range pictures {
		picture := get(p[1])
		assert.Equal(t, "image/webp", picture.Header().Get("Content-Type"), p[1])
		assert.Less(t, picture.Body.Len(), 60<<10, "pictures of a first page are small")
	}
}

func TestFrontPageOfASharedEnvironmentKeepsSecrets(t *testing.T) {
	t.Parallel()
	page := opened(t, config.Test)("/").Body.String()
	assert.NotContains(t, page, "sandbox-secret")
	assert.NotContains(t, page, `href="/docs"`, "only the local stack has them")
	assert.NotContains(t, page, `href="/app/"`, "only the local stack has it")
	assert.Contains(t, page, "curl -s -u $CLIENT_ID:$CLIENT_SECRET ")
	assert.Contains(t, page, "test environment")
}

func TestSandboxHomeLeadsToEveryPage(t *testing.T) {
	t.Parallel()
	get := opened(t, config.Local)
	home := get("/sandbox")
	require.Equal(t, http.StatusOK, home.Code)
	_, main, _ := strings.Cut(home.Body.String(), "<main>")
	found := map[string]bool{}
	for _, m := range linked.FindAllStringSubmatch(main, -1) {
		found[m[1]] = true
		assert.Equal(t, http.StatusOK, get(m[1]).Code, m[1])
	}
	for _, path := range []string{"/sandbox/banks", "/sandbox/control", "/sandbox/letters", "/sandbox/replies"} {
		assert.True(t, found[path], path)
		assert.Contains(t, get(path).Body.String(), `<a href="/sandbox">`, "and back")
	}
	slash := get("/sandbox/")
	assert.Equal(t, http.StatusSeeOther, slash.Code)
	assert.Equal(t, "/sandbox", slash.Header().Get("Location"))
	assert.Equal(t, http.StatusNotFound, get("/sandbox/nothing").Code)
}

func TestFavicon(t *testing.T) {
	t.Parallel()
	icon := opened(t, config.Test)("/favicon.ico")
	require.Equal(t, http.StatusOK, icon.Code)
	assert.Equal(t, "image/svg+xml", icon.Header().Get("Content-Type"))
	var svg struct{ XMLName xml.Name }
	require.NoError(t, xml.Unmarshal(icon.Body.Bytes(), &svg))
	assert.Equal(t, xml.Name{Space: "http://www.w3.org/2000/svg", Local: "svg"}, svg.XMLName)
}
