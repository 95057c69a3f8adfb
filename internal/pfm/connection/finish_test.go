package connection_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

func TestFinish(t *testing.T) {
	t.Run("activates the connection and requests a sync if the consent is valid", func(t *testing.T) {
		w := newWorld(t)
		c, state := w.open()
		w.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentValid, ValidUntil: "2026-05-31"})
		visit := w.finish(state)
		assert.Equal(t, "https://partner.example/back?order=4711&connectionId="+c.ID+"&status=success", visit.RedirectTo)

		stored := w.read(c.ID)
		assert.Equal(t, connection.Active, stored.Status)
		assert.Equal(t, "consent-1", stored.ConsentID)
		assert.Equal(t, time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC), stored.ConsentExpiresAt)
		assert.Equal(t, w.clock.Now(), stored.SyncRequestedAt)
		assert.Nil(t, stored.Authorisation)
		assert.Equal(t, []connection.SyncJob{{
			Partner: "sandbox", User: pfmtest.User().ID, ConnectionID: c.ID, ProviderID: c.ProviderID, PSUIPAddress: "203.0.113.7",
		}}, w.jobs())
	})

	for _, tt := range []struct {
		name    string
		state   pfm.ConsentState
		refused bool
		outcome string
		reason  connection.StatusReason
		ends    bool
	}{
		{"a rejected consent cancels", pfm.ConsentRejected, false, "cancelled", connection.ReasonUserCancelled, false},
		{"a rejected consent cancels at the address for refusals too", pfm.ConsentRejected, true, "cancelled", connection.ReasonUserCancelled, false},
		{"a refusal that the bank has not recorded fails", pfm.ConsentReceived, true, "failed", connection.ReasonAuthorisationFailed, true},
		{"a refusal of a partly authorised consent fails", pfm.ConsentPartiallyAuthorised, true, "failed", connection.ReasonAuthorisationFailed, true},
		{"a consent that has expired fails", pfm.ConsentExpired, false, "failed", connection.ReasonAuthorisationFailed, true},
		{"a consent that was revoked fails", pfm.ConsentRevokedByPSU, false, "failed", connection.ReasonAuthorisationFailed, true},
		{"a consent that was terminated fails", pfm.ConsentTerminatedByTPP, false, "failed", connection.ReasonAuthorisationFailed, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			c, state := w.open()
			w.bank.SetConsent("consent-1", pfm.Consent{State: tt.state})
			visit, err := w.back(state, tt.refused)
			require.NoError(t, err)
			assert.True(t, strings.HasSuffix(visit.RedirectTo, "&status="+tt.outcome), visit.RedirectTo)
			w.shows(c.ID, connection.Failed, tt.reason)
			assert.Empty(t, w.jobs())
			assert.Equal(t, tt.ends, len(w.bank.Ended) == 1)
		})
	}

	t.Run("accepts a valid consent even at the address for users who refuse", func(t *testing.T) {
		w, c, state := approved(t)
		_, err := w.back(state, true)
		require.NoError(t, err)
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})

	t.Run("changes nothing while the consent is received, and can be retried", func(t *testing.T) {
		w := newWorld(t)
		c, state := w.open()
		before := w.rows()
		_, err := w.back(state, false)
		require.ErrorIs(t, err, connection.ErrNotConfirmed)
		assert.Equal(t, before, w.rows())
		w.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentValid})
		w.finish(state)
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})

	t.Run("waits until the link's end for another person's signature", func(t *testing.T) {
		w := newWorld(t)
		c, state := w.open()
		w.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentPartiallyAuthorised})
		for range 2 {
			_, err := w.back(state, false)
			require.ErrorIs(t, err, connection.ErrOtherMustSign)
			w.shows(c.ID, connection.Pending, connection.ReasonPartiallyAuthorised)
		}
		w.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentValid})
		w.finish(state)
		w.shows(c.ID, connection.Active, connection.ReasonNone)
	})

	t.Run("can be retried if the bank does not respond", func(t *testing.T) {
		w, c, state := approved(t)
		w.bank.Before = func(string) error { return pfmtest.Failure(pfm.SupplierUnavailable) }
		_, err := w.back(state, false)
		require.ErrorIs(t, err, connection.ErrBankUnavailable)
		assert.Equal(t, connection.StatusReason("SupplierUnavailable"), w.read(c.ID).Reason)
		w.bank.Before = nil
		w.finish(state)
		w.shows(c.ID, connection.Active, connection.ReasonNone)
	})

	t.Run("fails if the bank no longer knows the consent", func(t *testing.T) {
		w := newWorld(t)
		c, state := w.open()
		w.bank.Before = func(string) error { return pfmtest.Failure(pfm.SupplierConsentUnknown) }
		_, err := w.back(state, false)
		require.ErrorIs(t, err, connection.ErrBankRefused)
		assert.Equal(t, connection.Failed, w.read(c.ID).Status)
	})

	t.Run("writes both connection and job, or neither", func(t *testing.T) {
		w, _, state := approved(t)
		before := w.rows()
		w.refuse.Store(1)
		_, err := w.back(state, false)
		require.Error(t, err)
		assert.Equal(t, before, w.rows())
		assert.Empty(t, w.jobs())
		w.finish(state)
		assert.Len(t, w.jobs(), 1)
	})
}

// The answer of one bank does not count at the address of another, however it gets there.
func TestFinishAtTheAddressOfTheBank(t *testing.T) {
	finish := func(w *world, path, state string) error {
		user := w.visitor
		key, _ := w.keys.Load(connection.IDOf(state))
		user.BrowserKey, _ = key.(string)
		_, err := w.connections.Finish(t.Context(), path, callback(state, false), user)
		return err
	}
	const shared = "/connect/callback"

	t.Run("refuses other addresses, and asks no bank", func(t *testing.T) {
		w, c, state := approved(t)
		w.bank.Continue = func(pfm.ConsentRequest, pfm.Session, pfm.UserAnswer) (pfm.ConsentProgress, error) {
			assert.Fail(t, "the code went to the bank")
			return pfm.ConsentProgress{}, nil
		}
		before := w.rows()
		for _, path := range []string{
			shared, shared + "/", shared + "/" + pfmtest.ID(7), callbackPath + "/", strings.ToUpper(callbackPath),
		} {
			assert.ErrorIs(t, finish(w, path, state), connection.ErrLinkUsed, path)
		}
		assert.Equal(t, before, w.rows())
		w.bank.Continue = nil
		require.NoError(t, finish(w, callbackPath, state))
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})

	t.Run("goes on with links of a version that had one address for all banks", func(t *testing.T) {
		w, c, state := approved(t)
		c.Authorisation.StateHash = fmt.Sprintf("%x", sha256.Sum256([]byte(state)))
		require.NoError(t, w.store.SaveConnection(t.Context(), c, nil))
		require.ErrorIs(t, finish(w, callbackPath, state), connection.ErrLinkUsed)
		require.NoError(t, finish(w, shared, state))
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})

	t.Run("has one address for the banks of an aggregator", func(t *testing.T) {
		w := newWorld(t)
		p := pfmtest.Provider()
		p.Endpoint.ASPSP = pfm.ASPSP{Name: "A", Country: "DE", Secret: "s"}
		require.NoError(t, w.store.PutProvider(t.Context(), p))
		c, state := w.open()
		assert.Equal(t, base+shared, w.bank.Requested[0].CallbackURL)
		w.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentValid})
		require.ErrorIs(t, finish(w, callbackPath, state), connection.ErrLinkUsed)
		require.NoError(t, finish(w, shared, state))
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})
}

func TestFinishWithWrongState(t *testing.T) {
	for name, forge := range map[string]func(w *world, c connection.Connection, state string) string{
		"guessed":          func(_ *world, c connection.Connection, _ string) string { return c.ID + ".guessed" },
		"without a secret": func(_ *world, c connection.Connection, _ string) string { return c.ID + "." },
		"only the ID":      func(_ *world, c connection.Connection, _ string) string { return c.ID },
		"the digest instead of the secret": func(_ *world, c connection.Connection, _ string) string {
			return c.ID + "." + c.Authorisation.StateHash
		},
		"with a suffix":            func(_ *world, _ connection.Connection, state string) string { return state + "x" },
		"in upper case":            func(_ *world, _ connection.Connection, state string) string { return strings.ToUpper(state) },
		"empty":                    func(*world, connection.Connection, string) string { return "" },
		"far too long":             func(*world, connection.Connection, string) string { return strings.Repeat("x", 9000) },
		"of an unknown connection": func(_ *world, _ connection.Connection, state string) string { return pfmtest.ID(7) + state[36:] },
		"of another connection of the user": func(w *world, c connection.Connection, _ string) string {
			_, other := w.open()
			return c.ID + other[36:]
		},
	} {
		t.Run(name+" changes nothing", func(t *testing.T) {
			w, c, state := approved(t)
			forged := forge(w, c, state)
			before := w.rows()
			for _, refused := range []bool{false, true} {
				visit, err := w.connections.Finish(t.Context(), callbackPath, callback(forged, refused), visitor)
				require.Error(t, err)
				assert.True(t, errors.Is(err, connection.ErrLinkUsed) || errors.Is(err, connection.ErrLinkUnknown), err)
				assert.Zero(t, visit, "a stranger learns nothing about the connection")
			}
			assert.Equal(t, before, w.rows())
			assert.Empty(t, w.jobs())
			assert.Empty(t, w.bank.Ended)
		})
	}

	t.Run("changes nothing if replayed", func(t *testing.T) {
		for _, end := range []pfm.ConsentState{pfm.ConsentValid, pfm.ConsentRejected} {
			w := newWorld(t)
			_, state := w.open()
			w.bank.SetConsent("consent-1", pfm.Consent{State: end})
			w.finish(state)
			before, jobs := w.rows(), w.jobs()
			_, err := w.back(state, false)
			require.ErrorIs(t, err, connection.ErrLinkUsed)
			assert.Equal(t, before, w.rows())
			assert.Equal(t, jobs, w.jobs())
		}
	})

	t.Run("connects nothing if it is too late", func(t *testing.T) {
		w, c, state := approved(t)
		w.clock.Advance(connection.LinkLifetime)
		_, err := w.back(state, false)
		require.ErrorIs(t, err, connection.ErrLinkExpired)
		stored := w.shows(c.ID, connection.Failed, connection.ReasonLinkExpired)
		assert.Empty(t, stored.ConsentID)
		jobs := w.jobs()
		require.Len(t, jobs, 1)
		assert.Equal(t, connection.JobEndConsent, jobs[0].Action, "a consent that was authorised too late is ended")
		assert.Equal(t, "consent-1", jobs[0].ConsentID)
		before := w.rows()
		_, err = w.back(state, false)
		require.ErrorIs(t, err, connection.ErrLinkUsed)
		assert.Equal(t, before, w.rows())
	})

	t.Run("requests one sync if called concurrently", func(t *testing.T) {
		w, c, state := approved(t)
		results := make([]error, 8)
		var group errgroup.Group
		for i := range results {
			group.Go(func() error {
				_, results[i] = w.back(state, false)
				return nil
			})
		}
		require.NoError(t, group.Wait())
		done := 0
		for _, err := range results {
			if err == nil {
				done++
				continue
			}
			require.ErrorIs(t, err, connection.ErrLinkUsed)
		}
		assert.Equal(t, 1, done)
		assert.Len(t, w.jobs(), 1)
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})
}

func TestReturnAddress(t *testing.T) {
	for registered, want := range map[string]string{
		"https://partner.example/back":                                 "https://partner.example/back?connectionId=ID&status=failed",
		"https://partner.example":                                      "https://partner.example?connectionId=ID&status=failed",
		"https://partner.example/back?":                                "https://partner.example/back?connectionId=ID&status=failed",
		"https://partner.example/back?b=2&a=1":                         "https://partner.example/back?b=2&a=1&connectionId=ID&status=failed",
		"https://partner.example/back?a=1;b=2&flag&sig=x%2By":          "https://partner.example/back?a=1;b=2&flag&sig=x%2By&connectionId=ID&status=failed",
		"https://partner.example/back?status=success&connectionId=own": "https://partner.example/back?connectionId=ID&status=failed",
		"https://partner.example/back?st%61tus=success&x=1":            "https://partner.example/back?x=1&connectionId=ID&status=failed",
	} {
		t.Run(registered, func(t *testing.T) {
			w := newWorld(t)
			connections := connection.New(connection.Deps{
				Store: w.store, Bank: w.bank.Of, Gate: pfmtest.Gate{}, AnyUser: pfmtest.Gate{},
				ReturnURL: pfmtest.ReturnURLs{registered}.Choose,
				Now:       w.clock.Now, NewID: pfmtest.IDs(), NewSecret: pfmtest.IDs(),
			})
			c, err := connections.Create(t.Context(), pfmtest.User(), pfmtest.Provider().ID, registered, nil)
			require.NoError(t, err)
			visit, err := connections.Open(t.Context(), c.ID, c.Authorisation.Link, visitor)
			require.NoError(t, err)
			assert.Equal(t, strings.ReplaceAll(want, "ID", c.ID), visit.ReturnTo)
		})
	}
}
