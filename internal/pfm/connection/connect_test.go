package connection_test

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/api/apierror"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

// stateOf returns the secret in the redirect URL that the bank was given.
func stateOf(t require.TestingT, r pfm.ConsentRequest) string {
	u, err := url.Parse(r.RedirectURL)
	require.NoError(t, err)
	return u.Query().Get("state")
}

func TestCreate(t *testing.T) {
	t.Run("prepares a link for half an hour, without calling the bank", func(t *testing.T) {
		w := newWorld(t)
		c := w.create()
		now := w.clock.Now()
		assert.Equal(t, connection.Connection{
			ID: c.ID, Owner: pfmtest.User(), ProviderID: pfmtest.Provider().ID, ProviderName: "Nordlicht Bank",
			LogoURL: pfmtest.Provider().LogoURL, Status: connection.Pending, CreatedAt: now, UpdatedAt: now,
			RefreshTimeoutMinutes: 60, ReturnURL: returnURL, LinkHash: c.LinkHash,
			Authorisation: &connection.Authorisation{ExpiresAt: now.Add(30 * time.Minute), Link: c.Authorisation.Link},
		}, c)
		assert.Len(t, c.LinkHash, 64)
		secret := c.Authorisation.Link
		assert.NotEmpty(t, secret)
		c.Authorisation.Link = ""
		assert.Equal(t, c, w.read(c.ID))
		for _, row := range w.rows() {
			for _, v := range row {
				assert.NotContains(t, fmt.Sprintf("%+v", v), secret, "only a digest is stored")
			}
		}
		assert.Empty(t, w.bank.Requested)
		assert.Empty(t, w.jobs())
	})

	t.Run("lets the link expire on a whole second", func(t *testing.T) {
		w := newWorld(t)
		w.clock.Advance(1234567 * time.Microsecond)
		assert.Zero(t, w.create().Authorisation.ExpiresAt.Nanosecond())
	})

	for _, status := range []pfm.ProviderStatus{pfm.ProviderInactive, pfm.ProviderDisabled} {
		t.Run("rejects a provider that is "+string(status), func(t *testing.T) {
			w := newWorld(t)
			p := pfmtest.Provider()
			p.Status = status
			require.NoError(t, w.store.PutProvider(t.Context(), p))
			_, err := w.connections.Create(t.Context(), pfmtest.User(), p.ID, returnURL, nil)
			assert.True(t, apierror.Is(err, apierror.ProviderNotAvailable), err)
			assert.Empty(t, w.rows())
		})
	}

	t.Run("rejects an unknown provider", func(t *testing.T) {
		w := newWorld(t)
		_, err := w.connections.Create(t.Context(), pfmtest.User(), pfmtest.ID(1), returnURL, nil)
		var refusal *apierror.Error
		require.ErrorAs(t, err, &refusal)
		assert.Equal(t, apierror.NotFound, refusal.Code)
		assert.Equal(t, "/providerId", refusal.Fields[0].Pointer)
	})

	t.Run("rejects a return URL that is not registered", func(t *testing.T) {
		w := newWorld(t)
		_, err := w.connections.Create(t.Context(), pfmtest.User(), pfmtest.Provider().ID, "https://evil.example/", nil)
		var refusal *apierror.Error
		require.ErrorAs(t, err, &refusal)
		assert.Equal(t, apierror.ReturnURLNotRegistered, refusal.Code)
		assert.Equal(t, "/returnUrl", refusal.Fields[0].Pointer)
		assert.Contains(t, refusal.Fields[0].Detail, "Registered: "+returnURL+".")
		assert.NotContains(t, err.Error()+refusal.Fields[0].Detail, "evil")
		assert.Empty(t, w.rows())
	})

	t.Run("checks the gate before anything else", func(t *testing.T) {
		w := newWorld(t)
		closed := w.connectionsBehind(pfmtest.Gate{Refusal: apierror.New(apierror.TermsNotAccepted, "x")})
		_, err := closed.Create(t.Context(), pfmtest.User(), pfmtest.ID(1), "https://evil.example/", nil)
		assert.True(t, apierror.Is(err, apierror.TermsNotAccepted), err)
		assert.Empty(t, w.rows())
	})
}

func TestGetConnection(t *testing.T) {
	w := newWorld(t)
	c := w.create()

	t.Run("shows an expired link as expired before housekeeping runs", func(t *testing.T) {
		w.clock.Advance(connection.LinkLifetime)
		got, err := w.connections.Get(t.Context(), pfmtest.User(), c.ID)
		require.NoError(t, err)
		assert.Equal(t, connection.Failed, got.Status)
		assert.Equal(t, connection.ReasonLinkExpired, got.Reason)
		assert.Equal(t, connection.Pending, w.read(c.ID).Status, "reading writes nothing")
	})
	t.Run("does not find connections of another user or partner", func(t *testing.T) {
		for _, user := range []owner.User{{Partner: "sandbox", ID: owner.UserID(pfmtest.ID(2))}, {Partner: "other",
			ID: pfmtest.User().ID}} {
			_, err := w.connections.Get(t.Context(), user, c.ID)
			assert.True(t, apierror.Is(err, apierror.NotFound), err)
		}
	})
	t.Run("returns nothing to a caller that the gate refuses", func(t *testing.T) {
		closed := w.connectionsBehind(pfmtest.Gate{})
		closed.AnyUser = pfmtest.Gate{Refusal: apierror.New(apierror.UserNotFound, "x")}
		got, err := closed.Get(t.Context(), pfmtest.User(), pfmtest.ID(9))
		assert.True(t, apierror.Is(err, apierror.UserNotFound), "the gate's refusal comes before what the read would say: %v", err)
		assert.Zero(t, got)
	})
}

func TestOpen(t *testing.T) {
	t.Run("requests a consent and sends the user to the bank", func(t *testing.T) {
		w := newWorld(t)
		c := w.create()
		visit, err := w.visit(c.ID)
		require.NoError(t, err)
		assert.Equal(t, "https://bank.example/authorise/consent-1", visit.RedirectTo)
		require.Len(t, w.bank.Requested, 1)
		asked := w.bank.Requested[0]
		state := stateOf(t, asked)
		assert.Equal(t, pfm.ConsentRequest{
			ConnectionID: c.ID, CallbackURL: base + callbackPath, State: state,
			PSUIPAddress: "203.0.113.7", PSUUserAgent: "Browser", ValidUntil: "2026-08-28",
			RedirectURL: base + callbackPath + "?state=" + state, RefusedURL: base + callbackPath + "?state=" + state + "&refused=true",
		}, asked)

		stored := w.read(c.ID)
		assert.Equal(t, "consent-1", stored.Authorisation.ConsentID)
		assert.Equal(t, connection.Pending, stored.Status)
		assert.True(t, strings.HasPrefix(state, c.ID+"."))
		assert.NotContains(t, stored.Authorisation.StateHash, state, "only a digest is stored")
		for _, row := range w.rows() {
			for _, v := range row {
				assert.NotEqual(t, state, v)
			}
		}
	})

	t.Run("leads to the same page the second time", func(t *testing.T) {
		w := newWorld(t)
		c, _ := w.open()
		before := w.rows()
		visit, err := w.visit(c.ID)
		require.NoError(t, err)
		assert.Equal(t, c.Authorisation.Next.URL, visit.RedirectTo)
		assert.Len(t, w.bank.Requested, 1)
		assert.Equal(t, before, w.rows())
	})

	t.Run("uses one consent of concurrent requests and ends the others", func(t *testing.T) {
		w := newWorld(t)
		c := w.create()
		const visits = 6
		var together sync.WaitGroup
		together.Add(visits)
		w.bank.On(pfmtest.RequestConsent, func() error { // all have read the connection by now
			together.Done()
			together.Wait()
			return nil
		})
		pages := make([]string, visits)
		var group errgroup.Group
		for i := range visits {
			group.Go(func() error {
				visit, err := w.visit(c.ID)
				pages[i] = visit.RedirectTo
				return err
			})
		}
		require.NoError(t, group.Wait())
		used := w.read(c.ID).Authorisation
		for _, page := range pages {
			assert.Equal(t, used.Next.URL, page)
		}
		assert.Len(t, w.bank.Ended, visits-1)
		assert.NotContains(t, w.bank.Ended, used.ConsentID)
	})

	t.Run("can be retried if a concurrent request failed", func(t *testing.T) {
		w := newWorld(t)
		c := w.create()
		w.bank.On(pfmtest.RequestConsent, func() error { // in the meantime, another request records its failure
			other := w.read(c.ID)
			other.Reason = "SupplierUnavailable"
			return w.store.SaveConnection(t.Context(), other, nil)
		})
		_, err := w.visit(c.ID)
		require.ErrorIs(t, err, connection.ErrBankUnavailable)
		assert.Equal(t, []string{"consent-1"}, w.bank.Ended)
		w.bank.Before = nil
		w.browser(c.ID)
	})

	t.Run("rejects an unknown link", func(t *testing.T) {
		w := newWorld(t)
		for _, id := range []string{"", pfmtest.ID(1), "x#y", strings.Repeat("x", 5000), "\x00"} {
			_, err := w.visit(id)
			assert.ErrorIs(t, err, connection.ErrLinkUnknown)
		}
	})

	t.Run("opens a link until it expires", func(t *testing.T) {
		w := newWorld(t)
		c := w.create()
		w.clock.Advance(c.Authorisation.ExpiresAt.Sub(w.clock.Now()) - time.Millisecond)
		visit, err := w.visit(c.ID)
		require.NoError(t, err)
		assert.Equal(t, "https://bank.example/authorise/consent-1", visit.RedirectTo)
	})

	t.Run("closes an expired link", func(t *testing.T) {
		for name, prepare := range map[string]func(*world) connection.Connection{
			"never opened": (*world).create,
			"opened":       func(w *world) connection.Connection { c, _ := w.open(); return c },
		} {
			w := newWorld(t)
			c := prepare(w)
			asked := len(w.bank.Requested)
			w.clock.Advance(connection.LinkLifetime)
			for range 2 {
				visit, err := w.visit(c.ID)
				require.ErrorIs(t, err, connection.ErrLinkExpired, name)
				assert.Equal(t, "https://partner.example/back?order=4711&connectionId="+c.ID+"&status=failed", visit.ReturnTo)
			}
			assert.Len(t, w.bank.Requested, asked)
			w.shows(c.ID, connection.Failed, connection.ReasonLinkExpired)
		}
	})

	t.Run("changes nothing for a used link", func(t *testing.T) {
		w, c := activated(t)
		before := w.rows()
		visit, err := w.visit(c.ID)
		require.ErrorIs(t, err, connection.ErrLinkUsed)
		assert.Contains(t, visit.ReturnTo, "status=success")
		assert.Equal(t, before, w.rows())
	})

	for kind, want := range map[pfm.SupplierErrorKind]struct {
		status connection.Status
		shown  error
	}{
		pfm.SupplierUnavailable:     {connection.Pending, connection.ErrBankUnavailable},
		pfm.SupplierRateLimited:     {connection.Pending, connection.ErrBankUnavailable},
		pfm.SupplierInvalidResponse: {connection.Pending, connection.ErrBankUnavailable},
		pfm.SupplierRejected:        {connection.Failed, connection.ErrBankRefused},
		pfm.SupplierConsentExpired:  {connection.Failed, connection.ErrBankRefused},
		pfm.SupplierConsentInvalid:  {connection.Failed, connection.ErrBankRefused},
		pfm.SupplierConsentUnknown:  {connection.Failed, connection.ErrBankRefused},
	} {
		t.Run(string(kind)+" makes the connection "+string(want.status), func(t *testing.T) {
			w := newWorld(t)
			c := w.create()
			w.bank.Before = func(string) error { return pfmtest.Failure(kind) }
			_, err := w.visit(c.ID)
			require.ErrorIs(t, err, want.shown)
			w.shows(c.ID, want.status, connection.StatusReason(kind))

			w.bank.Before = nil
			_, err = w.visit(c.ID)
			if want.status == connection.Failed {
				assert.ErrorIs(t, err, connection.ErrLinkUsed)
				return
			}
			require.NoError(t, err, "the user may try again")
			assert.Equal(t, connection.ReasonNone, w.read(c.ID).Reason)
		})
	}

	t.Run("does not blame the bank for our own failure", func(t *testing.T) {
		w := newWorld(t)
		c := w.create()
		before := w.rows()
		w.bank.Before = func(string) error { return errors.New("our own") }
		_, err := w.visit(c.ID)
		require.Error(t, err)
		assert.NotErrorIs(t, err, connection.ErrBankUnavailable)
		assert.Equal(t, before, w.rows())
	})
}

func TestLinks(t *testing.T) {
	t.Run("have a new secret each time", func(t *testing.T) {
		w := newWorld(t)
		c := w.create()
		again := w.reconnect(c.ID)
		assert.NotEqual(t, c.Authorisation.Link, again.Authorisation.Link)
		assert.NotEqual(t, c.LinkHash, again.LinkHash)
		assert.NotEqual(t, c.Authorisation.Link, w.create().Authorisation.Link)
	})

	t.Run("change nothing without their secret, even when they have expired", func(t *testing.T) {
		w := newWorld(t)
		c, state := w.open()
		older := c.Authorisation
		first, _ := w.links.Load(c.ID)
		w.reconnect(c.ID)
		w.browser(c.ID)
		user := visitor
		key, _ := w.keys.Load(c.ID)
		user.BrowserKey, _ = key.(string)
		w.clock.Advance(connection.LinkLifetime)
		before := w.rows()
		for _, link := range []any{"", "x", first, c.LinkHash, older.StateHash, state, user.BrowserKey} {
			secret, _ := link.(string)
			visit, err := w.connections.Open(t.Context(), c.ID, secret, visitor)
			require.ErrorIs(t, err, connection.ErrLinkUnknown)
			assert.Empty(t, visit, "it reveals nothing")
		}
		for _, key := range []string{"", "x", w.read(c.ID).LinkHash} {
			user.BrowserKey = key
			visit, err := w.connections.Finish(t.Context(), callbackPath, callback(w.state(), false), user)
			require.ErrorIs(t, err, connection.ErrOtherBrowser)
			assert.Empty(t, visit)
		}
		assert.Equal(t, before, w.rows())
	})

	t.Run("stop working if a reconnect replaces them while they are opened", func(t *testing.T) {
		w := newWorld(t)
		c := w.create()
		w.bank.Before = func(string) error {
			w.bank.Before = nil
			other, err := w.connections.Reconnect(t.Context(), pfmtest.User(), c.ID, returnURL, nil)
			require.NoError(t, err)
			_, err = w.connections.Open(t.Context(), c.ID, other.Authorisation.Link, visitor)
			return err
		}
		visit, err := w.visit(c.ID)
		require.ErrorIs(t, err, connection.ErrLinkUnknown)
		assert.Empty(t, visit)
		assert.Len(t, w.bank.Ended, 1)
	})
}
