package pfmapi_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"

	"aviso/internal/api"
	"aviso/internal/pfm/pfmapi"
)

func TestProductionHasNoTestRows(t *testing.T) {
	for production, want := range map[bool]int{false: http.StatusUnauthorized, true: http.StatusNotFound} {
		r := api.New(api.Options{BaseURL: "https://api.example", NewID: uuid.NewString, Now: time.Now, Log: slog.Default()})
		pfmapi.Register(r, pfmapi.Services{Production: production})
		w := httptest.NewRecorder()
		path := "/sandbox/v1/users/" + uuid.NewString() + "/transactions"
		r.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader("{}")))
		assert.Equal(t, want, w.Code)
	}
}
