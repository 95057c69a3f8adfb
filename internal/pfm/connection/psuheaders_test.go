package connection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmtest"
)

func TestBanksGetTheHeadersThatTheyWant(t *testing.T) {
	browser := visitor
	browser.Headers = map[string]string{"PSU-Accept-Language": "de-DE", "PSU-User-Agent": "Browser", "PSU-Geo-Location": "GEO:1"}
	withProfile := func(t *testing.T, headers ...string) *world {
		w := newWorld(t)
		p := pfmtest.Provider()
		p.Profile.Headers = headers
		require.NoError(t, w.store.PutProvider(t.Context(), p))
		return w
	}

	t.Run("when the user connects", func(t *testing.T) {
		w := withProfile(t, "PSU-Accept-Language", "PSU-Device-ID")
		c := w.create()
		w.visitor = browser
		w.browser(c.ID)
		want := map[string]string{"PSU-Accept-Language": "de-DE"}
		assert.Equal(t, want, w.bank.Requested[0].PSUHeaders)

		w.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentValid, ValidUntil: "2026-05-31"})
		_, err := w.back(stateOf(w, w.bank.Requested[0]), false)
		require.NoError(t, err)
		jobs := w.jobs()
		require.Len(t, jobs, 1)
		assert.Equal(t, want, jobs[0].PSUHeaders)
	})

	t.Run("when a partner refreshes for a present user", func(t *testing.T) {
		w := withProfile(t, "PSU-User-Agent", "PSU-Geo-Location")
		c := w.synced()
		w.bank.Listed = []pfm.BankAccount{current("r1", "DE1")}
		w.clock.Advance(time.Hour)
		_, err := w.connections.Refresh(t.Context(), pfmtest.User(), c.ID, browser, nil)
		require.NoError(t, err)
		job := w.jobs()[len(w.jobs())-1]
		require.NoError(t, w.syncer.Sync(t.Context(), job, 1))
		asked := w.bank.Calls
		assert.Equal(t, map[string]string{"PSU-User-Agent": "Browser", "PSU-Geo-Location": "GEO:1"},
			asked[len(asked)-1].Session.PSUHeaders)
	})

	t.Run("never without the user", func(t *testing.T) {
		w := withProfile(t, "PSU-User-Agent")
		c := w.synced()
		w.bank.Listed = []pfm.BankAccount{current("r1", "DE1")}
		w.clock.Advance(time.Hour)
		absent := browser
		absent.IPAddress = ""
		_, err := w.connections.Refresh(t.Context(), pfmtest.User(), c.ID, absent, nil)
		require.NoError(t, err)
		job := w.jobs()[len(w.jobs())-1]
		assert.Empty(t, job.PSUHeaders)
		job.PSUHeaders, job.PSUIPAddress = browser.Headers, browser.IPAddress
		require.NoError(t, w.syncer.Sync(t.Context(), job, 2), "by a later attempt, the user has left")
		asked := w.bank.Calls
		assert.Empty(t, asked[len(asked)-1].Session.PSUHeaders)
	})

	t.Run("when an aggregator's bank wants them", func(t *testing.T) {
		w := newWorld(t)
		p := pfmtest.Provider()
		p.Endpoint.ASPSP = pfm.ASPSP{
			Name: p.Name, Country: "DE", PSUHeaders: []string{"Psu-Ip-Address", "psu-user-agent", "Psu-Accept-language"},
		}
		require.NoError(t, w.store.PutProvider(t.Context(), p))
		c := w.create()
		w.visitor = browser
		w.browser(c.ID)
		assert.Equal(t, map[string]string{"PSU-Accept-Language": "de-DE", "PSU-User-Agent": "Browser"},
			w.bank.Requested[0].PSUHeaders)
	})

	t.Run("not if they want none", func(t *testing.T) {
		w := withProfile(t)
		c := w.create()
		w.visitor = browser
		w.browser(c.ID)
		assert.Empty(t, w.bank.Requested[0].PSUHeaders)
	})
}
