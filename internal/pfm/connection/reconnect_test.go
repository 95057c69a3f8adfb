package connection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

// reconnect prepares a new link.
func (w *world) reconnect(id string) connection.Connection {
	w.Helper()
	c, err := w.connections.Reconnect(w.Context(), pfmtest.User(), id, returnURL, nil)
	require.NoError(w, err)
	w.links.Store(c.ID, c.Authorisation.Link)
	return c
}

// authorise opens the link and comes back from the bank with a valid consent.
func (w *world) authorise(id string) {
	w.Helper()
	_, err := w.visit(id)
	require.NoError(w, err)
	w.bank.SetConsent(w.read(id).Authorisation.ConsentID, pfm.Consent{State: pfm.ConsentValid, ValidUntil: "2026-08-15"})
	w.finish(w.state())
}

func TestReconnect(t *testing.T) {
	for _, status := range []connection.Status{connection.Failed, connection.ActionRequired,
		connection.Expired, connection.Revoked, connection.Active} {
		t.Run("from "+string(status)+" keeps every ID", func(t *testing.T) {
			w := newWorld(t)
			was := w.in(status)
			accounts, rows := w.accounts(), w.transactions()
			w.clock.Advance(time.Hour)
			c := w.reconnect(was.ID)
			assert.Equal(t, w.clock.Now().Add(connection.LinkLifetime), c.Authorisation.ExpiresAt)
			if status == connection.Active {
				assert.Equal(t, connection.Active, c.Status)
			} else {
				assert.Equal(t, connection.Pending, c.Status)
			}
			assert.Empty(t, c.Reason)
			assert.Equal(t, accounts, w.accounts(), "the data stays visible")
			assert.Empty(t, w.jobs())

			w.authorise(was.ID)
			got := w.read(was.ID)
			assert.Equal(t, connection.Active, got.Status)
			assert.Equal(t, "consent-2", got.ConsentID)
			assert.Equal(t, time.Date(2026, 8, 16, 0, 0, 0, 0, time.UTC), got.ConsentExpiresAt)
			w.bank.Listed[0].ResourceID, w.bank.Listed[1].ResourceID = "r2", "r1" // they are not valid under another consent
			w.bank.Rows["r1"], w.bank.Rows["r2"] = w.bank.Rows["r2"], w.bank.Rows["r1"]
			w.run(w.jobs()...)
			assert.Equal(t, []string{"consent-1"}, w.bank.Ended, "the previous consent")
			assert.Equal(t, w.clock.Now(), w.read(was.ID).LastSuccessAt)
			again := w.accounts()
			require.Len(t, again, len(accounts))
			for i := range again {
				assert.Equal(t, accounts[i].ID, again[i].ID)
				assert.Equal(t, accounts[i].IBAN, again[i].IBAN)
			}
			for i, row := range w.transactions() {
				assert.Equal(t, rows[i].ID, row.ID)
			}
		})
	}

	t.Run("from Pending replaces the open link", func(t *testing.T) {
		w := newWorld(t)
		c, state := w.open()
		w.clock.Advance(time.Minute)
		again := w.reconnect(c.ID)
		assert.Equal(t, connection.Pending, again.Status)
		assert.Equal(t, c.Authorisation.ExpiresAt.Add(time.Minute), again.Authorisation.ExpiresAt)
		_, err := w.back(state, false)
		require.ErrorIs(t, err, connection.ErrLinkUsed)
		w.run(w.jobs()...)
		assert.Equal(t, []string{"consent-1"}, w.bank.Ended, "nobody should be able to authorise it")
		w.authorise(c.ID)
		assert.Equal(t, "consent-2", w.read(c.ID).ConsentID)
	})

	t.Run("works after a link has expired unnoticed", func(t *testing.T) {
		w := newWorld(t)
		c := w.create()
		w.clock.Advance(connection.LinkLifetime)
		assert.Equal(t, connection.Pending, w.reconnect(c.ID).Status)
		w.authorise(c.ID)
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})

	t.Run("uses the provider's current data", func(t *testing.T) {
		w, c := synced(t)
		p, yes := pfmtest.Provider(), true
		p.Name, p.LogoURL, p.RefreshTimeoutMinutes, p.AutomaticFetch = "Nordlicht & Söhne", "https://aviso.example/logos/new.svg", 15, &yes
		require.NoError(t, w.store.PutProvider(t.Context(), p))
		got := w.reconnect(c.ID)
		assert.Equal(t, p.Name, got.ProviderName)
		assert.Equal(t, p.LogoURL, got.LogoURL)
		assert.Equal(t, 15, got.RefreshTimeoutMinutes)
		assert.True(t, got.AutomaticFetch)
	})

	t.Run("rejects what a new connection would be rejected for", func(t *testing.T) {
		w, c := synced(t)
		before := w.rows()
		_, err := w.connections.Reconnect(t.Context(), pfmtest.User(), c.ID, "https://evil.example/", nil)
		assert.True(t, apierror.Is(err, apierror.ReturnURLNotRegistered), err)
		_, err = w.connections.Reconnect(t.Context(), pfmtest.User(), pfmtest.ID(1), returnURL, nil)
		assert.True(t, apierror.Is(err, apierror.NotFound), err)
		p := pfmtest.Provider()
		p.Status = pfm.ProviderDisabled
		require.NoError(t, w.store.PutProvider(t.Context(), p))
		_, err = w.connections.Reconnect(t.Context(), pfmtest.User(), c.ID, returnURL, nil)
		assert.True(t, apierror.Is(err, apierror.ProviderNotAvailable), err)
		assert.Equal(t, before, w.rows())
	})
}

func TestRenewal(t *testing.T) {
	t.Run("leaves everything as it is while the user is at the bank, and if the renewal fails", func(t *testing.T) {
		for name, fail := range map[string]func(w *world, id string){
			"the link expires": func(w *world, id string) {
				w.clock.Advance(connection.LinkLifetime)
				_, err := w.visit(id)
				require.ErrorIs(t, err, connection.ErrLinkExpired)
			},
			"housekeeping closes the expired link": func(w *world, _ string) {
				w.clock.Advance(connection.LinkLifetime)
				w.housekeep()
			},
			"the user refuses": func(w *world, id string) {
				w.browser(id)
				w.bank.SetConsent("consent-2", pfm.Consent{State: pfm.ConsentRejected})
				visit, err := w.back(stateOf(t, w.bank.Requested[1]), true)
				require.NoError(t, err)
				assert.Contains(t, visit.RedirectTo, "status=cancelled")
			},
			"the bank refuses": func(w *world, id string) {
				w.bank.Before = func(string) error { return pfmtest.Failure(pfm.SupplierRejected) }
				_, err := w.visit(id)
				require.ErrorIs(t, err, connection.ErrBankRefused)
			},
		} {
			t.Run(name, func(t *testing.T) {
				w, c := synced(t)
				c.Reason = connection.StatusReason(pfm.SupplierUnavailable)
				require.NoError(t, w.store.SaveConnection(t.Context(), c, nil))
				w.clock.Advance(time.Minute)
				w.reconnect(c.ID)
				fail(w, c.ID)
				got := w.shows(c.ID, connection.Active, c.Reason)
				assert.Equal(t, "consent-1", got.ConsentID)
				assert.Equal(t, c.ConsentExpiresAt, got.ConsentExpiresAt)
				assert.Nil(t, got.Authorisation)
				assert.NotContains(t, w.bank.Ended, "consent-1")
				for _, job := range w.jobs() {
					assert.NotEqual(t, "consent-1", job.ConsentID)
				}
			})
		}
	})

	t.Run("does not report success too early", func(t *testing.T) {
		w, c := synced(t)
		w.reconnect(c.ID)
		w.bank.Before = func(string) error { return pfmtest.Failure(pfm.SupplierUnavailable) }
		visit, err := w.visit(c.ID)
		require.ErrorIs(t, err, connection.ErrBankUnavailable)
		assert.Contains(t, visit.ReturnTo, "status=failed")
		assert.Empty(t, w.read(c.ID).Reason, "the connection itself is fine")
	})

	t.Run("may outlive the consent that it renews", func(t *testing.T) {
		for _, status := range []connection.Status{connection.Expired, connection.Revoked, connection.ActionRequired} {
			w, c := synced(t)
			w.reconnect(c.ID)
			w.browser(c.ID)
			ended := w.read(c.ID)
			ended.Status = status // as a concurrent sync would set it
			require.NoError(t, w.store.SaveConnection(t.Context(), ended, nil))
			w.bank.SetConsent("consent-2", pfm.Consent{State: pfm.ConsentValid})
			w.finish(w.state())
			assert.Equal(t, connection.Active, w.read(c.ID).Status)
			assert.Equal(t, "consent-2", w.read(c.ID).ConsentID)
		}
	})

	t.Run("is still refreshed under the current consent", func(t *testing.T) {
		w, c := synced(t)
		w.clock.Advance(time.Hour)
		w.reconnect(c.ID)
		w.refresh(c.ID)
		w.run(w.jobs()...)
		asked := w.bank.Calls
		assert.Equal(t, "consent-1", asked[len(asked)-1].Session.ConsentID)
		assert.NotNil(t, w.read(c.ID).Authorisation)
	})
}
