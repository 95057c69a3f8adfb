package pfmapi_test

import (
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/apitest"
	"aviso/localstack/tests/pfmtest"
)

// callWith is call with additional headers.
func (s *service) callWith(method, path, body string, extra map[string]string) apitest.Response {
	s.Helper()
	headers := map[string]string{"Authorization": s.edge.Token("sandbox", "pfm"), "X-User-Id": string(pfmtest.User().ID)}
	if body != "" {
		headers["Content-Type"] = "application/json"
	}
	maps.Copy(headers, extra)
	return s.send(method, prefix+path, headers, body)
}

func TestListConnections(t *testing.T) {
	s := newService(t)
	assert.Equal(t, []any{}, s.call(http.MethodGet, "/connections", "").Member("data", "connections"), "never null")
	ids := map[any]bool{}
	for range 3 {
		id, _ := s.link()
		ids[id] = true
	}
	one := s.active()
	ids[one.ID] = true
	seen := map[any]bool{}
	for path := "/connections?limit=1"; ; {
		a := s.ok(path)
		assert.Equal(t, 2, s.calls())
		page := a.List("data", "connections")
		require.Len(t, page, 1)
		seen[page[0]["connectionId"]] = true
		if page[0]["connectionId"] == one.ID {
			assert.Equal(t, s.call(http.MethodGet, "/connections/"+one.ID, "").Member("data", "connection"), any(page[0]))
		}
		token, more := a.Member("meta", "pagination", "nextToken").(string)
		if !more {
			break
		}
		path = "/connections?limit=1&nextToken=" + token
	}
	assert.Equal(t, ids, seen)
}

func TestRefreshConnection(t *testing.T) {
	s := newService(t)
	fill(s)
	c := s.active()
	path := "/connections/" + c.ID + "/refresh"

	t.Run("is rejected too early, with the earliest time", func(t *testing.T) {
		a := s.call(http.MethodPost, path, "")
		assert.Equal(t, http.StatusTooManyRequests, a.StatusCode, a.Body)
		assert.Equal(t, "refresh_too_early", a.Member("code"))
		assert.Equal(t, "2026-03-02T13:00:00Z", a.Member("nextRefreshPossibleAt"))
		assert.Equal(t, "3600", a.Header("Retry-After"))
	})

	s.clock.Advance(time.Hour)
	t.Run("rejects an invalid address", func(t *testing.T) {
		for _, bad := range []string{"1.2.3", "203.0.113.7:80", "fe80::1%eth0", "localhost",
			"203.0.113.7, 203.0.113.8", strings.Repeat("1", 46)} {
			a := s.callWith(http.MethodPost, path, "", map[string]string{"X-Psu-Ip-Address": bad})
			require.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, bad)
			assert.Equal(t, "X-Psu-Ip-Address", a.List("errors")[0]["header"])
			assert.NotContains(t, a.Body, bad)
		}
	})

	t.Run("rejects invalid headers about the user", func(t *testing.T) {
		for name, values := range map[string][]string{
			"X-Psu-Accept":          {strings.Repeat("a", 501), "caf\u00e9", "a\tb"},
			"X-Psu-User-Agent":      {strings.Repeat("a", 501)},
			"X-Psu-Http-Method":     {"get", "TRACE"},
			"X-Psu-Device-Id":       {"1"},
			"X-Psu-Geo-Location":    {"52.506931,13.144558", "GEO:52.5;13.1"},
			"X-Psu-Ip-Port":         {"123456", "http"},
			"X-Psu-Accept-Language": {strings.Repeat("a", 501)},
		} {
			for _, bad := range values {
				a := s.callWith(http.MethodPost, path, "", map[string]string{"X-Psu-Ip-Address": "203.0.113.7", name: bad})
				require.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, name+": "+bad)
				assert.Equal(t, name, a.List("errors")[0]["header"])
			}
		}
	})

	t.Run("is accepted, once", func(t *testing.T) {
		key := map[string]string{
			"X-Psu-Ip-Address": "2001:DB8::1", "Idempotency-Key": "k1", "X-Psu-Accept": "text/html",
			"X-Psu-Accept-Charset": "utf-8", "X-Psu-Accept-Encoding": "gzip", "X-Psu-Accept-Language": "de, en;q=0.5",
			"X-Psu-User-Agent": "Browser/1", "X-Psu-Http-Method": "GET", "X-Psu-Ip-Port": "1234",
			"X-Psu-Device-Id": "99435c7e-ad88-49ec-a2ad-99ddcb1f5555", "X-Psu-Geo-Location": "GEO:52.506931;13.144558",
		}
		a := s.callWith(http.MethodPost, path, "", key)
		require.Equal(t, http.StatusAccepted, a.StatusCode, a.Body)
		assert.Equal(t, c.ID, a.Member("data", "connection", "connectionId"))
		assert.Equal(t, "Active", a.Member("data", "connection", "connectionStatus"))
		again := s.callWith(http.MethodPost, path, "", key)
		assert.Equal(t, http.StatusAccepted, again.StatusCode)
		assert.Equal(t, "true", again.Header("Idempotency-Replayed"))
		lease := connection.Lease{Token: "running", Until: s.clock.Now().Add(time.Minute)}
		_, err := s.store.AcquireSync(t.Context(), pfmtest.User(), c.ID, lease, s.clock.Now())
		require.NoError(t, err)
		running := s.call(http.MethodPost, path, "")
		assert.Equal(t, http.StatusConflict, running.StatusCode)
		assert.Equal(t, "refresh_in_progress", running.Member("code"))
	})

	t.Run("is rejected for a connection that is not active", func(t *testing.T) {
		id, _ := s.link()
		a := s.call(http.MethodPost, "/connections/"+id+"/refresh", "")
		assert.Equal(t, http.StatusConflict, a.StatusCode)
		assert.Equal(t, "connection_not_active", a.Member("code"))
		assert.Equal(t, http.StatusNotFound, s.call(http.MethodPost, "/connections/"+uuid.NewString()+"/refresh", "").StatusCode)
	})
}

func TestReconnectConnection(t *testing.T) {
	s := newService(t)
	c := s.active()
	path := "/connections/" + strings.ToUpper(c.ID) + "/reconnect"
	a := s.call(http.MethodPost, path, `{"returnUrl":"https://partner.example/renewed"}`)
	require.Equal(t, http.StatusCreated, a.StatusCode, a.Body)
	assert.Regexp(t, "^"+base+`/connect\?connectionId=`+c.ID+`&link=[A-Z2-7]{52}$`, a.Member("data", "redirectUrl"))
	assert.Equal(t, map[string]any{
		"redirectUrl": a.Member("data", "redirectUrl"), "expiresAt": "2026-03-02T12:30:00Z", "connectionId": c.ID,
	}, a.Member("data"))
	assert.Equal(t, "Active", s.call(http.MethodGet, "/connections/"+c.ID, "").Member("data", "connection", "connectionStatus"))
	refused := s.call(http.MethodPost, path, `{"returnUrl":"https://evil.example/"}`)
	assert.Equal(t, "return_url_not_registered", refused.Member("code"))
	missing := s.call(http.MethodPost, "/connections/"+uuid.NewString()+"/reconnect", `{"returnUrl":"https://partner.example/"}`)
	assert.Equal(t, "not_found", missing.Member("code"))
}

func TestDeleteConnection(t *testing.T) {
	s := newService(t)
	fill(s)
	c := s.active()
	a := s.call(http.MethodDelete, "/connections/"+c.ID, "")
	assert.Equal(t, http.StatusNoContent, a.StatusCode, a.Body)
	assert.Empty(t, a.Body)
	assert.Equal(t, http.StatusNotFound, s.call(http.MethodDelete, "/connections/"+c.ID, "").StatusCode)
	assert.Equal(t, http.StatusNotFound, s.call(http.MethodGet, "/connections/"+c.ID, "").StatusCode)
	assert.Empty(t, s.call(http.MethodGet, "/accounts", "").List("data", "accounts"))
	deleter := pfmtest.Jobs(s.store, s.bank.Of, pfmtest.Enrich, s.clock.Now)
	require.NoError(t, deleter.Delete(t.Context(), connection.SyncJob{Partner: c.Owner.Partner, User: c.Owner.ID, ConnectionID: c.ID}, 1))
	assert.Empty(t, s.call(http.MethodGet, "/transactions", "").List("data", "transactions"))
	assert.Equal(t, []string{c.ConsentID}, s.bank.Ended)
}

func TestCreateClient(t *testing.T) {
	s := newService(t)
	a := s.call(http.MethodPost, "/clients", `{"countryCode":"DE","languageCode":"de"}`)
	require.Equal(t, http.StatusCreated, a.StatusCode, a.Body)
	id, _ := a.Member("data", "client", "id").(string)
	require.NoError(t, uuid.Validate(id))
	assert.NotEqual(t, string(pfmtest.User().ID), id)
	announced := func(a apitest.Response) {
		assert.Equal(t, "@1767225600", a.Header("Deprecation"))
		assert.Equal(t, "Sat, 01 Jan 2028 00:00:00 GMT", a.Header("Sunset"))
		assert.Equal(t, `<https://aviso.example/docs/versioning#deprecated>; rel="deprecation"`, a.Header("Link"))
	}
	announced(a)
	again := s.call(http.MethodPost, "/clients", `{"countryCode":"FR","languageCode":"fr"}`)
	assert.Equal(t, a.Body, again.Body, "the same user is the same client")
	for _, bad := range []string{`{"countryCode":"DEU","languageCode":"de"}`,
		`{"countryCode":"DE","languageCode":"DE"}`, `{"countryCode":"DE"}`, `{"countryCode":"DE","languageCode":"de","x":1}`} {
		a := s.call(http.MethodPost, "/clients", bad)
		assert.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, bad)
		announced(a)
	}
}
