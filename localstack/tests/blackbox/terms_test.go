//go:build nightly

package blackbox_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/identity/identitydb"
)

// operator gives the operator function a command and returns its answer.
func operator(t *testing.T, event map[string]any) answer {
	t.Helper()
	body, err := json.Marshal(event)
	require.NoError(t, err)
	return send(t, request{
		method: http.MethodPost, path: noted(t, "lambda-endpoint") + "/2015-03-31/functions/operator/invocations",
		body: string(body), header: map[string]string{"Authorization": "AWS4-HMAC-SHA256 Credential=local"},
	})
}

func publishTerms(t *testing.T, version string, effective time.Time) {
	t.Helper()
	e := map[string]any{
		"command": "publish-terms", "termsType": "Operator", "version": version, "url": "https://aviso.example/terms/" + version,
	}
	if !effective.IsZero() {
		e["effectiveFrom"] = effective.UTC().Format(time.RFC3339)
	}
	a := operator(t, e)
	require.NotContains(t, string(a.body), "errorMessage", string(a.body))
}

// The button of an app of Bluesky that deletes the account did not work until the user accepted terms of the future, and
// Thunderbird's accounts had no way to decline terms and leave. It runs before the parallel tests, which accept whatever
// terms are in force then.
func TestTermsThatArePublishedLockNobodyIn(t *testing.T) {
	people := identitydb.New(tables(t), "IdentityTable")
	seeded, err := people.Terms(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, people.PublishTerms(context.Background(), seeded[0])) })
	p, leaving := anotherPartner(t, "sandbox"), anotherPartner(t, "sandbox")
	l := p.connected(t, "lindenmark")
	publishTerms(t, "walk-later", time.Now().Add(48*time.Hour))
	var terms struct {
		Data struct {
			Terms []struct {
				TermsType, Version string
				EffectiveFrom      time.Time
			}
		}
	}
	p.send(t, http.MethodGet, "/identity/v1/terms", nil).decode(t, &terms)
	require.Len(t, terms.Data.Terms, 4)
	assert.Equal(t, "walk-later", terms.Data.Terms[1].Version)
	assert.WithinDuration(t, time.Now().Add(48*time.Hour), terms.Data.Terms[1].EffectiveFrom, time.Minute)
	assert.Equal(t, http.StatusOK, anotherPartner(t, "sandbox").send(t, http.MethodGet, "/openbanking/v1/accounts", nil).status)

	publishTerms(t, "walk-now", time.Time{})
	eventually(t, func() bool { // instances remember for a minute which terms are in force
		return p.send(t, http.MethodGet, "/openbanking/v1/accounts", nil).status == http.StatusForbidden
	}, 2*patience, time.Second, "the new terms are not required")
	before := p.connection(t, l.ConnectionID).LastSuccessAt
	age(t, p, l.ConnectionID)
	p.refused(t, http.MethodPost, "/openbanking/v1/connections/"+l.ConnectionID+"/refresh", nil, 403, "terms_not_accepted")
	c := p.connection(t, l.ConnectionID)
	assert.Equal(t, "Active", c.ConnectionStatus)
	assert.False(t, c.LastSuccessAt.After(before), "the bank is not read")
	assert.Equal(t, http.StatusOK, p.send(t, http.MethodGet, "/openbanking/v1/connections", nil).status)
	assert.Equal(t, http.StatusNoContent,
		p.send(t, http.MethodDelete, "/openbanking/v1/connections/"+l.ConnectionID, nil).status)
	assert.Equal(t, http.StatusAccepted, leaving.send(t, http.MethodDelete, "/identity/v1/users/"+leaving.user, nil).status)
}
