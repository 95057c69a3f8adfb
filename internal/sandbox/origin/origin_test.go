package origin_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/sandbox/origin"
)

func TestOf(t *testing.T) {
	plain := httptest.NewRequest(http.MethodGet, "http://localhost:3000/x", nil)
	forwarded := httptest.NewRequest(http.MethodGet, "http://api.example/x", nil)
	forwarded.Header.Set("X-Forwarded-Proto", "https")
	assert.Equal(t, "http://localhost:3000", origin.Of("", plain))
	assert.Equal(t, "https://api.example", origin.Of("", forwarded))
	assert.Equal(t, "https://api.example", origin.Of("", httptest.NewRequest(http.MethodGet, "https://api.example/x", nil)))
	assert.Equal(t, "https://configured.example", origin.Of("https://configured.example", plain))
}
