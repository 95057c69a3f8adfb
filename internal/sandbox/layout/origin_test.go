package layout_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/sandbox/layout"
)

func TestOrigin(t *testing.T) {
	plain := httptest.NewRequest(http.MethodGet, "http://localhost:3000/x", nil)
	forwarded := httptest.NewRequest(http.MethodGet, "http://api.example/x", nil)
	forwarded.Header.Set("X-Forwarded-Proto", "https")
	assert.Equal(t, "http://localhost:3000", layout.Origin("", plain))
	assert.Equal(t, "https://api.example", layout.Origin("", forwarded))
	assert.Equal(t, "https://api.example", layout.Origin("", httptest.NewRequest(http.MethodGet, "https://api.example/x", nil)))
	assert.Equal(t, "https://configured.example", layout.Origin("https://configured.example", plain))
}
