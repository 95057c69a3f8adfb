package notificationapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/localstack/tests/apitest"
)

func TestSecrets(t *testing.T) {
	s := newService(t, config.Test)
	path := "/subscriptions/" + s.subscribe("p") + "/secrets"
	first := s.get(path).List("data", "secrets")
	require.Len(t, first, 1)
	assert.Equal(t, []string{"createdAt", "expiresAt", "secretId", "status"}, members(first[0]))
	assert.Equal(t, 2, s.edge.Calls())
	revoke := func(secret map[string]any) apitest.Response {
		id, _ := secret["secretId"].(string)
		return s.as("p", http.MethodDelete, path+"/"+strings.ToUpper(id), nil)
	}

	t.Run("the last one cannot be revoked", func(t *testing.T) {
		revoke(first[0]).Refused(http.StatusConflict, "conflict")
	})
	t.Run("needs no body", func(t *testing.T) {
		other := "/subscriptions/" + s.subscribe("p") + "/secrets"
		assert.Equal(t, http.StatusCreated, s.post(other, nil).StatusCode)
	})
	t.Run("the previous one keeps signing for a day", func(t *testing.T) {
		s.clock.Advance(time.Minute)
		a := s.post(path, map[string]any{}, "Idempotency-Key", "k")
		require.Equal(t, http.StatusCreated, a.StatusCode, a.Body)
		made := a.Object("data", "secret")
		assert.Equal(t, []string{"createdAt", "expiresAt", "key", "secretId", "status"}, members(made))
		assert.Equal(t, a.Body, s.post(path, map[string]any{}, "Idempotency-Key", "k").Body)
		list := s.get(path)
		assert.NotContains(t, list.Body, "whsec_")
		secrets := list.List("data", "secrets")
		require.Len(t, secrets, 2)
		assert.Equal(t, made["secretId"], secrets[0]["secretId"], "the newest first")
		assert.Equal(t, "Active", secrets[0]["status"])
		assert.Equal(t, "Expiring", secrets[1]["status"])
		assert.Equal(t, "2026-03-03T12:01:00Z", secrets[1]["expiresAt"])
		revoke(secrets[0]).Refused(http.StatusConflict, "conflict")
	})
	t.Run("a revoked one is shown as Revoked and can be revoked again", func(t *testing.T) {
		for range 2 {
			a := revoke(first[0])
			require.Equal(t, http.StatusNoContent, a.StatusCode, a.Body)
			assert.Empty(t, a.Body)
		}
		secrets := s.get(path).List("data", "secrets")
		assert.Equal(t, "Revoked", secrets[1]["status"])
		assert.Equal(t, "2026-03-02T12:01:00Z", secrets[1]["expiresAt"])
	})
	t.Run("an expired one does not sign", func(t *testing.T) {
		require.Equal(t, http.StatusCreated, s.post(path, map[string]any{}).StatusCode)
		s.clock.Advance(24 * time.Hour)
		assert.Equal(t, "Revoked", s.get(path).List("data", "secrets")[1]["status"])
	})
	t.Run("at most five sign", func(t *testing.T) {
		for range 4 {
			require.Equal(t, http.StatusCreated, s.post(path, map[string]any{}).StatusCode)
		}
		refused := s.post(path, map[string]any{})
		refused.Refused(http.StatusConflict, "conflict")
		assert.Equal(t, json.Number("5"), refused.List("errors")[0]["limit"])
	})
	t.Run("returns 404 for an unknown one", func(t *testing.T) {
		revoke(map[string]any{"secretId": uuid.NewString()}).Refused(http.StatusNotFound, "not_found")
		s.post("/subscriptions/"+uuid.NewString()+"/secrets", map[string]any{}).Refused(http.StatusNotFound, "not_found")
	})
	t.Run("partners cannot choose the key", func(t *testing.T) {
		s.post(path, map[string]any{"key": "whsec_eCh0"}).Refused(http.StatusUnprocessableEntity, "validation_failed", "/key")
	})
	assert.NotContains(t, s.edge.Log.String(), "whsec_")
}
