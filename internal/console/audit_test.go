package console_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/console"
	"aviso/internal/console/feed"
	"aviso/internal/identity"
	"aviso/internal/owner"
)

func TestAuditLogHasPages(t *testing.T) {
	w := newWorld(t)
	for i := range 60 {
		e := feed.Entry{
			ID: uuid.Must(uuid.NewV7()).String(), At: w.clock.Now(), Who: fmt.Sprintf("person-%02d", i), Role: "viewer",
			Action: "something.new", Result: feed.Begun,
		}
		require.NoError(t, w.store.Begin(t.Context(), "alpha", e))
	}
	v := w.as(t, "alpha", console.Viewer)
	res := v.get(t, "/console/audit")
	assert.Contains(t, res.body, "person-59")
	assert.NotContains(t, res.body, "person-09")
	assert.Contains(t, res.body, "something.new", "an action of another version")
	assert.Contains(t, res.body, "Not known")
	_, older, _ := strings.Cut(res.body, `href="/console/audit?before=`)
	res = v.get(t, "/console/audit?before="+older[:36])
	assert.Contains(t, res.body, "person-09")
	assert.NotContains(t, res.body, "person-10")
	assert.Contains(t, res.body, "Newest")
	assert.NotContains(t, res.body, "Older")
	assert.Contains(t, w.as(t, "beta", console.Viewer).get(t, "/console/audit").body, "Nothing was changed yet")
}

// brokenAudit fails at the begin, or at the end.
type brokenAudit struct {
	console.Store
	begin, end error
}

func (b brokenAudit) Begin(ctx context.Context, p owner.PartnerID, e feed.Entry) error {
	if b.begin != nil {
		return b.begin
	}
	return b.Store.Begin(ctx, p, e)
}

func (b brokenAudit) End(context.Context, owner.PartnerID, string, feed.Result, string) error {
	return b.end
}

func TestNothingRunsWithoutTheAuditLog(t *testing.T) {
	down := errors.New("down")
	w := newWorld(t, func(o *console.Options) { o.Store = brokenAudit{o.Store, down, nil} })
	res := w.as(t, "alpha", console.Admin).post(t, "/console/keys", url.Values{"graceHours": {"0"}})
	assert.Equal(t, http.StatusInternalServerError, res.StatusCode)
	assert.Contains(t, res.body, "trace ID")
	assert.Contains(t, w.log.String(), "write audit log: down")
	_, err := w.partners.Authenticate(t.Context(), "alpha", w.secrets["alpha"])
	require.NoError(t, err, "the secret was not replaced")
}

// An action whose end could not be written stays in the log as interrupted.
func TestUnknownEnds(t *testing.T) {
	w := newWorld(t, func(o *console.Options) { o.Store = brokenAudit{o.Store, nil, errors.New("down")} })
	res := w.as(t, "alpha", console.Admin).post(t, "/console/keys", url.Values{"graceHours": {"0"}})
	assert.Equal(t, http.StatusOK, res.StatusCode, "the secret is shown once")
	secretOn(t, res.body)
	_, err := w.partners.Authenticate(t.Context(), "alpha", w.secrets["alpha"])
	require.ErrorIs(t, err, identity.ErrInvalidClient)
	assert.Equal(t, feed.Begun, w.entries(t, "alpha")[0].Result)
	assert.Contains(t, w.log.String(), "down")
}
