package identityapi_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/clock"
	"aviso/internal/identity"
	"aviso/internal/identity/identityapi"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/apitest"
)

func TestClock(t *testing.T) {
	s := newService(t)
	id, _ := s.call(http.MethodPost, "/identity/v1/users", newUser).Member("data", "user", "userId").(string)
	path := "/sandbox/v1/users/" + id + "/clock"
	now := func(a apitest.Response) time.Time {
		text, _ := a.Member("data", "clock", "now").(string)
		at, err := time.Parse(time.RFC3339, text)
		require.NoError(t, err, a.Body)
		return at
	}

	fresh := s.call(http.MethodGet, path, "")
	assert.Equal(t, "Ready", fresh.Member("data", "clock", "status"))
	assert.WithinDuration(t, time.Now(), now(fresh), time.Minute)
	assert.NotContains(t, fresh.Body, "advancedTo")

	t.Run("refuses what it cannot do, and says which member is wrong", func(t *testing.T) {
		in := func(d time.Duration) string {
			return `{"advanceTo": "` + time.Now().Add(d).UTC().Format(time.RFC3339) + `"}`
		}
		for body, code := range map[string]string{
			`{}`: "one_of", `{"advanceBy": "P1D", "advanceTo": "2040-01-01T00:00:00Z"}`: "one_of",
			in(-time.Hour): "out_of_range", in(3 * 365 * 24 * time.Hour): "out_of_range",
			`{"advanceBy": "P0D"}`: "out_of_range", `{"advanceBy": "P25M"}`: "out_of_range",
			`{"advanceBy": "P"}`: "duration", `{"advanceBy": "-P1D"}`: "invalid", `{"advanceBy": 30}`: "type",
			`{"advanceTo": "tomorrow"}`: "invalid", `{"advanceBy": "P1D", "now": true}`: "unknown_member",
		} {
			a := s.call(http.MethodPost, path, body)
			assert.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, "%s: %s", body, a.Body)
			assert.Contains(t, a.Body, `"`+code+`"`, body)
		}
	})

	t.Run("is the partner's own", func(t *testing.T) {
		other := s.token("other", "other-secret", "identity")
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			body := map[string]string{http.MethodPost: `{"advanceBy": "P1D"}`}[method]
			a := s.callAs(other, method, path, body)
			assert.Equal(t, http.StatusNotFound, a.StatusCode, a.Body)
			assert.Equal(t, "user_not_found", a.Member("code"))
		}
	})

	begun := s.call(http.MethodPost, "/sandbox/v1/users/"+strings.ToUpper(id)+"/clock", `{"advanceBy": "P1M"}`)
	require.Equal(t, http.StatusAccepted, begun.StatusCode, begun.Body)
	assert.Equal(t, "Advancing", begun.Member("data", "clock", "status"))
	at := now(begun)
	assert.Equal(t, at, now(s.call(http.MethodGet, path, "")), "it stands still")

	t.Run("is advanced once at a time", func(t *testing.T) {
		a := s.call(http.MethodPost, path, `{"advanceBy": "P1D"}`)
		assert.Equal(t, http.StatusConflict, a.StatusCode, a.Body)
		assert.NotEmpty(t, a.Header("Retry-After"))
	})

	user := owner.User{Partner: "sandbox", ID: owner.UserID(id)}
	runner := identity.NewClockRunner(s.clocks, time.Now, func() []identity.TimedArea { return nil })
	require.NoError(t, runner.Run(t.Context(), user))
	ready := s.call(http.MethodGet, path, "")
	assert.Equal(t, "Ready", ready.Member("data", "clock", "status"))
	assert.WithinDuration(t, at.AddDate(0, 1, 0), now(ready), time.Minute)

	t.Run("goes forward only", func(t *testing.T) {
		again := s.call(http.MethodPost, path, `{"advanceTo": "`+time.Now().UTC().AddDate(0, 0, 20).Format(time.RFC3339)+`"}`)
		assert.Equal(t, http.StatusUnprocessableEntity, again.StatusCode, "that is in the user's past")
	})

	t.Run("is repeated under an idempotency key", func(t *testing.T) {
		headers := map[string]string{
			"Authorization": "Bearer " + s.token("sandbox", "sandbox-secret", "identity"),
			"Content-Type":  "application/json", "Idempotency-Key": "one",
		}
		first := s.send(http.MethodPost, path, headers, `{"advanceBy": "P1D"}`)
		require.Equal(t, http.StatusAccepted, first.StatusCode, first.Body)
		second := s.send(http.MethodPost, path, headers, `{"advanceBy": "P1D"}`)
		assert.Equal(t, http.StatusAccepted, second.StatusCode)
		assert.Equal(t, first.Body, second.Body)
		require.NoError(t, runner.Run(t.Context(), user))
	})

	t.Run("is deleted with its user, and nobody brings it back", func(t *testing.T) {
		moved, err := s.clocks.MovedClocks(t.Context(), clock.Real(time.Now().Add(-time.Hour)))
		require.NoError(t, err)
		require.Len(t, moved, 1)
		assert.Equal(t, user, moved[0].User)
		later, err := s.clocks.MovedClocks(t.Context(), clock.Real(time.Now().Add(time.Hour)))
		require.NoError(t, err)
		assert.Empty(t, later)
		require.NoError(t, s.clocks.DeleteClock(t.Context(), user))
		_, err = s.clocks.SaveClock(t.Context(), moved[0])
		require.ErrorIs(t, err, outcome.ErrChanged)
		require.Equal(t, http.StatusAccepted, s.call(http.MethodDelete, "/identity/v1/users/"+id, "").StatusCode)
		c := identity.UserClock{User: user, Setting: clock.Setting{Stopped: time.Now()}}
		require.ErrorIs(t, s.clocks.StartClock(t.Context(), c, nil), outcome.ErrNotFound)
		assert.Equal(t, http.StatusNotFound, s.call(http.MethodGet, path, "").StatusCode)
	})
}

func TestProductionHasNoClocks(t *testing.T) {
	t.Parallel()
	for _, production := range []bool{false, true} {
		r := api.New(api.Options{Now: time.Now, NewID: uuid.NewString, Log: slog.Default()})
		identityapi.Register(r, identityapi.Services{Production: production})
		w := httptest.NewRecorder()
		path := "/sandbox/v1/users/" + uuid.NewString() + "/clock"
		r.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		assert.Equal(t, !production, w.Code == http.StatusUnauthorized)
		assert.Equal(t, production, w.Code == http.StatusNotFound)
	}
}

func TestAClockIsTenYearsAheadAtMost(t *testing.T) {
	s := newService(t)
	id, _ := s.call(http.MethodPost, "/identity/v1/users", newUser).Member("data", "user", "userId").(string)
	user := owner.User{Partner: "sandbox", ID: owner.UserID(id)}
	runner := identity.NewClockRunner(s.clocks, time.Now, func() []identity.TimedArea { return nil })
	path := "/sandbox/v1/users/" + id + "/clock"
	for range 5 {
		require.Equal(t, http.StatusAccepted, s.call(http.MethodPost, path, `{"advanceBy": "P2Y"}`).StatusCode)
		require.NoError(t, runner.Run(t.Context(), user))
	}
	refused := s.call(http.MethodPost, path, `{"advanceBy": "P1M"}`)
	assert.Equal(t, http.StatusUnprocessableEntity, refused.StatusCode, refused.Body)
}
