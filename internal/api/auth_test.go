package api_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api"
	"aviso/internal/api/token"
)

func TestAccessToken(t *testing.T) {
	t.Parallel()
	list := get("/test/v1/things")

	t.Run("without one, the response names the scheme", func(t *testing.T) {
		s := newService(t)
		for _, value := range []string{"-", "", "Bearer", "Bearer ", "Bearer   ", "Basic YWNtZTpzZWNyZXQ=",
			"Digest x", s.token("acme"), "Bearer\t" + s.token("acme")} {
			_, res := s.refused(list.with("Authorization", value), http.StatusUnauthorized, "unauthorized")
			assert.Equal(t, "Bearer", res.header.Get("WWW-Authenticate"), value)
			assert.Empty(t, res.header.Get("RateLimit"), "the partner is unknown, so it has no rate limit")
		}
	})

	t.Run("reports an invalid one as invalid_token", func(t *testing.T) {
		s := newService(t)
		good := s.token("acme")
		foreign, err := token.NewSigningKey("another root that is long enough to be one")
		require.NoError(t, err)
		forger, err := token.NewIssuer(foreign, audience, s.clock.Now, newID())
		require.NoError(t, err)
		forged, _, err := forger.Issue("acme", []string{"identity"}, baseURL)
		require.NoError(t, err)
		elsewhere, _, err := s.issuer.Issue("acme", []string{"identity"}, "https://other.example")
		require.NoError(t, err)
		for _, token := range []string{"garbage", "a.b.c", good + "x", good[:len(good)-4], good + "," + good,
			good + " " + good, forged, elsewhere} {
			_, res := s.refused(list.with("Authorization", "Bearer "+token), http.StatusUnauthorized, "unauthorized")
			assert.Equal(t, `Bearer error="invalid_token"`, res.header.Get("WWW-Authenticate"))
		}
		s.accepted(list.with("Authorization", "bearer  "+good), http.StatusOK)
		s.clock.Advance(time.Hour)
		_, res := s.refused(list.with("Authorization", "Bearer "+good), http.StatusUnauthorized, "unauthorized")
		assert.Equal(t, `Bearer error="invalid_token"`, res.header.Get("WWW-Authenticate"))
	})

	t.Run("is never read from the query or the body", func(t *testing.T) {
		s := newService(t)
		r := list.with("Authorization", "-")
		r.query = "access_token=" + s.token("acme")
		s.refused(r, http.StatusUnauthorized, "unauthorized")
		s.refused(create(`{"access_token":"`+s.token("acme")+`"}`).with("Authorization", "-"), http.StatusUnauthorized, "unauthorized")
	})

	t.Run("refuses a token of another area and names the missing scope", func(t *testing.T) {
		s := newService(t)
		r := list.with("Authorization", "Bearer "+s.token("acme", "pfm", "webhook"))
		_, res := s.refused(r, http.StatusForbidden, "insufficient_scope")
		assert.Equal(t, `Bearer error="insufficient_scope", scope="identity"`, res.header.Get("WWW-Authenticate"))
		assert.NotEmpty(t, res.header.Get("RateLimit"))
		r.path = "/test/v1/who"
		s.accepted(r.with("X-User-Id", userID), http.StatusOK)
	})

	t.Run("a token without scopes allows only public operations", func(t *testing.T) {
		s := newService(t)
		none, _, err := s.issuer.Issue("acme", nil, baseURL)
		require.NoError(t, err)
		s.refused(list.with("Authorization", "Bearer "+none), http.StatusForbidden, "insufficient_scope")
		s.accepted(get("/test/odd/show").with("Authorization", "-"), http.StatusOK)
	})

	t.Run("a key set that cannot be read is not the partner's fault", func(t *testing.T) {
		s := newService(t, func(o *api.Options) { o.VerifyToken = brokenVerifier })
		_, res := s.refused(list, http.StatusInternalServerError, "internal_error")
		assert.Empty(t, res.header.Get("WWW-Authenticate"))
		assert.Equal(t, "the disk is on fire", s.log.last(t)["error"])
	})

	t.Run("refusals come before the body is read", func(t *testing.T) {
		s := newService(t)
		s.refused(create("{").with("Authorization", "-"), http.StatusUnauthorized, "unauthorized")
		s.refused(create("{").with("Authorization", "Bearer "+s.token("acme", "pfm")), http.StatusForbidden, "insufficient_scope")
	})
}

func brokenVerifier(context.Context, string, string) (token.Principal, error) {
	return token.Principal{}, errUnexpected
}

func TestActingUser(t *testing.T) {
	t.Parallel()
	who := get("/test/v1/who")

	t.Run("must be a UUID in plain form", func(t *testing.T) {
		s := newService(t)
		for _, sent := range []string{
			"-", "", " ", "customer-4711", "1b4e28ba2fa14d1e883f0016d3cca427", "{" + userID + "}", "urn:uuid:" + userID,
			userID + "," + userID, userID[:35], userID + "0", "1b4e28ba-2fa1-4d1e-883f-0016d3cca42g",
		} {
			p, _ := s.refused(who.with("X-User-Id", sent), http.StatusBadRequest, "user_id_required")
			require.Len(t, p.Errors, 1)
			assert.Equal(t, "X-User-Id", p.Errors[0].Header)
			assert.Contains(t, p.Detail, "in the header X-User-Id")
		}
	})

	t.Run("reaches the operation in lower case, with its partner", func(t *testing.T) {
		s := newService(t)
		res := s.accepted(who.with("X-User-Id", "1B4E28BA-2FA1-4D1E-883F-0016D3CCA427").with("X-Request-Id", "r-1"), http.StatusOK)
		want := `{"partner":"acme","user":"` + userID + `","baseUrl":"` + baseURL + `","requestId":"r-1"}`
		assert.JSONEq(t, `{"data":`+want+`,"meta":{"pagination":{}}}`, res.body)
	})

	t.Run("is not required if the operation needs no user", func(t *testing.T) {
		s := newService(t)
		s.accepted(get("/test/v1/things").with("X-User-Id", "nobody"), http.StatusOK)
	})
}
