package app_test

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/token"
	"aviso/localstack/document"
)

// Every other method of every path is refused with exactly the methods that the path has.
// A path like /transactions/changes does not have those of /transactions/{id}.
func TestAllowListsTheMethodsOfThePath(t *testing.T) {
	handler := everyOperation(func(context.Context, string, string) (token.Principal, error) {
		return token.Principal{}, token.ErrInvalid
	}, nil)

	paths := document.Partners().Paths
	maps.Copy(paths, document.Internal().Paths)
	parameter := regexp.MustCompile(`\{[^}]+\}`)
	shadowing := 0
	for path, item := range paths {
		var allowed []string
		for method, declared := range map[string]bool{
			http.MethodGet: item.Get != nil, http.MethodHead: item.Get != nil, http.MethodPost: item.Post != nil,
			http.MethodPut: item.Put != nil, http.MethodPatch: item.Patch != nil, http.MethodDelete: item.Delete != nil,
		} {
			if declared {
				allowed = append(allowed, method)
			}
		}
		slices.Sort(allowed)
		for other := range paths {
			pattern := regexp.MustCompile("^" + parameter.ReplaceAllString(other, "[^/]+") + "$")
			if other != path && pattern.MatchString(path) {
				shadowing++
			}
		}
		address := parameter.ReplaceAllString(path, uuid.NewString())
		for _, method := range []string{
			http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
			http.MethodOptions, http.MethodTrace, http.MethodConnect, "BREW",
		} {
			if slices.Contains(allowed, method) {
				continue
			}
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, address, nil))
			assert.Equal(t, http.StatusMethodNotAllowed, w.Code, "%s %s", method, path)
			assert.Equal(t, strings.Join(allowed, ", "), w.Header().Get("Allow"), "%s %s", method, path)
		}
	}
	require.Positive(t, shadowing, "some path has a pattern that matches it, too")
}
