package docsite_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"aviso/localstack/docsite"
)

func open(t *testing.T, path string) *httptest.ResponseRecorder {
	t.Helper()
	site, err := docsite.New("../..")
	require.NoError(t, err)
	w := httptest.NewRecorder()
	site.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost:3999"+path, nil))
	return w
}

var (
	reference = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	anchor    = regexp.MustCompile(` id="([^"]*)"`)
)

func TestEveryLinkOfEveryPageLeadsSomewhere(t *testing.T) {
	t.Parallel()
	// Each page is read once. Those of the service itself are not ours.
	pages, queue := map[string]*httptest.ResponseRecorder{}, []string{"/docs"}
	read := func(path string) *httptest.ResponseRecorder {
		if pages[path] == nil {
			pages[path] = open(t, path)
			queue = append(queue, path)
		}
		return pages[path]
	}
	read("/docs")
	for len(queue) > 0 {
		from := queue[0]
		queue = queue[1:]
		if pages[from].Header().Get("Content-Type") != "text/html; charset=utf-8" {
			continue
		}
		for _, m := range reference.FindAllStringSubmatch(pages[from].Body.String(), -1) {
			to, err := url.Parse(strings.ReplaceAll(m[1], "&amp;", "&"))
			require.NoError(t, err)
			if to.Host != "" {
				assert.NotEqual(t, "localhost:3000", to.Host, "%s has this stack's address", from)
				continue
			}
			if to = (&url.URL{Path: from}).ResolveReference(to); !strings.HasPrefix(to.Path, "/docs") {
				assert.Contains(t, []string{"/", "/sandbox"}, to.Path, "a link on %s", from)
				continue
			}
			page := read(to.Path)
			assert.Equal(t, http.StatusOK, page.Code, "%s links to %s", from, to.Path)
			if to.Fragment != "" {
				ids := map[string]bool{}
				for _, id := range anchor.FindAllStringSubmatch(page.Body.String(), -1) {
					ids[id[1]] = true
				}
				assert.True(t, ids[to.Fragment], "%s links to %s#%s", from, to.Path, to.Fragment)
			}
		}
	}
	for _, path := range []string{"/docs/README.md", "/docs/webhooks.md", "/docs/openapi.yaml", "/docs/api", "/docs/~/README.md"} {
		assert.Contains(t, pages, path)
	}
}

func TestPagesLoadNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	page := open(t, "/docs")
	_, style, _ := strings.Cut(page.Body.String(), "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	sum := sha256.Sum256([]byte(style))
	assert.Equal(t, "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+
		"'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
		page.Header().Get("Content-Security-Policy"))
	assert.Equal(t, "nosniff", page.Header().Get("X-Content-Type-Options"))
	assert.NotContains(t, page.Body.String(), "style=")
}

func TestAPIPageHasEveryOperation(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("../../docs/openapi.yaml")
	require.NoError(t, err)
	var document struct {
		Paths map[string]map[string]struct {
			Summary string
		}
	}
	require.NoError(t, yaml.Unmarshal(file, &document))
	require.NotEmpty(t, document.Paths)
	page := open(t, "/docs/api").Body.String()
	for path, operations := range document.Paths {
		for method := range operations {
			assert.Contains(t, page, strings.ToUpper(method)+" "+path+"</code>")
		}
	}
}

func TestNothingButDocumentationIsServed(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"/docs/nothing.md", "/docs/~/.git/config", "/docs/~/.data/secrets.json", "/docs/~/internal/../.gitignore",
		"/docs/../.gitignore", "/docs/%2e%2e/.gitignore", "/docs/~/../../../etc/passwd", "/docs/~//etc/passwd",
		"/docs/~/localstack/node_modules/.package-lock.json", "/docs/examples", "/docs/~/",
	} {
		page := open(t, path)
		if page.Code == http.StatusTemporaryRedirect { // to the path without dots
			page = open(t, page.Header().Get("Location"))
		}
		assert.Equal(t, http.StatusNotFound, page.Code, path)
	}
}
