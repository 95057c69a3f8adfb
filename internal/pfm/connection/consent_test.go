package connection_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/api/apierror"
	"aviso/internal/dynamo"
	"aviso/internal/owner"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/localstack/tests/pfmtest"
)

const pageText = "May Aviso Licensed Ltd read your accounts for Acme?"

func saysPage(connection.Visit) connection.ConsentText {
	return connection.ConsentText{Text: pageText, Language: "en", Version: 1}
}

// asking returns a world whose users agree on our page first, with a connection whose link is open in a browser.
func asking(t *testing.T) (*world, connection.Connection, connection.Visitor) {
	t.Helper()
	w := newWorld(t)
	w.connections.ConsentDays = 400
	c := w.create()
	v := w.browser(c.ID)
	return w, c, v
}

func (w *world) answer(id string, agreed bool, v connection.Visitor) connection.Visit {
	w.Helper()
	seen := connection.ConsentText{Text: pageText}.Digest()
	visit, err := w.connections.Consent(w.Context(), id, connection.ConsentAnswer{Agreed: agreed, Seen: seen, Words: saysPage}, v)
	require.NoError(w, err)
	return visit
}

// consents are the records of the connection, the latest first.
func (w *world) consents(id string) []connection.ConsentRecord {
	w.Helper()
	all, err := w.connections.Consents(w.Context(), pfmtest.User(), id)
	require.NoError(w, err)
	return all
}

func (w *world) statuses(id string) (all []connection.ConsentStatus) {
	w.Helper()
	for _, r := range w.consents(id) {
		all = append(all, r.Status)
	}
	return all
}

// agreed is like activate, by a user who agrees on our page.
func (w *world) agreed(id string, v connection.Visitor) {
	w.Helper()
	w.answer(id, true, v)
	c := w.read(id)
	w.bank.SetConsent(c.Authorisation.ConsentID, pfm.Consent{
		State: pfm.ConsentValid, ValidUntil: pfm.DateOf(w.clock.Now()).AddDays(89),
	})
	w.finish(w.state())
}

func TestConsentPageComesFirst(t *testing.T) {
	w, c, v := asking(t)
	visit, err := w.visit(c.ID)
	require.NoError(t, err)
	assert.Equal(t, base+"/connect/step?connectionId="+c.ID, visit.RedirectTo)
	for range 3 { // scanners and previews of links only read
		visit, err = w.connections.Step(t.Context(), c.ID, v)
		require.NoError(t, err)
		require.NotNil(t, visit.Question)
		assert.Empty(t, visit.RedirectTo)
	}
	provider := pfmtest.Provider()
	assert.Equal(t, pfm.DateOf(w.clock.Now()).AddDays(provider.ConsentDays()-1), visit.Question.LastDay)
	assert.LessOrEqual(t, provider.ConsentDays(), 180, "Delegated Regulation (EU) 2018/389, article 10a")
	assert.Empty(t, w.bank.Requested, "nothing is asked of the bank before")
	assert.Empty(t, w.consents(c.ID), "only a pressed button is one")
}

func TestConsentIsOnRecord(t *testing.T) {
	w, c, v := asking(t)
	w.agreed(c.ID, v)
	w.bank.Listed = []pfm.BankAccount{current("r1", "DE1"), current("r2", "DE2")}
	w.run(w.jobs()...)
	got := w.consents(c.ID)
	require.Len(t, got, 1)
	assert.Equal(t, connection.ConsentActive, got[0].Status)
	assert.Equal(t, pageText, got[0].Text, "what the user was told, word for word")
	assert.Equal(t, 1, got[0].Version)
	assert.True(t, got[0].AnsweredAt.Equal(w.clock.Now()) && got[0].AuthorisedAt.Equal(w.clock.Now()))
	assert.Equal(t, w.read(c.ID).ConsentExpiresAt.UTC(), got[0].ValidUntil.UTC())
	assert.Len(t, got[0].AccountIDs, 2, "the accounts that the user chose at the bank")

	t.Run("which says expired once its time is up, though nobody has stored that", func(t *testing.T) {
		w.clock.Advance(200 * 24 * time.Hour)
		got := w.consents(c.ID)
		assert.Equal(t, connection.ConsentExpired, got[0].Status)
		assert.Equal(t, got[0].ValidUntil, got[0].EndedAt)
	})
	t.Run("and a renewal has one of its own", func(t *testing.T) {
		again, err := w.connections.Reconnect(t.Context(), pfmtest.User(), c.ID, returnURL, nil)
		require.NoError(t, err)
		w.links.Store(c.ID, again.Authorisation.Link)
		v = w.browser(c.ID)
		w.agreed(c.ID, v)
		assert.Equal(t, []connection.ConsentStatus{connection.ConsentActive, connection.ConsentExpired}, w.statuses(c.ID))
	})
	t.Run("as has a renewal before its end, which replaces it", func(t *testing.T) {
		w.clock.Advance(time.Minute)
		again, err := w.connections.Reconnect(t.Context(), pfmtest.User(), c.ID, returnURL, nil)
		require.NoError(t, err)
		w.links.Store(c.ID, again.Authorisation.Link)
		w.agreed(c.ID, w.browser(c.ID))
		assert.Equal(t, []connection.ConsentStatus{
			connection.ConsentActive, connection.ConsentReplaced, connection.ConsentExpired,
		}, w.statuses(c.ID))
	})
	t.Run("and deleting the connection withdraws it", func(t *testing.T) {
		require.NoError(t, w.connections.Delete(t.Context(), pfmtest.User(), c.ID))
		w.run(w.jobs()...)
		got := w.consents(c.ID)
		assert.Equal(t, connection.ConsentWithdrawn, got[0].Status, "after the connection is gone")
		assert.True(t, got[0].EndedAt.Equal(w.clock.Now()))
	})
	t.Run("of which other users see nothing", func(t *testing.T) {
		other := owner.User{Partner: pfmtest.User().Partner, ID: "2b4e28ba-2fa1-4d1e-883f-0016d3cca427"}
		_, err := w.connections.Consents(t.Context(), other, c.ID)
		assert.True(t, apierror.Is(err, apierror.NotFound))
	})
}

// Data minimisation (GDPR, article 5(1)(c)): a partner that shows three months needs no three years.
func TestPartnerReadsNoMoreHistoryThanAllowed(t *testing.T) {
	w, _, _ := asking(t)
	w.connections.ReturnURL = func(context.Context, owner.PartnerID, string) (owner.Destination, error) {
		return owner.Destination{To: returnURL, HistoryDays: 30}, nil
	}
	c := w.create()
	v := w.browser(c.ID)
	visit, err := w.connections.Step(t.Context(), c.ID, v)
	require.NoError(t, err)
	assert.Equal(t, 30, visit.Question.HistoryDays, "the page says so")
	w.agreed(c.ID, v)
	w.bank.Listed = []pfm.BankAccount{current("r1", "DE1")}
	w.run(w.jobs()...)
	require.NotEmpty(t, w.bank.Calls)
	for _, call := range w.bank.Calls {
		assert.Equal(t, pfm.DateOf(w.clock.Now()).AddDays(-30), call.From)
	}
	assert.Greater(t, pfmtest.Provider().MaxFetchInterval, 30)
}

func TestConsentDeclined(t *testing.T) {
	w, c, v := asking(t)
	visit := w.answer(c.ID, false, v)
	assert.Contains(t, visit.RedirectTo, "status=cancelled")
	assert.Equal(t, []connection.ConsentStatus{connection.ConsentDeclined}, w.statuses(c.ID))
	assert.Empty(t, w.bank.Requested)
	assert.Equal(t, connection.Failed, w.read(c.ID).Status)
	assert.Equal(t, connection.ReasonUserCancelled, w.read(c.ID).Reason)
}

func TestConsentThatIsNotUsed(t *testing.T) {
	for name, leave := range map[string]func(w *world, id string){
		"since the link expires": func(w *world, _ string) {
			w.clock.Advance(connection.LinkLifetime)
			w.housekeep()
		},
		"since the user refuses at the bank": func(w *world, id string) {
			w.bank.SetConsent(w.read(id).Authorisation.ConsentID, pfm.Consent{State: pfm.ConsentRejected})
			_, err := w.back(w.state(), true)
			require.NoError(w, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, c, v := asking(t)
			w.answer(c.ID, true, v)
			assert.Equal(t, []connection.ConsentStatus{connection.ConsentGiven}, w.statuses(c.ID))
			leave(w, c.ID)
			assert.Equal(t, []connection.ConsentStatus{connection.ConsentUnused}, w.statuses(c.ID))
		})
	}
}

func TestConsentEndedAtTheBank(t *testing.T) {
	w, c, v := asking(t)
	w.agreed(c.ID, v)
	w.bank.SetConsent(w.read(c.ID).ConsentID, pfm.Consent{State: pfm.ConsentRevokedByPSU})
	w.bankFails(pfm.SupplierConsentInvalid)
	w.run(w.jobs()...)
	assert.Equal(t, []connection.ConsentStatus{connection.ConsentRevoked}, w.statuses(c.ID))
}

func TestConsentButtonPressedTwice(t *testing.T) {
	w, c, v := asking(t)
	var tabs errgroup.Group
	for range 4 {
		tabs.Go(func() error {
			w.answer(c.ID, true, v)
			return nil
		})
	}
	require.NoError(t, tabs.Wait())
	assert.Len(t, w.consents(c.ID), 1)
	visit := w.answer(c.ID, false, v) // with the browser's back button
	assert.Equal(t, []connection.ConsentStatus{connection.ConsentGiven}, w.statuses(c.ID))
	assert.NotEmpty(t, visit.RedirectTo)
}

func TestConsentToOtherWordsIsAskedAgain(t *testing.T) {
	w, c, v := asking(t)
	answer := connection.ConsentAnswer{Agreed: true, Seen: connection.ConsentText{Text: "of yesterday"}.Digest(), Words: saysPage}
	visit, err := w.connections.Consent(t.Context(), c.ID, answer, v)
	require.NoError(t, err)
	assert.NotNil(t, visit.Question)
	assert.Empty(t, w.consents(c.ID))
	v.BrowserKey = "another"
	_, err = w.connections.Consent(t.Context(), c.ID, answer, v)
	require.ErrorIs(t, err, connection.ErrOtherBrowser)
}

func TestConsentSurvivesABankThatIsDown(t *testing.T) {
	w, c, v := asking(t)
	w.bank.On(pfmtest.RequestConsent, func() error { return pfmtest.Failure(pfm.SupplierUnavailable) })
	seen := connection.ConsentText{Text: pageText}.Digest()
	_, err := w.connections.Consent(t.Context(), c.ID, connection.ConsentAnswer{Agreed: true, Seen: seen, Words: saysPage}, v)
	require.ErrorIs(t, err, connection.ErrBankUnavailable)
	w.bank.Before = nil
	visit, err := w.connections.Step(t.Context(), c.ID, v) // the user tries again
	require.NoError(t, err)
	assert.NotEmpty(t, visit.RedirectTo)
	assert.Equal(t, []connection.ConsentStatus{connection.ConsentGiven}, w.statuses(c.ID))
}

func TestConsentRecordOutlivesItsUser(t *testing.T) {
	w, c, v := asking(t)
	w.agreed(c.ID, v)
	eraser := &connection.Eraser{Store: w.store, Now: w.clock.Now}
	_, err := eraser.Close(t.Context(), pfmtest.User())
	require.NoError(t, err)
	for range 3 {
		_, err = eraser.Erase(t.Context(), pfmtest.User())
		require.NoError(t, err)
		w.run(w.jobs()...)
	}
	_, err = w.connections.Consents(t.Context(), pfmtest.User(), c.ID)
	require.True(t, apierror.Is(err, apierror.NotFound))
	assert.Empty(t, w.rows(), "nothing with the user's key")
	table := dynamo.NewTable(w.db, w.table)
	left, err := dynamo.Collect(table.Query(t.Context(), dynamo.Query{Partition: "P#sandbox#CONSENTS#" + c.ID}),
		func(row dynamo.Item) (dynamo.Item, error) { return row, nil })
	require.NoError(t, err)
	require.Len(t, left, 1)
	assert.NotContains(t, fmt.Sprint(left[0]), string(pfmtest.User().ID))
	assert.Equal(t, "Erased", dynamo.Text(left[0], "status"))
	assert.Contains(t, left[0], "expiresAt")
}
