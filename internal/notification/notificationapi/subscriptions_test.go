package notificationapi_test

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/aws/config"
	"aviso/internal/clock"
	"aviso/internal/messaging/outbox"
	"aviso/internal/notification"
	"aviso/localstack/tests/apitest"
	"aviso/localstack/tests/notificationtest"
)

func TestSubscriptions(t *testing.T) {
	s := newService(t, config.Test)
	a := s.post("/subscriptions", wish(nil))
	require.Equal(t, http.StatusCreated, a.StatusCode, a.Body)
	made, secret := a.Object("data", "subscription"), a.Object("data", "secret")
	id := a.Text("data", "subscription", "subscriptionId")

	t.Run("have the members of the interface", func(t *testing.T) {
		require.NoError(t, uuid.Validate(id))
		assert.Equal(t, map[string]any{
			"subscriptionId": id,
			"serverUrl":      "https://partner.example/aviso",
			"events":         []any{"cancellation.sent", "connection.expired"},
			"description":    "production",
			"status":         "Active",
			"statusReason":   "",
			"createdAt":      "2026-03-02T12:00:00Z",
			"updatedAt":      "2026-03-02T12:00:00Z",
		}, made)
		assert.Equal(t, []string{"createdAt", "expiresAt", "key", "secretId", "status"}, members(secret))
		assert.Equal(t, "Active", secret["status"])
		assert.Nil(t, secret["expiresAt"])
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(a.Text("data", "secret", "key"), "whsec_"))
		require.NoError(t, err)
		assert.Len(t, key, 32)
		assert.Equal(t, map[string]any{"pagination": map[string]any{}}, a.Member("meta"))
	})

	t.Run("are read and listed without their key", func(t *testing.T) {
		one := s.get("/subscriptions/" + strings.ToUpper(id))
		require.Equal(t, http.StatusOK, one.StatusCode, one.Body)
		assert.Equal(t, map[string]any{"subscription": made}, one.Member("data"))
		assert.Equal(t, 1, s.edge.Calls())
		list := s.get("/subscriptions")
		require.Equal(t, http.StatusOK, list.StatusCode, list.Body)
		assert.Equal(t, []map[string]any{made}, list.List("data", "subscriptions"))
		assert.Equal(t, 1, s.edge.Calls())
		assert.NotContains(t, one.Body+list.Body+s.edge.Log.String(), "whsec_")
	})

	t.Run("can be updated member by member", func(t *testing.T) {
		s.clock.Advance(time.Minute)
		want := maps.Clone(made)
		want["updatedAt"] = "2026-03-02T12:01:00Z"
		for name, v := range map[string]any{"serverUrl": "http://partner.example:8080/other", "events": []any{"*"}, "description": ""} {
			want[name] = v
			changed := s.as("p", http.MethodPatch, "/subscriptions/"+id, map[string]any{name: v})
			require.Equal(t, http.StatusOK, changed.StatusCode, changed.Body)
			assert.Equal(t, map[string]any{"subscription": want}, changed.Member("data"))
		}
		same := s.as("p", http.MethodPatch, "/subscriptions/"+id, map[string]any{})
		assert.Equal(t, map[string]any{"subscription": want}, same.Member("data"))
	})

	t.Run("can be paused and resumed", func(t *testing.T) {
		for _, status := range []string{"Paused", "Paused", "Active"} {
			set := s.as("p", http.MethodPut, "/subscriptions/"+id+"/status", map[string]any{"status": status})
			require.Equal(t, http.StatusOK, set.StatusCode, set.Body)
			assert.Equal(t, status, set.Member("data", "subscription", "status"))
		}
	})

	t.Run("can be deleted once", func(t *testing.T) {
		gone := s.as("p", http.MethodDelete, "/subscriptions/"+id, nil)
		assert.Equal(t, http.StatusNoContent, gone.StatusCode)
		assert.Empty(t, gone.Body)
		s.as("p", http.MethodDelete, "/subscriptions/"+id, nil).Refused(http.StatusNotFound, "not_found")
		s.get("/subscriptions/"+id).Refused(http.StatusNotFound, "not_found")
		assert.Empty(t, s.get("/subscriptions").Member("data", "subscriptions"))
	})
}

func TestASubscriptionThatFailsSaysSinceWhenAndWhy(t *testing.T) {
	s := newService(t, config.Test)
	id := s.subscribe("p")
	path := "/subscriptions/" + id
	have := func() []any {
		subscription := s.get(path).Object("data", "subscription")
		return []any{subscription["failingSince"], subscription["failingReason"], subscription["failingDetail"]}
	}
	assert.Equal(t, []any{nil, nil, nil}, have())

	sub, err := s.store.Subscription(t.Context(), "p", id)
	require.NoError(t, err)
	d := notificationtest.SampleDelivery(sub)
	d.User = ""
	_, err = notificationtest.Create(t.Context(), s.store, d)
	require.NoError(t, err)
	sub.FailingSince = clock.Real(notificationtest.Noon())
	sub.FailingReason, sub.FailingDetail = notification.OutcomeDNSError, "no such name"
	require.NoError(t, s.store.SaveFailing(t.Context(), sub, d, notification.Attempt{ID: "a"}, outbox.Event{ID: "e"}))
	assert.Equal(t, []any{"2026-03-02T12:00:00Z", "DnsError", "no such name"}, have())
	require.NoError(t, s.store.NoteAcknowledged(t.Context(), "p", id, clock.Real(notificationtest.Noon())))
	assert.Equal(t, []any{nil, nil, nil}, have())
}

func TestSubscriptionsOfOthersAreNotFound(t *testing.T) {
	s := newService(t, config.Test)
	path := "/subscriptions/" + s.subscribe("q")
	secretID := s.as("q", http.MethodGet, path+"/secrets", nil).List("data", "secrets")[0]["secretId"].(string)
	for _, r := range []struct {
		method, path string
		body         any
	}{
		{http.MethodGet, path, nil}, {http.MethodPatch, path, map[string]any{"description": ""}}, {http.MethodDelete, path, nil},
		{http.MethodPut, path + "/status", map[string]any{"status": "Paused"}}, {http.MethodGet, path + "/secrets", nil},
		{http.MethodPost, path + "/secrets", map[string]any{}}, {http.MethodDelete, path + "/secrets/" + secretID, nil}, {http.MethodGet, path + "/attempts", nil},
		{http.MethodPost, "/events", map[string]any{"eventType": "webhook.ping", "subscriptionId": path[len("/subscriptions/"):]}},
	} {
		s.as("p", r.method, r.path, r.body).Refused(http.StatusNotFound, "not_found")
	}
	assert.Equal(t, "Active", s.as("q", http.MethodGet, path, nil).Member("data", "subscription", "status"))
	assert.Empty(t, s.get("/subscriptions").Member("data", "subscriptions"))
}

func TestBadSubscriptions(t *testing.T) {
	s := newService(t, config.Test)
	id := s.subscribe("p")
	many := make([]string, 101)
	for i := range many {
		many[i] = "webhook.ping"
	}
	for name, tt := range map[string]struct {
		change   map[string]any
		pointers []string
	}{
		"an empty address":           {map[string]any{"serverUrl": ""}, []string{"/serverUrl"}},
		"an address too long":        {map[string]any{"serverUrl": "https://partner.example/" + strings.Repeat("a", 2000)}, []string{"/serverUrl"}},
		"not a URL":                  {map[string]any{"serverUrl": "partner"}, []string{"/serverUrl"}},
		"another scheme":             {map[string]any{"serverUrl": "ftp://partner.example/"}, []string{"/serverUrl"}},
		"no host":                    {map[string]any{"serverUrl": "https:///aviso"}, []string{"/serverUrl"}},
		"user information":           {map[string]any{"serverUrl": "https://me:eCh0@partner.example/"}, []string{"/serverUrl"}},
		"a fragment":                 {map[string]any{"serverUrl": "https://partner.example/#a"}, []string{"/serverUrl"}},
		"a space":                    {map[string]any{"serverUrl": "https://partner.example/a b"}, []string{"/serverUrl"}},
		"a backslash":                {map[string]any{"serverUrl": `https://partner.example\@evil.test/`}, []string{"/serverUrl"}},
		"a port that is not allowed": {map[string]any{"serverUrl": "https://partner.example:9000/"}, []string{"/serverUrl"}},
		"a port of the other scheme": {map[string]any{"serverUrl": "http://partner.example:443/"}, []string{"/serverUrl"}},
		"loopback":                   {map[string]any{"serverUrl": "http://127.0.0.1:8080/"}, []string{"/serverUrl"}},
		"loopback in IPv6":           {map[string]any{"serverUrl": "http://[::1]:8080/"}, []string{"/serverUrl"}},
		"loopback, mapped":           {map[string]any{"serverUrl": "http://[::ffff:127.0.0.1]/"}, []string{"/serverUrl"}},
		"a private address":          {map[string]any{"serverUrl": "https://10.0.0.7/"}, []string{"/serverUrl"}},
		"the metadata address":       {map[string]any{"serverUrl": "http://169.254.169.254/latest"}, []string{"/serverUrl"}},
		"no events":                  {map[string]any{"events": []string{}}, []string{"/events"}},
		"too many events":            {map[string]any{"events": many}, []string{"/events"}},
		"events as a string":         {map[string]any{"events": "*"}, []string{"/events"}},
		"unknown events":             {map[string]any{"events": []string{"connection.expired", "eCh0", "Connection.Expired"}}, []string{"/events/1", "/events/2"}},
		"all events and another":     {map[string]any{"events": []string{"webhook.ping", "*"}}, []string{"/events/1"}},
		"all events twice":           {map[string]any{"events": []string{"*", "*"}}, []string{"/events/0", "/events/1"}},
		"a description too long":     {map[string]any{"description": strings.Repeat("d", 501)}, []string{"/description"}},
		"an unknown member":          {map[string]any{"status": "Paused"}, []string{"/status"}},
		"a bad URL and bad events":   {map[string]any{"serverUrl": "ftp://eCh0", "events": []string{"eCh0"}}, []string{"/serverUrl", "/events/0"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, a := range []apitest.Response{s.post("/subscriptions", wish(tt.change)), s.as("p", http.MethodPatch,
				"/subscriptions/"+id, tt.change)} {
				a.Refused(http.StatusUnprocessableEntity, "validation_failed", tt.pointers...)
				assert.NotContains(t, a.Body, "eCh0")
			}
		})
	}
	t.Run("codes", func(t *testing.T) {
		a := s.post("/subscriptions", wish(map[string]any{"serverUrl": "ftp://a.example/", "events": []string{"*", "nothing"}}))
		a.Refused(http.StatusUnprocessableEntity, "validation_failed", "/serverUrl", "/events/0", "/events/1")
		for i, code := range []string{"refused", "alone", "unknown"} {
			assert.Equal(t, code, a.List("errors")[i]["code"])
		}
	})
	t.Run("missing URL or events", func(t *testing.T) {
		for _, name := range []string{"serverUrl", "events"} {
			for _, none := range []any{nil, json.RawMessage("null")} {
				s.post("/subscriptions", wish(map[string]any{name: none})).Refused(http.StatusUnprocessableEntity, "validation_failed")
			}
		}
	})
	t.Run("status that a partner cannot set", func(t *testing.T) {
		for _, status := range []any{"Disabled", "active", "", 1, nil} {
			a := s.as("p", http.MethodPut, "/subscriptions/"+id+"/status", map[string]any{"status": status})
			a.Refused(http.StatusUnprocessableEntity, "validation_failed", "/status")
		}
	})
	list := s.get("/subscriptions").List("data", "subscriptions")
	require.Len(t, list, 1, "a refused request writes nothing")
	assert.Equal(t, list[0]["createdAt"], list[0]["updatedAt"])
}

func TestLoopbackIsForLocalOnly(t *testing.T) {
	s := newService(t, config.Local)
	a := s.post("/subscriptions", wish(map[string]any{"serverUrl": "http://127.0.0.1:39000/"}))
	assert.Equal(t, http.StatusCreated, a.StatusCode, a.Body)
	a = s.post("/subscriptions", wish(map[string]any{"serverUrl": "http://10.0.0.7:8080/"}))
	a.Refused(http.StatusUnprocessableEntity, "validation_failed", "/serverUrl")
}

func TestPartnersHaveAtMostFiftySubscriptions(t *testing.T) {
	s := newService(t, config.Test)
	for range 50 {
		sub := notification.Subscription{ID: uuid.NewString(), Partner: "p", Events: []string{"*"}}
		require.NoError(t, s.store.CreateSubscription(t.Context(), sub, notification.Secret{ID: uuid.NewString()}, nil))
	}
	s.post("/subscriptions", wish(nil)).Refused(http.StatusConflict, "conflict")
	s.subscribe("q")
}

func TestDisabledSubscriptions(t *testing.T) {
	s := newService(t, config.Test)
	for _, tt := range []struct {
		reason notification.SubscriptionReason
		want   int
	}{{notification.ReasonTooManyFailures, http.StatusOK}, {notification.ReasonByOperator, http.StatusConflict}} {
		path := "/subscriptions/" + s.subscribe("p")
		sub, err := s.store.Subscription(t.Context(), "p", strings.TrimPrefix(path, "/subscriptions/"))
		require.NoError(t, err)
		sub.Status, sub.Reason = notification.SubscriptionDisabled, tt.reason
		require.NoError(t, s.store.SaveSubscription(t.Context(), sub))
		assert.Equal(t, string(tt.reason), s.get(path).Member("data", "subscription", "statusReason"))
		s.as("p", http.MethodPut, path+"/status", map[string]any{"status": "Paused"}).Refused(http.StatusConflict, "conflict")
		assert.Equal(t, tt.want, s.as("p", http.MethodPut, path+"/status", map[string]any{"status": "Active"}).StatusCode, tt.reason)
		now, want := s.get(path).Object("data", "subscription"), []any{"Active", ""}
		if tt.want != http.StatusOK {
			want = []any{"Disabled", string(tt.reason)}
		}
		assert.Equal(t, want, []any{now["status"], now["statusReason"]})
	}
}
