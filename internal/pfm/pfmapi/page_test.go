package pfmapi_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"aviso/internal/pfm/pfmapi"
)

func TestStepPages(t *testing.T) {
	t.Parallel()
	write := func(p pfmapi.Page) (body, policy string) {
		p.Words = pfmapi.WordsIn("en")
		rec := httptest.NewRecorder()
		p.Write(rec, http.StatusOK)
		return rec.Body.String(), rec.Header().Get("Content-Security-Policy")
	}

	t.Run("wait, with the bank's message as text and the time left", func(t *testing.T) {
		t.Parallel()
		body, policy := write(pfmapi.Page{Wait: &pfmapi.Wait{
			Says: `<a href="https://evil.example">log in</a>`, Left: 61 * time.Second, Total: 30 * time.Minute,
		}})
		assert.NotContains(t, body, "http-equiv", "it does not reload by itself")
		assert.Contains(t, body, `<progress max="1800" value="61" aria-label="Time left: 2 min">`)
		assert.Contains(t, body, "&lt;a href=")
		assert.NotContains(t, body, "<a ")
		assert.Contains(t, policy, "form-action 'none'")
	})

	t.Run("ask, but never for a password", func(t *testing.T) {
		t.Parallel()
		body, policy := write(pfmapi.Page{Ask: &pfmapi.Ask{PSUID: true, IBANs: true}})
		assert.Contains(t, body, `<label for="psuId">`)
		assert.Contains(t, body, `name="ibans"`)
		assert.NotContains(t, body, `type="password"`)
		assert.NotContains(t, body, "aria-invalid=")
		assert.NotContains(t, policy, "form-action", "the form leads to the bank")
		body, _ = write(pfmapi.Page{Ask: &pfmapi.Ask{PSUID: true, Refused: true}})
		assert.Contains(t, body, `aria-invalid="true" aria-describedby="wrong"`)
	})
}
