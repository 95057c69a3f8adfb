package connection_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

// switchedWorld is a world whose partner the operator can disable.
type switchedWorld struct {
	*world
	shut    bool
	breaker *connection.Breaker
}

func newSwitched(t *testing.T) *switchedWorld {
	t.Helper()
	s := &switchedWorld{world: newWorld(t)}
	says := func(_ context.Context, partner owner.PartnerID) (bool, error) {
		assert.Equal(t, pfmtest.User().Partner, partner)
		return s.shut, nil
	}
	s.connections.Disabled, s.chores.Disabled = says, says
	s.syncer.Disabled = says
	s.breaker = &connection.Breaker{Jobs: s.syncer.Jobs, Store: s.store}
	return s
}

// work gives the jobs in the outbox to bank-sync, each of them twice. Each message must be done with: one
// that is hidden uses up its receives.
func (s *switchedWorld) work() {
	s.Helper()
	jobs := s.jobs()
	s.dropJobs()
	for _, job := range jobs {
		for range 2 {
			require.NoError(s, s.breaker.Do(s.Context(), job, 1))
		}
	}
}

// pass lets time pass, and runs housekeeping now and then.
func (s *switchedWorld) pass(d time.Duration) {
	s.Helper()
	for end := s.clock.Now().Add(d); s.clock.Now().Before(end); {
		s.clock.Advance(max(5*time.Minute, d/30))
		did, err := s.chores.RunPart(s.Context(), 0, 1, true)
		require.NoError(s, err)
		assert.Zero(s, did.Lost, "nothing was lost")
		s.work()
	}
}

func TestSyncsOfADisabledPartner(t *testing.T) {
	for name, present := range map[string]bool{"with the user": true, "without the user": false} {
		t.Run("wait for as long as it is, and end once, "+name, func(t *testing.T) {
			s := newSwitched(t)
			c := s.synced()
			s.clock.Advance(2 * time.Hour)
			user := connection.Visitor{}
			if present {
				user.IPAddress = visitor.IPAddress
			}
			_, err := s.connections.Refresh(t.Context(), c.Owner, c.ID, user, nil)
			require.NoError(t, err)
			s.takeEvents()
			requested := s.read(c.ID)
			reads := 0
			s.bank.Before = func(string) error { reads++; return nil }

			s.shut = true
			s.work()
			s.pass(50 * time.Hour)
			held := s.read(c.ID)
			assert.Zero(t, reads)
			assert.Empty(t, s.takeEvents(), "it has not failed")
			assert.Empty(t, held.Reason)
			assert.Equal(t, requested.SyncRequestedAt, held.SyncRequestedAt)
			assert.Empty(t, held.Unattended, "the bank was not read")

			s.shut = false
			s.pass(5 * time.Minute)
			after := s.read(c.ID)
			assert.Equal(t, s.clock.Now(), after.LastSuccessAt)
			assert.Len(t, after.Unattended, 1, "the user has left, and one read is one")
			assert.Equal(t, []string{connection.EventRefreshed}, s.types())
			assert.Len(t, s.transactions(), 3, "nothing is doubled")
			once := reads
			s.pass(5 * time.Hour)
			assert.Equal(t, once, reads)
		})
	}

	t.Run("are none while it is time for automatic refreshes, which then go on", func(t *testing.T) {
		s := newSwitched(t)
		c := s.synced()
		c.AutomaticFetch = true
		require.NoError(t, s.store.SaveConnection(t.Context(), c, nil))
		reads := 0
		s.bank.Before = func(string) error { reads++; return nil }
		s.shut = true
		s.pass(30 * time.Hour)
		assert.Zero(t, reads)
		versions := s.read(c.ID).Version
		for range 8 {
			s.pass(30 * time.Minute)
		}
		assert.LessOrEqual(t, s.read(c.ID).Version, versions+4, "looking costs a write an hour")
		s.shut = false
		s.pass(time.Hour)
		assert.Positive(t, reads)
		assert.Len(t, s.read(c.ID).Unattended, 1)
	})

	t.Run("may end if they are under way", func(t *testing.T) {
		s := newSwitched(t)
		c := s.activate()
		s.bank.Listed = []pfm.BankAccount{current("r1", "DE1")}
		s.bank.Before = func(string) error { s.shut = true; return nil }
		s.work()
		assert.False(t, s.read(c.ID).LastSuccessAt.IsZero())
	})

	t.Run("hold up nothing else: consents end, links expire, data is deleted", func(t *testing.T) {
		s := newSwitched(t)
		c, opened := s.synced(), s.create()
		s.shut = true
		s.pass(connection.LinkLifetime)
		assert.Equal(t, connection.ReasonLinkExpired, s.read(opened.ID).Reason)
		require.NoError(t, s.connections.Delete(t.Context(), c.Owner, c.ID))
		s.work()
		assert.Equal(t, []string{c.ConsentID}, s.bank.Ended)
		_, err := s.store.ConnectionOwner(t.Context(), c.ID)
		require.ErrorIs(t, err, outcome.ErrNotFound)
	})
}

func TestLinksOfADisabledPartner(t *testing.T) {
	s := newSwitched(t)
	c, state := s.open()
	user := s.browser(c.ID)
	s.bank.SetConsent(c.Authorisation.ConsentID, pfm.Consent{State: pfm.ConsentValid, ValidUntil: "2026-08-01"})
	before, asked := s.rows(), len(s.bank.Requested)
	s.shut = true
	for name, use := range map[string]func() (connection.Visit, error){
		"the link": func() (connection.Visit, error) { return s.visit(c.ID) },
		"the way back, with a code that nobody may redeem": func() (connection.Visit, error) { return s.back(state, false) },
		"our own page": func() (connection.Visit, error) {
			return s.connections.Step(t.Context(), c.ID, user)
		},
		"an answer on it": func() (connection.Visit, error) {
			return s.connections.Answer(t.Context(), c.ID, pfm.UserAnswer{PSUID: "x"}, user)
		},
	} {
		visit, err := use()
		require.ErrorIs(t, err, connection.ErrPartnerDisabled, name)
		assert.Equal(t, pfmtest.User(), visit.Owner, "the page is in the user's language")
		assert.Empty(t, visit.ReturnTo, "%s: the page has no way back", name)
	}
	_, err := s.connections.Open(t.Context(), c.ID, "a guess", s.visitor)
	require.ErrorIs(t, err, connection.ErrLinkUnknown, "who does not have the link learns nothing")
	assert.Equal(t, before, s.rows(), "nothing is used up")
	assert.Len(t, s.bank.Requested, asked)

	s.shut = false
	_, err = s.back(state, false)
	require.NoError(t, err)
	assert.Equal(t, connection.Active, s.read(c.ID).Status)
}

func TestSyncsWithoutTheTerms(t *testing.T) {
	refusal := pfmtest.Gate{Refusal: apierror.New(apierror.TermsNotAccepted, "x")}

	t.Run("read no bank, fail nothing, and go on once the user has accepted", func(t *testing.T) {
		w, c := synced(t)
		c.AutomaticFetch = true
		require.NoError(t, w.store.SaveConnection(t.Context(), c, nil))
		reads := 0
		w.bank.Before = func(string) error { reads++; return nil }
		w.takeEvents()
		w.syncer.Terms = refusal
		for range 12 { // three days
			w.clock.Advance(6 * time.Hour)
			w.housekeep()
			w.run(w.jobs()...)
		}
		paused := w.read(c.ID)
		assert.Zero(t, reads)
		assert.Empty(t, w.takeEvents())
		assert.Equal(t, connection.Active, paused.Status)
		assert.Equal(t, connection.ReasonTermsNotAccepted, paused.Reason)
		assert.Empty(t, paused.Unattended, "the bank was not read")
		assert.True(t, paused.SyncRequestedAt.IsZero())

		w.syncer.Terms = pfmtest.Gate{}
		w.clock.Advance(6 * time.Hour)
		w.housekeep()
		w.run(w.jobs()...)
		after := w.read(c.ID)
		assert.Equal(t, w.clock.Now(), after.LastSuccessAt)
		assert.Empty(t, after.Reason)
	})

	t.Run("do not keep the user from ending the connection", func(t *testing.T) {
		w, c := synced(t)
		open := w.connectionsBehind(refusal)
		_, err := open.List(t.Context(), c.Owner, 10, "")
		require.NoError(t, err)
		_, err = open.Get(t.Context(), c.Owner, c.ID)
		require.NoError(t, err)
		_, err = open.Refresh(t.Context(), c.Owner, c.ID, connection.Visitor{}, nil)
		require.True(t, apierror.Is(err, apierror.TermsNotAccepted))
		_, err = open.Reconnect(t.Context(), c.Owner, c.ID, "", nil)
		require.True(t, apierror.Is(err, apierror.TermsNotAccepted))
		require.NoError(t, open.Delete(t.Context(), c.Owner, c.ID))
		w.syncer.Terms = refusal
		w.run(w.jobs()...)
		_, err = open.Get(t.Context(), c.Owner, c.ID)
		assert.True(t, apierror.Is(err, apierror.NotFound))
	})
}
