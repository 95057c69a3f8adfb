package connection_test

import (
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

// browser returns the user's browser after it has opened the link.
func (w *world) browser(id string) connection.Visitor {
	w.Helper()
	_, err := w.visit(id)
	require.NoError(w, err)
	key, _ := w.keys.Load(id)
	v := visitor
	v.BrowserKey, _ = key.(string)
	return v
}

// done returns the end of a consent.
func done(s pfm.Session, state pfm.ConsentState) (pfm.ConsentProgress, error) {
	return pfm.ConsentProgress{Session: s, Consent: pfm.Consent{State: state}}, nil
}

func TestStepWaits(t *testing.T) {
	begin := func(t *testing.T) (*world, connection.Connection, connection.Visitor, *atomic.Int64) {
		w := newWorld(t)
		w.bank.Next, w.bank.Secret = &pfm.Step{Kind: pfm.StepWait, Message: "Open the app"}, "sealed"
		var asked atomic.Int64
		w.bank.Continue = func(_ pfm.ConsentRequest, s pfm.Session, _ pfm.UserAnswer) (pfm.ConsentProgress, error) {
			asked.Add(1)
			return pfm.ConsentProgress{Session: s, Next: *w.bank.Next}, nil
		}
		c := w.create()
		v := w.browser(c.ID)
		return w, c, v, &asked
	}

	t.Run("on our page, and asks the bank no more often than allowed", func(t *testing.T) {
		w, c, v, asked := begin(t)
		visit, err := w.visit(c.ID)
		require.NoError(t, err)
		assert.Equal(t, base+"/connect/step?connectionId="+c.ID, visit.RedirectTo)
		for range 12 { // a reload each second
			visit, err = w.connections.Step(t.Context(), c.ID, v)
			require.NoError(t, err)
			assert.Equal(t, "Open the app", visit.Step.Message)
			assert.Empty(t, visit.RedirectTo)
			w.clock.Advance(time.Second)
		}
		assert.EqualValues(t, 2, asked.Load())
	})

	t.Run("asks once if several tabs reload at the same time", func(t *testing.T) {
		w, c, v, asked := begin(t)
		w.clock.Advance(connection.PollInterval)
		var tabs errgroup.Group
		for range 5 {
			tabs.Go(func() error {
				_, err := w.connections.Step(t.Context(), c.ID, v)
				return err
			})
		}
		require.NoError(t, tabs.Wait())
		assert.EqualValues(t, 1, asked.Load())
	})

	for state, outcome := range map[pfm.ConsentState]string{
		pfm.ConsentValid: "success", pfm.ConsentRejected: "cancelled", "": "failed",
	} {
		t.Run("and ends in "+outcome+", however often the page is reloaded", func(t *testing.T) {
			w, c, v, _ := begin(t)
			w.bank.Continue = func(_ pfm.ConsentRequest, s pfm.Session, _ pfm.UserAnswer) (pfm.ConsentProgress, error) {
				return done(s, state)
			}
			w.clock.Advance(connection.PollInterval)
			for range 2 {
				visit, err := w.connections.Step(t.Context(), c.ID, v)
				require.NoError(t, err)
				assert.True(t, strings.HasSuffix(visit.RedirectTo, "&status="+outcome), visit.RedirectTo)
			}
			assert.Len(t, w.jobs(), map[bool]int{true: 1}[outcome == "success"])
			if outcome == "success" {
				assert.Equal(t, "sealed", w.read(c.ID).Secret)
			}
		})
	}

	t.Run("and keeps what has changed, although the user still waits", func(t *testing.T) {
		w, c, v, _ := begin(t)
		w.bank.Continue = func(_ pfm.ConsentRequest, s pfm.Session, _ pfm.UserAnswer) (pfm.ConsentProgress, error) {
			s.Secret = "sealed again"
			return pfm.ConsentProgress{Session: s, Next: *w.bank.Next}, nil
		}
		w.clock.Advance(connection.PollInterval)
		_, err := w.connections.Step(t.Context(), c.ID, v)
		require.NoError(t, err)
		assert.Equal(t, "sealed again", w.read(c.ID).Authorisation.Secret)
	})

	t.Run("and for another person who must sign, too", func(t *testing.T) {
		w, c, v, _ := begin(t)
		w.bank.Continue = func(_ pfm.ConsentRequest, s pfm.Session, _ pfm.UserAnswer) (pfm.ConsentProgress, error) {
			return pfm.ConsentProgress{Session: s, Next: pfm.Step{Kind: pfm.StepWait, OtherMustSign: true}}, nil
		}
		w.clock.Advance(connection.PollInterval)
		_, err := w.connections.Step(t.Context(), c.ID, v)
		require.NoError(t, err)
		visit, err := w.connections.Step(t.Context(), c.ID, v)
		require.NoError(t, err)
		assert.True(t, visit.Step.OtherMustSign)
		assert.Equal(t, connection.ReasonPartiallyAuthorised, w.read(c.ID).Reason)
		assert.Equal(t, connection.Pending, w.read(c.ID).Status)
	})

	t.Run("until the link expires", func(t *testing.T) {
		w, c, v, _ := begin(t)
		w.clock.Advance(connection.LinkLifetime)
		for range 2 {
			_, err := w.connections.Step(t.Context(), c.ID, v)
			require.ErrorIs(t, err, connection.ErrLinkExpired)
		}
		jobs := w.jobs()
		require.Len(t, jobs, 1)
		assert.Equal(t, "sealed", jobs[0].Secret)
	})

	t.Run("through a failure of the bank, and leaves it the time that it asks for", func(t *testing.T) {
		w, c, v, asked := begin(t)
		w.bank.Continue = func(pfm.ConsentRequest, pfm.Session, pfm.UserAnswer) (pfm.ConsentProgress, error) {
			asked.Add(1)
			e := pfmtest.Failure(pfm.SupplierRateLimited)
			e.RetryAfter = 20 * time.Second
			return pfm.ConsentProgress{}, e
		}
		for range 25 {
			w.clock.Advance(time.Second)
			_, err := w.connections.Step(t.Context(), c.ID, v)
			require.NoError(t, err)
		}
		assert.EqualValues(t, 1, asked.Load())
	})

	t.Run("only in a browser that opened the link", func(t *testing.T) {
		w, c, _, asked := begin(t)
		w.clock.Advance(connection.PollInterval)
		visit, err := w.connections.Step(t.Context(), c.ID, visitor)
		require.ErrorIs(t, err, connection.ErrOtherBrowser)
		assert.Empty(t, visit)
		_, err = w.connections.Answer(t.Context(), c.ID, pfm.UserAnswer{PSUID: "anna"}, visitor)
		require.ErrorIs(t, err, connection.ErrOtherBrowser)
		assert.Zero(t, asked.Load())
	})
}

func TestAnswer(t *testing.T) {
	begin := func(t *testing.T) (*world, connection.Connection, connection.Visitor) {
		w := newWorld(t)
		w.bank.Next = &pfm.Step{Kind: pfm.StepAsk, AsksPSUID: true}
		w.bank.Continue = func(req pfm.ConsentRequest, s pfm.Session, a pfm.UserAnswer) (pfm.ConsentProgress, error) {
			if a.PSUID != "anna" {
				return pfm.ConsentProgress{Session: s, Next: pfm.Step{Kind: pfm.StepAsk, AsksPSUID: true, Refused: true}}, nil
			}
			s.ConsentID = "consent-9"
			next := pfm.Step{Kind: pfm.StepRedirect, URL: "https://bank.example/?back=" + url.QueryEscape(req.RedirectURL)}
			return pfm.ConsentProgress{Session: s, Next: next}, nil
		}
		c := w.create()
		v := w.browser(c.ID)
		return w, c, v
	}

	t.Run("goes to the bank, which does not hear of it twice", func(t *testing.T) {
		w, c, v := begin(t)
		visit, err := w.connections.Step(t.Context(), c.ID, v)
		require.NoError(t, err)
		assert.True(t, visit.Step.AsksPSUID)
		visit, err = w.connections.Answer(t.Context(), c.ID, pfm.UserAnswer{PSUID: "anna"}, v)
		require.NoError(t, err)
		again, err := w.connections.Answer(t.Context(), c.ID, pfm.UserAnswer{PSUID: "bert"}, v)
		require.NoError(t, err)
		assert.Equal(t, visit.RedirectTo, again.RedirectTo)

		page, err := url.Parse(visit.RedirectTo)
		require.NoError(t, err)
		back, err := url.Parse(page.Query().Get("back"))
		require.NoError(t, err)
		w.bank.Continue = nil
		w.bank.SetConsent("consent-9", pfm.Consent{State: pfm.ConsentValid})
		w.finish(back.Query().Get("state"))
		assert.Equal(t, "consent-9", w.read(c.ID).ConsentID)
	})

	t.Run("may be wrong a few times, so that nobody tries out IDs", func(t *testing.T) {
		w, c, v := begin(t)
		for range 5 {
			visit, err := w.connections.Answer(t.Context(), c.ID, pfm.UserAnswer{PSUID: "x"}, v)
			require.NoError(t, err)
			assert.Equal(t, base+"/connect/step?connectionId="+c.ID, visit.RedirectTo)
			visit, err = w.connections.Step(t.Context(), c.ID, v)
			require.NoError(t, err)
			assert.True(t, visit.Step.Refused)
		}
		visit, err := w.connections.Answer(t.Context(), c.ID, pfm.UserAnswer{PSUID: "anna"}, v)
		require.NoError(t, err)
		assert.Contains(t, visit.RedirectTo, "status=failed")
		assert.Equal(t, connection.Failed, w.read(c.ID).Status)
	})
}

// A callback with a code must not reach the bank twice, whatever happens in between.
func TestFinishOnce(t *testing.T) {
	begin := func(t *testing.T) (*world, connection.Connection, string, *atomic.Int64) {
		w := newWorld(t)
		w.bank.Next = &pfm.Step{Kind: pfm.StepRedirect, URL: "https://bank.example/authorize", Once: true}
		var used atomic.Int64
		w.bank.Continue = func(_ pfm.ConsentRequest, s pfm.Session, a pfm.UserAnswer) (pfm.ConsentProgress, error) {
			used.Add(1)
			assert.NotEmpty(t, a.Callback.Get("state"))
			s.Secret = "token"
			return done(s, pfm.ConsentValid)
		}
		c, state := w.open()
		return w, c, state, &used
	}

	t.Run("stores the token with the consent", func(t *testing.T) {
		w, c, state, used := begin(t)
		w.finish(state)
		_, err := w.back(state, false)
		require.ErrorIs(t, err, connection.ErrLinkUsed)
		assert.EqualValues(t, 1, used.Load())
		assert.Equal(t, "token", w.read(c.ID).Secret)
	})

	t.Run("arrives twice at the same time", func(t *testing.T) {
		w, c, state, used := begin(t)
		var browsers errgroup.Group
		var ended atomic.Int64
		for range 5 {
			browsers.Go(func() error {
				if _, err := w.back(state, false); err == nil {
					ended.Add(1)
				}
				return nil
			})
		}
		require.NoError(t, browsers.Wait())
		assert.EqualValues(t, 1, used.Load())
		assert.EqualValues(t, 1, ended.Load())
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})

	t.Run("is lost in a crash after the bank took the code", func(t *testing.T) {
		w, c, state, used := begin(t)
		w.refuse.Store(2) // the first write says that the code is being used
		_, err := w.back(state, false)
		require.Error(t, err)
		_, err = w.back(state, false)
		require.ErrorIs(t, err, connection.ErrNotConfirmed)
		w.clock.Advance(time.Minute)
		visit := w.finish(state)
		assert.Contains(t, visit.RedirectTo, "status=failed")
		assert.EqualValues(t, 1, used.Load())
		assert.Equal(t, connection.Failed, w.read(c.ID).Status)
		assert.Len(t, w.jobs(), 1, "the consent is ended")
	})

	t.Run("may be retried if the bank does not respond", func(t *testing.T) {
		w, c, state, _ := begin(t)
		works := w.bank.Continue
		w.bank.Continue = func(pfm.ConsentRequest, pfm.Session, pfm.UserAnswer) (pfm.ConsentProgress, error) {
			return pfm.ConsentProgress{}, pfmtest.Failure(pfm.SupplierUnavailable)
		}
		_, err := w.back(state, false)
		require.ErrorIs(t, err, connection.ErrBankUnavailable)
		w.bank.Continue = works
		w.finish(state)
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})
}

func TestRenewedSecrets(t *testing.T) {
	begin := func(t *testing.T) (*world, connection.Connection) {
		w := newWorld(t)
		w.bank.Secret = "first"
		c := w.activate()
		account := current("r1", "DE1")
		// A bank that rotates: each refresh token works once.
		current := "first"
		w.bank.Renew = func(s pfm.Session) (pfm.Session, error) {
			if s.Secret != current {
				return s, pfmtest.Failure(pfm.SupplierConsentInvalid)
			}
			current += "+"
			s.Secret = current
			return s, nil
		}
		w.bank.Listed = []pfm.BankAccount{account}
		return w, c
	}

	t.Run("are stored before they are used", func(t *testing.T) {
		w, c := begin(t)
		w.run(w.jobs()...)
		assert.Equal(t, "first+", w.read(c.ID).Secret)
		assert.Equal(t, connection.ReasonNone, w.read(c.ID).Reason)
	})

	t.Run("are used by one of two syncs at the same time", func(t *testing.T) {
		w, c := begin(t)
		job := w.jobs()[0]
		var workers errgroup.Group
		for range 4 {
			workers.Go(func() error { _ = w.syncer.Do(t.Context(), job, 1); return nil })
		}
		require.NoError(t, workers.Wait())
		assert.Equal(t, "first+", w.read(c.ID).Secret)
		assert.Equal(t, connection.Active, w.read(c.ID).Status)
	})

	t.Run("need the user if they are lost", func(t *testing.T) {
		w, c := begin(t)
		job := w.jobs()[0]
		w.refuse.Store(3) // the lease, which is created, then the secret
		require.Error(t, w.syncer.Do(t.Context(), job, 1))
		assert.Equal(t, "first", w.read(c.ID).Secret)
		require.NoError(t, w.syncer.Do(t.Context(), job, 2))
		w.shows(c.ID, connection.ActionRequired, connection.StatusReason(pfm.SupplierConsentInvalid))
	})

	t.Run("are not written over a newer consent", func(t *testing.T) {
		w, c := begin(t)
		newer := c
		w.bank.Renew = func(s pfm.Session) (pfm.Session, error) {
			newer = w.read(c.ID)
			newer.ConsentID, newer.Secret = "consent-2", "second"
			require.NoError(t, w.store.SaveConnection(t.Context(), newer, nil))
			s.Secret = "first+"
			return s, nil
		}
		w.run(w.jobs()...)
		assert.Equal(t, "second", w.read(c.ID).Secret)
	})

	t.Run("go with the connection and the user", func(t *testing.T) {
		w, c := begin(t)
		w.run(w.jobs()...)
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
		w.run(w.jobs()...)
		for _, row := range w.rows() {
			assert.NotContains(t, row, "secret")
		}
		assert.Equal(t, []string{"consent-1"}, w.bank.Ended)
	})
}
