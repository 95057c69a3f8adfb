package identityapi_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDocumentIsServed(t *testing.T) {
	s := newService(t)
	file, err := os.ReadFile("../../../docs/openapi.yaml")
	require.NoError(t, err)
	plain := s.send(http.MethodGet, "/openapi.yaml", nil, "")
	compressed := s.send(http.MethodGet, "/openapi.yaml", map[string]string{"Accept-Encoding": "br, gzip;q=0.5"}, "")

	t.Run("as it is in docs", func(t *testing.T) {
		require.Equal(t, http.StatusOK, plain.StatusCode)
		assert.Equal(t, "application/yaml", plain.Header("Content-Type"))
		assert.Equal(t, "public, max-age=300", plain.Header("Cache-Control"))
		if plain.Body != string(file) { // not assert.Equal: it would print both
			t.Error("the document is not docs/openapi.yaml: run `make openapi`")
		}
	})

	t.Run("compressed for those who accept that", func(t *testing.T) {
		assert.Equal(t, "gzip", compressed.Header("Content-Encoding"))
		reader, err := gzip.NewReader(bytes.NewReader([]byte(compressed.Body)))
		require.NoError(t, err)
		text, err := io.ReadAll(reader)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(file, text))
		assert.Less(t, len(compressed.Body), len(file)/8)
		for _, refused := range []string{"", "br", "gzip;q=0", "gzip; q=0.000"} {
			a := s.send(http.MethodGet, "/openapi.yaml", map[string]string{"Accept-Encoding": refused}, "")
			assert.Empty(t, a.Header("Content-Encoding"), refused)
		}
	})

	t.Run("not again to those who have it", func(t *testing.T) {
		assert.NotEqual(t, plain.Header("ETag"), compressed.Header("ETag"), "the bytes differ")
		for condition, want := range map[string]int{
			plain.Header("ETag"): http.StatusNotModified, "W/" + plain.Header("ETag"): http.StatusNotModified,
			`"other", ` + plain.Header("ETag"): http.StatusNotModified, "*": http.StatusNotModified,
			compressed.Header("ETag"): http.StatusOK, `"other"`: http.StatusOK,
		} {
			a := s.send(http.MethodGet, "/openapi.yaml", map[string]string{"If-None-Match": condition}, "")
			assert.Equal(t, want, a.StatusCode, condition)
			assert.Equal(t, plain.Header("ETag"), a.Header("ETag"))
			assert.Equal(t, want == http.StatusNotModified, a.Body == "", condition)
		}
	})
}
