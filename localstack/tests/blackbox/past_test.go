package blackbox_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/console/consoledb"
	"aviso/internal/console/feed"
	"aviso/internal/owner"
)

// kept returns what the console has kept.
func kept(t *testing.T) *consoledb.Store {
	t.Helper()
	return consoledb.New(tables(t), "ConsoleTable", "IdentityTable", time.Now)
}

// What a request caused reaches the console: its log line, its events and their callbacks.
func TestTheConsoleSeesWhatHappens(t *testing.T) {
	p, r := newPartner(t, "sandbox"), newReceiver(t, answering(http.StatusInternalServerError, ""))
	p.subscribe(t, r, "cancellation.created")
	requestID := uuid.NewString()
	a := p.send(t, http.MethodPost, cancellations, letterTo(p.product(t, "Nur E-Mail")), "X-Request-Id", requestID)
	require.Equal(t, http.StatusCreated, a.status, string(a.body))

	store, partner := kept(t), owner.PartnerID(p.id)
	var found feed.Trace
	var created feed.Event
	eventually(t, func() bool {
		var err error
		if found, err = store.Find(t.Context(), partner, requestID); err != nil {
			return false
		}
		for _, e := range found.Events {
			if e.Type == "cancellation.created" {
				created = e
			}
		}
		counted, err := store.Overview(t.Context(), partner, feed.Day)
		return err == nil && created.ID != "" && len(found.Requests) == 1 && counted.Total()["callbacks.HttpError"] > 0
	}, patience, 100*time.Millisecond)
	assert.Equal(t, "POST /cancellations/v1/cancellations", found.Requests[0].Route)
	assert.Equal(t, http.StatusCreated, found.Requests[0].Status)
	assert.Equal(t, owner.UserID(p.user), created.User)

	timeline, _, err := store.Timeline(t.Context(), owner.User{Partner: partner, ID: created.User}, 20, "")
	require.NoError(t, err)
	assert.Contains(t, timeline, created)
	counted, err := store.Overview(t.Context(), partner, feed.Day)
	require.NoError(t, err)
	total := counted.Total()
	assert.Positive(t, total[feed.CountRequests])
	assert.Positive(t, total["letters.Created"])
}

// A failed request is found by the trace ID in its answer.
func TestTheConsoleFindsAFailedRequest(t *testing.T) {
	p := newPartner(t, "sandbox")
	a := p.send(t, http.MethodGet, "/openbanking/v1/connections/"+uuid.NewString(), nil)
	require.Equal(t, http.StatusNotFound, a.status)
	var problem struct{ TraceID string }
	a.decode(t, &problem)
	require.NotEmpty(t, problem.TraceID)
	eventually(t, func() bool {
		found, err := kept(t).Find(t.Context(), owner.PartnerID(p.id), problem.TraceID)
		return err == nil && len(found.Requests) == 1 && found.Requests[0].Status == http.StatusNotFound
	}, patience, 100*time.Millisecond)
	_, err := kept(t).Find(t.Context(), "sandbox-2", problem.TraceID)
	require.Error(t, err)

	for partner, want := range map[string]int{p.id: http.StatusOK, "sandbox-2": http.StatusNotFound} {
		visitor := signedIn(t, partner)
		res, err := visitor.Get(service.baseURL + "/console/requests/" + problem.TraceID)
		require.NoError(t, err)
		page, err := io.ReadAll(res.Body)
		require.NoError(t, errors.Join(err, res.Body.Close()))
		assert.Equal(t, want, res.StatusCode)
		assert.Equal(t, want == http.StatusOK, strings.Contains(string(page), "/openbanking/v1/connections/{connectionId}"))
	}
}

// signedIn returns a browser that has signed in to the console with a seeded partner's secret.
func signedIn(t *testing.T, partner string) *http.Client {
	t.Helper()
	cookies, err := cookiejar.New(nil)
	require.NoError(t, err)
	visitor := &http.Client{Jar: cookies}
	res, err := visitor.PostForm(service.baseURL+"/console/sign-in", url.Values{
		"clientId": {partner}, "clientSecret": {partner + "-secret"},
	})
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusOK, res.StatusCode)
	return visitor
}
