package sandbox_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/sandbox"
)

func get(method, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	mux := http.NewServeMux()
	sandbox.RegisterFrontPage(sandbox.Options{Log: slog.New(slog.DiscardHandler)}, mux)
	mux.ServeHTTP(w, httptest.NewRequest(method, path, nil))
	return w
}

func TestTerms(t *testing.T) {
	list := get(http.MethodGet, sandbox.TermsPath).Body.String()
	for _, d := range sandbox.TermsInForce() {
		t.Run(d.Slug, func(t *testing.T) {
			assert.Contains(t, list, `href="`+d.Path()+`"`)
			w := get(http.MethodGet, d.Path())
			assert.Equal(t, http.StatusOK, w.Code)
			body := w.Body.String()
			assert.Contains(t, body, `name="viewport"`, "it can be read on a phone")
			assert.Contains(t, body, "Version "+d.Version)
			assert.Greater(t, strings.Count(body, "<h2>"), 4)
			assert.Greater(t, strings.Count(body, "<li>"), 2)
			for _, marker := range []string{"<p># ", "<p>- ", "<li>- ", "\n- "} {
				assert.NotContains(t, body, marker)
			}
		})
	}
	assert.Equal(t, http.StatusNotFound, get(http.MethodGet, sandbox.TermsPath+"/operator/2025-01").Code)
	assert.Equal(t, http.StatusMethodNotAllowed, get(http.MethodPost, sandbox.TermsPath).Code)
}
