package carrier

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/dispatch"
)

func TestPostDelete(t *testing.T) {
	setUp := func(t *testing.T, status string) (*postOffice, string) {
		t.Helper()
		o := newPostOffice(t, newClock().now)
		id := uuid.NewString()
		o.letters[id] = &postedLetter{status: status}
		return o, id
	}
	for _, status := range []string{"valid", "submitted", "action_required", "cancelled"} {
		t.Run(status, func(t *testing.T) {
			o, id := setUp(t, status)
			p := o.carrier()
			require.NoError(t, p.Delete(t.Context(), id))
			assert.True(t, o.letters[id].gone)
			assert.NoError(t, p.Delete(t.Context(), id), "deleting again succeeds")
		})
	}
	t.Run("refuses to delete a sent letter", func(t *testing.T) {
		o, id := setUp(t, "sent")
		requireFailure(t, o.carrier().Delete(t.Context(), id), dispatch.CarrierRefused)
	})
	t.Run("is busy while the letter is processed", func(t *testing.T) {
		for _, status := range []string{"processing", "validating", "submitted", "cancelling", "beamed"} {
			o, id := setUp(t, status)
			o.instead = func(_ int, r *http.Request) *reply {
				if r.Method == http.MethodDelete {
					return &reply{status: http.StatusForbidden}
				}
				return nil
			}
			p := o.carrier()
			if status == "submitted" { // cancelled by now, but not deletable
				requireFailure(t, p.Delete(t.Context(), id), dispatch.CarrierRefused)
				continue
			}
			e := requireFailure(t, p.Delete(t.Context(), id), dispatch.CarrierBusy)
			assert.Equal(t, time.Minute, e.RetryAfter)
		}
	})
	t.Run("an unknown letter", func(t *testing.T) {
		o, _ := setUp(t, "valid")
		assert.NoError(t, o.carrier().Delete(t.Context(), uuid.NewString()))
	})
	t.Run("an invalid reference", func(t *testing.T) {
		o, _ := setUp(t, "valid")
		requireFailure(t, o.carrier().Delete(t.Context(), "../x"), dispatch.CarrierRefused)
		assert.Zero(t, o.calls)
	})
	t.Run("a failing carrier", func(t *testing.T) {
		for _, method := range []string{http.MethodPatch, http.MethodDelete, http.MethodGet} {
			o, id := setUp(t, "sent")
			o.instead = func(_ int, r *http.Request) *reply {
				if r.Method == method {
					return &reply{status: 503}
				}
				return nil
			}
			requireFailure(t, o.carrier().Delete(t.Context(), id), dispatch.CarrierUnclear)
			assert.False(t, o.letters[id].gone)
		}
	})
}
