package identityapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/clock"
	"aviso/internal/identity/identitydb"
	"aviso/localstack/tests/testenv"
)

func TestErasures(t *testing.T) {
	s := newService(t)
	id, _ := s.call(http.MethodPost, "/identity/v1/users", newUser).Member("data", "user", "userId").(string)
	other := s.token("other", "other-secret", "identity")
	assert.Equal(t, http.StatusNotFound, s.callAs(other, http.MethodDelete, "/identity/v1/users/"+id, "").StatusCode, "another partner's")

	begun := s.call(http.MethodDelete, "/identity/v1/users/"+strings.ToUpper(id), "")
	require.Equal(t, http.StatusAccepted, begun.StatusCode, begun.Body)
	erasureID, _ := begun.Member("data", "erasure", "erasureId").(string)
	require.NoError(t, uuid.Validate(erasureID))
	assert.Equal(t, map[string]any{"erasureId": erasureID, "status": "Running"}, begun.Member("data", "erasure"))
	receipt := "/identity/v1/erasures/" + erasureID

	t.Run("delete the user at once", func(t *testing.T) {
		for _, call := range [][2]string{
			{http.MethodGet, "/identity/v1/users/" + id}, {http.MethodDelete, "/identity/v1/users/" + id},
			{http.MethodGet, "/identity/v1/users?externalId=customer-1"}, {http.MethodGet, "/identity/v1/users/" + id + "/terms-acceptances"},
		} {
			a := s.call(call[0], call[1], "")
			assert.Equal(t, http.StatusNotFound, a.StatusCode, call)
			assert.Equal(t, "user_not_found", a.Member("code"), call)
		}
	})

	t.Run("have a receipt with their status", func(t *testing.T) {
		for _, path := range []string{receipt, "/identity/v1/erasures/" + strings.ToUpper(erasureID)} {
			a := s.call(http.MethodGet, path, "")
			require.Equal(t, http.StatusOK, a.StatusCode, a.Body)
			e, ok := a.Member("data", "erasure").(map[string]any)
			require.True(t, ok)
			assert.NotEmpty(t, e["requestedAt"])
			delete(e, "requestedAt")
			counts := map[string]any{"users": json.Number("1"), "termsAcceptances": json.Number("0")}
			assert.Equal(t, map[string]any{"erasureId": erasureID, "status": "Running", "counts": counts}, e)
			assert.NotContains(t, a.Body, id)
		}
	})

	t.Run("have a receipt with the time of completion", func(t *testing.T) {
		tasks, err := s.store.ErasureTasks(t.Context())
		require.NoError(t, err)
		require.Len(t, tasks, 1)
		erasing := identitydb.NewErasureTaskStore(s.store, testenv.Table(t, "OutboxTable"), uuid.NewString)
		require.NoError(t, s.store.NoteCounts(t.Context(), tasks[0], map[string]int{"accounts": 2}))
		require.NoError(t, s.store.NoteCounts(t.Context(), tasks[0], map[string]int{"accounts": 7}), "too late")
		for _, at := range []time.Time{time.Date(2026, 3, 2, 9, 33, 0, 0, time.UTC), time.Date(2027, 3, 2, 9, 33, 0, 0, time.UTC)} {
			require.NoError(t, erasing.CompleteErasure(t.Context(), tasks[0], clock.Real(at)))
		}
		a := s.call(http.MethodGet, receipt, "")
		assert.Equal(t, "Completed", a.Member("data", "erasure", "status"))
		assert.Equal(t, "2026-03-02T09:33:00Z", a.Member("data", "erasure", "completedAt"))
		counts := map[string]any{"users": json.Number("1"), "termsAcceptances": json.Number("0"), "accounts": json.Number("2")}
		assert.Equal(t, counts, a.Member("data", "erasure", "counts"))
	})

	t.Run("are not found if there are none", func(t *testing.T) {
		for token, path := range map[string]string{other: receipt, s.token("sandbox", "sandbox-secret",
			"identity"): "/identity/v1/erasures/" + uuid.NewString()} {
			a := s.callAs(token, http.MethodGet, path, "")
			assert.Equal(t, http.StatusNotFound, a.StatusCode)
			assert.Equal(t, "not_found", a.Member("code"))
		}
		assert.Equal(t, http.StatusUnprocessableEntity, s.call(http.MethodGet, "/identity/v1/erasures/mine", "").StatusCode)
		assert.Equal(t, http.StatusUnprocessableEntity, s.call(http.MethodDelete, "/identity/v1/users/customer-1", "").StatusCode)
	})

	t.Run("make the partner's own ID available again", func(t *testing.T) {
		a := s.call(http.MethodPost, "/identity/v1/users", newUser)
		require.Equal(t, http.StatusCreated, a.StatusCode, a.Body)
		assert.NotEqual(t, id, a.Member("data", "user", "userId"))
	})
}
