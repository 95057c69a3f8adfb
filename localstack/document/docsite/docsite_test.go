package docsite_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/document/docsite"
)

// built returns a site with a few files.
func built(t *testing.T) docsite.Site {
	t.Helper()
	folder := t.TempDir()
	for name, content := range map[string]string{
		"_headers":               "/*\n  Content-Security-Policy: default-src 'none'\n  X-Content-Type-Options: nosniff\n",
		"index.html":             "start",
		"404.html":               "nothing here",
		"errors/index.html":      "errors",
		"files/LICENSE.txt":      "licence",
		"problems/index.html":    "problems",
		"../outside/secret.html": "secret",
	} {
		file := filepath.Join(folder, "site", name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
	}
	return docsite.Site{Folder: filepath.Join(folder, "site"), BaseURL: "http://localhost:3000"}
}

func open(t *testing.T, site http.Handler, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	site.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	return w
}

func TestSite(t *testing.T) {
	t.Parallel()
	site := built(t)
	for path, want := range map[string]struct {
		status         int
		body, location string
	}{
		"/docs/":                      {status: 200, body: "start"},
		"/docs":                       {status: 302, location: "/docs/"},
		"/docs/errors/":               {status: 200, body: "errors"},
		"/docs/errors":                {status: 301, location: "errors/"},
		"/docs/files/LICENSE.txt":     {status: 200, body: "licence"},
		"/docs/nothing/":              {status: 404, body: "nothing here"},
		"/docs/files/":                {status: 404, body: "nothing here"},
		"/docs/../outside/":           {status: 404, body: "nothing here"},
		"/docs/%2e%2e/outside/":       {status: 404, body: "nothing here"},
		"/problems/not_found":         {status: 302, location: "/docs/problems/not_found/"},
		"/problems/validation_failed": {status: 302, location: "/docs/problems/validation_failed/"},
	} {
		answer := open(t, site, path)
		assert.Equal(t, want.status, answer.Code, path)
		assert.Equal(t, want.location, answer.Header().Get("Location"), path)
		if want.body != "" {
			assert.Equal(t, want.body, answer.Body.String(), path)
			assert.Equal(t, "default-src 'none'", answer.Header().Get("Content-Security-Policy"), path)
		}
	}
}

func TestSiteAtAnotherPort(t *testing.T) {
	t.Parallel()
	site := built(t)
	site.BaseURL = "http://localhost:4710"
	for name, text := range map[string]string{
		"errors/index.html": "curl http://localhost:3000/a http://localhost:3000/b", "collection.json": `"http://localhost:3000"`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(site.Folder, name), []byte(text), 0o600))
	}
	assert.Equal(t, "curl http://localhost:4710/a http://localhost:4710/b", open(t, site, "/docs/errors/").Body.String())
	assert.Equal(t, `"http://localhost:4710"`, open(t, site, "/docs/collection.json").Body.String())
	assert.Equal(t, "nothing here", open(t, site, "/docs/../outside/secret.html").Body.String())
	assert.Equal(t, http.StatusMovedPermanently, open(t, site, "/docs/errors").Code)
}

func TestSiteThatIsNotBuilt(t *testing.T) {
	t.Parallel()
	answer := open(t, docsite.Site{Folder: t.TempDir()}, "/docs/errors/")
	assert.Equal(t, http.StatusNotFound, answer.Code)
	assert.Contains(t, answer.Body.String(), "make docs")
	assert.Contains(t, answer.Header().Get("Content-Security-Policy"), "default-src 'none'")
}

func TestServes(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/docs": true, "/docs/": true, "/docs/errors/": true, "/problems/not_found": true,
		"/docsx": false, "/": false, "/openbanking/v1/accounts": false, "/problems": false,
	} {
		assert.Equal(t, want, docsite.Serves(path), path)
	}
}
