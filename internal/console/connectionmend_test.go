package console_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/console"
	"aviso/internal/identity"
	"aviso/internal/owner"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

// readyToConnect has alpha's return URL, the terms that a user has accepted, and the bank.
func readyToConnect(t *testing.T, w *world) owner.User {
	t.Helper()
	_, err := w.partners.SetReturnURLs(t.Context(), "alpha", []string{"https://alpha.example/back"})
	require.NoError(t, err)
	agreements := identity.NewAgreements(w.users.rows, w.clock.Now)
	user := w.users.create(t, "alpha", "customer-1")
	for _, kind := range []identity.TermsType{identity.TermsOperator, identity.TermsBankingSupplier} {
		_, err := agreements.Accept(t.Context(), user, kind, "1", nil)
		require.NoError(t, err)
	}
	require.NoError(t, w.users.banking.PutProvider(t.Context(), pfmtest.Provider()))
	return user
}

func TestBanksAnswerIsShown(t *testing.T) {
	w := newWorld(t)
	user := w.users.create(t, "alpha", "customer-1")
	k := w.users.connect(t, user, func(k *connection.Connection) {
		k.Reason, k.SyncFailing = "SupplierUnavailable", true
		k.Refusal = &connection.Refusal{
			At: w.clock.Now(), Operation: "read transactions", Status: 503, Code: "SERVICE_BLOCKED",
			Message: "Closed <b>until 6</b>", RequestID: "99391c7e-ad88-49ec-a2ad-99ddcb1f7721",
		}
	})
	page := w.as(t, "alpha", console.Viewer).get(t, "/console/connections/"+k.ID).body
	shows(t, page, "503 Service Unavailable", "SERVICE_BLOCKED", "Closed &lt;b&gt;until 6&lt;/b&gt;",
		"99391c7e-ad88-49ec-a2ad-99ddcb1f7721", "read transactions")
	k = w.users.connect(t, user, func(k *connection.Connection) { k.Refusal = &connection.Refusal{Operation: "list accounts"} })
	shows(t, w.as(t, "alpha", console.Viewer).get(t, "/console/connections/"+k.ID).body, "No answer", "list accounts")
}

func TestReadNow(t *testing.T) {
	w := newWorld(t)
	k := w.users.connect(t, readyToConnect(t, w))
	path := "/console/connections/" + k.ID
	hides(t, w.as(t, "alpha", console.Viewer).get(t, path).body, "read now", "make a link")
	developer := w.as(t, "alpha", console.Developer)
	shows(t, developer.get(t, path).body, "Yes, read now")
	res := developer.post(t, path+"/read", url.Values{})
	require.Equal(t, http.StatusSeeOther, res.StatusCode, res.body)
	got, err := w.users.banking.Connection(t.Context(), k.Owner, k.ID)
	require.NoError(t, err)
	assert.Equal(t, w.clock.Now(), got.SyncRequestedAt)
	assert.Len(t, got.Unattended, 1)
	entry := w.entries(t, "alpha")[0]
	assert.Equal(t, []string{"connection.read", "Done"}, []string{entry.Action, string(entry.Result)})
	assert.Contains(t, entry.Detail, k.ID)

	t.Run("says when it is possible", func(t *testing.T) {
		recent := w.users.connect(t, k.Owner, func(k *connection.Connection) { k.LastSuccessAt = w.clock.Now().Add(-time.Minute) })
		page := developer.get(t, "/console/connections/"+recent.ID).body
		shows(t, page, "Not possible", "refreshTimeoutMinutes", "in 59 minutes")
		hides(t, page, "read now")
		res := developer.post(t, "/console/connections/"+recent.ID+"/read", url.Values{})
		assert.Equal(t, http.StatusTooManyRequests, res.StatusCode)
	})
	t.Run("only for developers of the partner", func(t *testing.T) {
		assert.Equal(t, http.StatusForbidden, w.as(t, "alpha", console.Viewer).post(t, path+"/read", url.Values{}).StatusCode)
		assert.Equal(t, http.StatusNotFound, w.as(t, "beta", console.Developer).post(t, path+"/read", url.Values{}).StatusCode)
	})
}

func TestMakeALink(t *testing.T) {
	w := newWorld(t)
	user := readyToConnect(t, w)
	k := w.users.connect(t, user, func(k *connection.Connection) {
		k.Status, k.Reason, k.ConsentExpiresAt = connection.Expired, connection.ReasonConsentExpired, w.clock.Now().Add(-time.Hour)
	})
	path := "/console/connections/" + k.ID
	developer := w.as(t, "alpha", console.Developer)
	page := developer.get(t, path).body
	shows(t, page, "Yes, make a link")
	hides(t, page, "read now", "Not possible")
	res := developer.post(t, path+"/link", url.Values{})
	require.Equal(t, http.StatusOK, res.StatusCode, res.body)
	shows(t, res.body, "https://alpha.example/back", "30 minutes")
	assert.Regexp(t, `https://aviso\.test/connect\?connectionId=`+k.ID+`&amp;link=[\w-]{20,}`, res.body)
	got, err := w.users.banking.Connection(t.Context(), user, k.ID)
	require.NoError(t, err)
	assert.Equal(t, connection.Pending, got.Status)
	assert.NotContains(t, w.log.String(), "link=")
	for _, entry := range w.entries(t, "alpha") {
		assert.NotContains(t, entry.Detail, "http")
	}

	t.Run("for a user who has accepted the terms", func(t *testing.T) {
		other := w.users.connect(t, w.users.create(t, "alpha", "customer-2"))
		res := developer.post(t, "/console/connections/"+other.ID+"/link", url.Values{})
		assert.Equal(t, http.StatusConflict, res.StatusCode)
		shows(t, res.body, "terms")
	})
	t.Run("only for developers of the partner", func(t *testing.T) {
		assert.Equal(t, http.StatusForbidden, w.as(t, "alpha", console.Viewer).post(t, path+"/link", url.Values{}).StatusCode)
		assert.Equal(t, http.StatusNotFound, w.as(t, "beta", console.Developer).post(t, path+"/link", url.Values{}).StatusCode)
	})
}
