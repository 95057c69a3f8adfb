package connection_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/outcome"
	"aviso/internal/pfm"
	"aviso/internal/pfm/connection"
	"aviso/internal/pfm/transaction"
	"aviso/localstack/tests/pfmtest"
)

func jobOf(c connection.Connection) connection.SyncJob {
	return connection.SyncJob{Partner: c.Owner.Partner, User: c.Owner.ID, ConnectionID: c.ID, PSUIPAddress: "203.0.113.7"}
}

func current(resourceID, iban string) pfm.BankAccount {
	return pfm.BankAccount{
		ResourceID: resourceID, IBAN: iban, Currency: "EUR", Name: "Everyday",
		Balances: []pfm.BankBalance{{Type: "closingBooked", Amount: money.MustParse("100.50"), Currency: "EUR"}},
	}
}

func booked(day pfm.Date, id, amount string) pfm.BankTransaction {
	return pfm.BankTransaction{
		ID: id, Booked: true, Amount: money.MustParse(amount), Currency: "EUR", BookingDate: day,
		Remittance: "Purchase " + id,
	}
}

// syncOnce requests a sync as a refresh would, and runs it.
func (w *world) syncOnce(id string) {
	w.Helper()
	c := w.request(id)
	require.NoError(w, w.syncer.Sync(w.Context(), jobOf(c), 1))
}

func TestSync(t *testing.T) {
	t.Run("reads accounts and their full history", func(t *testing.T) {
		w, c := activated(t)
		w.bank.Listed = []pfm.BankAccount{current("r1", "DE1"), current("r2", "DE2")}
		w.bank.Rows = map[string][]pfm.BankTransaction{
			"r1": {booked("2026-03-01", "t1", "-23.90"), booked("2024-03-02", "t2", "-1.00"), booked("2024-03-01", "t0", "-1.00")},
			"r2": {booked("2026-02-01", "t3", "1800.00")},
		}
		w.clock.Advance(time.Minute)
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))

		stored := w.read(c.ID)
		assert.Equal(t, connection.Active, stored.Status)
		assert.Equal(t, w.clock.Now(), stored.LastSuccessAt)
		assert.True(t, stored.SyncRequestedAt.IsZero())
		accounts := w.accounts()
		require.Len(t, accounts, 2)
		assert.Equal(t, "100.50", accounts[0].Balance.String())
		assert.Len(t, w.transactions(), 3)
		require.Len(t, w.bank.Calls, 2)
		for _, ask := range w.bank.Calls {
			assert.Equal(t, pfm.Date("2024-03-02"), ask.From, "as many days as the bank provides")
			assert.Equal(t, pfm.Session{ConnectionID: c.ID, ConsentID: "consent-1", PSUIPAddress: "203.0.113.7"}, ask.Session)
		}
	})

	t.Run("later reads only what may have changed, and keeps every ID", func(t *testing.T) {
		w, c := reading(t)
		pending := booked("2026-03-02", "t1", "-23.90")
		pending.Booked = false
		w.bank.Rows = map[string][]pfm.BankTransaction{"r1": {pending}}
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		accounts, was := w.accounts(), w.transactions()
		require.Len(t, was, 1)

		w.clock.Advance(72 * time.Hour)
		w.bank.Rows["r1"] = []pfm.BankTransaction{booked("2026-03-04", "t1", "-23.90"), booked("2026-03-05", "t2", "-5.00")}
		w.syncOnce(c.ID)
		assert.Equal(t, pfm.Date("2026-02-16"), w.bank.Calls[1].From, "14 days before the last success")
		assert.Equal(t, accounts[0].ID, w.accounts()[0].ID)
		is := w.transactions()
		require.Len(t, is, 2)
		assert.Equal(t, was[0].ID, is[1].ID)
		assert.Equal(t, transaction.Cleared, is[1].State)
		assert.Equal(t, pfm.Date("2026-03-04"), is[1].RecordDate)
		assert.Equal(t, was[0].CreatedAt, is[1].CreatedAt)
	})

	t.Run("reads a new account's full history, even if the first attempt failed", func(t *testing.T) {
		w, c := reading(t)
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		w.clock.Advance(time.Hour)
		w.bank.Listed = append(w.bank.Listed, current("r2", "DE2"))
		w.bank.On(pfmtest.ReadTransactions, func() error { return pfmtest.Failure(pfm.SupplierUnavailable) })
		w.request(c.ID)
		require.Error(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		require.Len(t, w.accounts(), 2)

		w.bank.Before = nil
		w.clock.Advance(time.Hour)
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 2))
		from := map[string]pfm.Date{}
		for _, ask := range w.bank.Calls {
			from[ask.ResourceID] = ask.From
		}
		assert.Equal(t, map[string]pfm.Date{"r1": "2026-02-16", "r2": "2024-03-02"}, from)
	})

	t.Run("sends the user's address on the first attempt only", func(t *testing.T) {
		w, c := reading(t)
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 2))
		assert.Empty(t, w.bank.Calls[0].Session.PSUIPAddress)
	})

	t.Run("reads 90 days if the bank refuses more", func(t *testing.T) {
		w, c := reading(t, booked("2026-02-01", "t1", "-1"), booked("2025-01-01", "t0", "-1"))
		asked := 0
		w.bank.On(pfmtest.ReadTransactions, func() error {
			if asked++; asked <= 2 {
				return &pfm.SupplierError{Kind: pfm.SupplierRejected, BankCode: "PERIOD_INVALID", Status: 400}
			}
			return nil
		})
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		assert.Equal(t, pfm.Date("2024-03-03"), w.bank.Calls[1].From)
		assert.Equal(t, pfm.Date("2025-12-02"), w.bank.Calls[2].From)
		assert.Len(t, w.transactions(), 1)
		assert.Equal(t, w.clock.Now(), w.read(c.ID).LastSuccessAt)
	})

	t.Run("does not duplicate rows from before the requested days", func(t *testing.T) {
		w, c := reading(t, booked("2025-06-01", "", "-9.99"))
		w.bank.IgnoresFrom = true
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		for range 2 {
			w.clock.Advance(24 * time.Hour)
			w.syncOnce(c.ID)
		}
		assert.Len(t, w.transactions(), 1)
	})

	t.Run("does nothing for a finished job", func(t *testing.T) {
		w, c := reading(t)
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		was := w.read(c.ID)
		w.clock.Advance(time.Hour)
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		is := w.read(c.ID)
		is.Version = was.Version
		assert.Equal(t, was, is)
		assert.Len(t, w.bank.Calls, 1)
	})

	t.Run("does nothing for an unknown connection", func(t *testing.T) {
		w := newWorld(t)
		require.NoError(
			t,
			w.syncer.Sync(t.Context(), connection.SyncJob{Partner: "sandbox", User: pfmtest.User().ID, ConnectionID: pfmtest.ID(1)}, 1),
		)
		assert.Empty(t, w.rows())
	})

	t.Run("does not call the bank for a connection without a consent", func(t *testing.T) {
		w := newWorld(t)
		c := w.create()
		w.bank.Before = func(string) error { return errors.New("asked") }
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		assert.Equal(t, connection.Pending, w.read(c.ID).Status)
	})
}

func TestSyncFailures(t *testing.T) {
	for kind, retried := range map[pfm.SupplierErrorKind]bool{
		pfm.SupplierUnavailable: true, pfm.SupplierRateLimited: true, pfm.SupplierInvalidResponse: true, pfm.SupplierRejected: false,
	} {
		t.Run(string(kind)+" leaves the connection active and sets the reason", func(t *testing.T) {
			w, c := activated(t)
			w.bank.Before = func(string) error { return pfmtest.Failure(kind) }
			err := w.syncer.Sync(t.Context(), jobOf(c), 1)
			var later *outcome.Later
			assert.Equal(t, retried, errors.As(err, &later), err)
			ours := kind == pfm.SupplierInvalidResponse // perhaps we cannot read it
			assert.Equal(t, retried && !ours, outcome.IsWait(err), "a bank that is down is not our failure")
			stored := w.shows(c.ID, connection.Active, connection.StatusReason(kind))
			assert.Equal(t, !retried, stored.SyncRequestedAt.IsZero())
			assert.True(t, stored.LastSuccessAt.IsZero())

			w.bank.Before = nil
			w.syncOnce(c.ID)
			assert.Equal(t, connection.ReasonNone, w.read(c.ID).Reason, "a success clears the reason")
		})
	}

	t.Run("are retried with growing delays, up to five attempts", func(t *testing.T) {
		w, c := activated(t)
		w.bank.Before = func(string) error { return pfmtest.Failure(pfm.SupplierUnavailable) }
		var waits []time.Duration
		for attempt := 1; attempt < connection.MaxSyncAttempts; attempt++ {
			var later *outcome.Later
			require.ErrorAs(t, w.syncer.Sync(t.Context(), jobOf(c), attempt), &later)
			waits = append(waits, later.After)
			assert.False(t, w.read(c.ID).SyncRequestedAt.IsZero())
		}
		assert.Equal(t, []time.Duration{30 * time.Second, 2 * time.Minute, 8 * time.Minute, 32 * time.Minute}, waits)
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), connection.MaxSyncAttempts))
		stored := w.read(c.ID)
		assert.True(t, stored.SyncRequestedAt.IsZero())
		assert.Equal(t, connection.Active, stored.Status)
		assert.Equal(t, connection.StatusReason("SupplierUnavailable"), stored.Reason)
	})

	t.Run("wait as long as the bank asks, up to an hour", func(t *testing.T) {
		for asked, want := range map[time.Duration]time.Duration{time.Second: 30 * time.Second,
			10 * time.Minute: 10 * time.Minute, 24 * time.Hour: time.Hour} {
			w, c := activated(t)
			w.bank.Before = func(string) error { return &pfm.SupplierError{Kind: pfm.SupplierRateLimited, RetryAfter: asked} }
			var later *outcome.Later
			require.ErrorAs(t, w.syncer.Sync(t.Context(), jobOf(c), 1), &later)
			assert.Equal(t, want, later.After)
		}
	})

	t.Run("of our own are not blamed on the bank", func(t *testing.T) {
		w, c := reading(t)
		w.refuse.Store(3) // the first writes look for the lease and create it
		var later *outcome.Later
		require.ErrorAs(t, w.syncer.Sync(t.Context(), jobOf(c), 1), &later)
		assert.Equal(t, connection.ReasonInternalError, w.read(c.ID).Reason)
	})

	const expires = 40 * 24 * time.Hour // within the consent that activate makes
	for _, tt := range []struct {
		name    string
		refusal pfm.SupplierErrorKind
		state   pfm.ConsentState // empty: the bank does not return it
		after   time.Duration
		status  connection.Status
		reason  connection.StatusReason
	}{
		{"a consent after its last day has expired", pfm.SupplierConsentExpired, pfm.ConsentExpired, 300 * 24 * time.Hour, connection.Expired, connection.ReasonConsentExpired},
		{"a consent that expired early was replaced", pfm.SupplierConsentExpired, pfm.ConsentExpired, expires, connection.Expired, connection.ReasonConsentReplaced},
		{"a consent that was terminated was replaced", pfm.SupplierConsentInvalid, pfm.ConsentTerminatedByTPP, expires, connection.Expired, connection.ReasonConsentReplaced},
		{"a consent that the user revoked is revoked", pfm.SupplierConsentInvalid, pfm.ConsentRevokedByPSU, expires, connection.Revoked, connection.ReasonConsentRevoked},
		{"a consent that the user revoked is revoked even if the bank calls it expired", pfm.SupplierConsentExpired, pfm.ConsentRevokedByPSU, expires, connection.Revoked, connection.ReasonConsentRevoked},
		{"a rejected consent is revoked", pfm.SupplierConsentInvalid, pfm.ConsentRejected, expires, connection.Revoked, connection.ReasonConsentRevoked},
		{"a consent that is valid according to the bank needs the user", pfm.SupplierConsentInvalid, pfm.ConsentValid, expires, connection.ActionRequired, "SupplierConsentInvalid"},
		{"a consent that is not authorised needs the user", pfm.SupplierConsentInvalid, pfm.ConsentReceived, expires, connection.ActionRequired, "SupplierConsentInvalid"},
		{"an invalid consent without a state needs the user", pfm.SupplierConsentInvalid, "", expires, connection.ActionRequired, "SupplierConsentInvalid"},
		{"an expired consent without a state has expired", pfm.SupplierConsentExpired, "", expires, connection.Expired, connection.ReasonConsentExpired},
		{"an unknown consent has expired", pfm.SupplierConsentUnknown, "", expires, connection.Expired, connection.ReasonConsentExpired},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, c := activated(t)
			w.clock.Advance(tt.after)
			w.bank.SetConsent("consent-1", pfm.Consent{State: tt.state})
			w.bank.Before = func(operation string) error {
				if operation == pfmtest.ReadConsent && tt.state != "" {
					return nil
				}
				return pfmtest.Failure(tt.refusal)
			}
			require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
			stored := w.shows(c.ID, tt.status, tt.reason)
			assert.True(t, stored.SyncRequestedAt.IsZero())
			if tt.status != connection.ActionRequired {
				assert.False(t, stored.ConsentExpiresAt.After(w.clock.Now()), "it has ended")
			}
		})
	}
}

// The end of a consent is when it ended, whatever had been agreed.
// The last day of a consent ends at the bank's midnight, which comes before ours.
func TestAConsentEndsAtTheBanksMidnight(t *testing.T) {
	w, c := synced(t)
	last := pfm.DateOf(w.read(c.ID).ConsentExpiresAt).AddDays(-1)
	w.clock.Advance(last.Time().Add(22*time.Hour + time.Minute).Sub(w.clock.Now())) // past midnight in Berlin
	w.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentExpired, ValidUntil: last})
	w.bank.On(pfmtest.ReadAccounts, func() error { return pfmtest.Failure(pfm.SupplierConsentExpired) })
	w.syncOnce(c.ID)
	got := w.read(c.ID)
	assert.Equal(t, connection.Expired, got.Status)
	assert.Equal(t, connection.ReasonConsentExpired, got.Reason, "nothing has replaced it")
}

func TestEndOfAConsentThatEndedEarly(t *testing.T) {
	const day = 24 * time.Hour
	at := func(month time.Month, day int) time.Time { return time.Date(2026, month, day, 0, 0, 0, 0, time.UTC) }
	for name, tt := range map[string]struct {
		consent pfm.Consent
		kind    string
		want    time.Time // zero: when we learn of it
	}{
		"replaced today": {pfm.Consent{
			State: pfm.ConsentExpired, ValidUntil: "2026-08-01", LastAction: "2026-03-12",
		}, connection.EventExpired, time.Time{}},
		"replaced a few days ago": {pfm.Consent{
			State: pfm.ConsentExpired, ValidUntil: "2026-08-01", LastAction: "2026-03-09",
		}, connection.EventExpired, at(time.March, 10)},
		"terminated a few days ago": {pfm.Consent{
			State: pfm.ConsentTerminatedByTPP, LastAction: "2026-03-09",
		}, connection.EventExpired, at(time.March, 10)},
		"revoked a few days ago": {pfm.Consent{
			State: pfm.ConsentRevokedByPSU, LastAction: "2026-03-09",
		}, connection.EventRevoked, at(time.March, 10)},
		"ended on a day not said": {pfm.Consent{
			State: pfm.ConsentRevokedByPSU, ValidUntil: "2026-08-01",
		}, connection.EventRevoked, time.Time{}},
		"ended before the last sync?": {pfm.Consent{
			State: pfm.ConsentRevokedByPSU, LastAction: "2026-02-01",
		}, connection.EventRevoked, time.Time{}},
		"shortened by the bank": {pfm.Consent{
			State: pfm.ConsentExpired, ValidUntil: "2026-03-05", LastAction: "2026-03-02",
		}, connection.EventExpired, at(time.March, 6)},
	} {
		t.Run(name, func(t *testing.T) {
			w, c := synced(t)
			w.takeEvents()
			w.clock.Advance(10 * day)
			w.bank.SetConsent("consent-1", tt.consent)
			w.bank.On(pfmtest.ReadAccounts, func() error { return pfmtest.Failure(pfm.SupplierConsentInvalid) })
			w.syncOnce(c.ID)
			want := tt.want
			if want.IsZero() {
				want = w.clock.Now()
			}
			assert.Equal(t, want, w.read(c.ID).ConsentExpiresAt)
			views, _, err := w.store.AccountViews(t.Context(), pfmtest.User(), 10, "")
			require.NoError(t, err)
			assert.Equal(t, want, views[0].Connection.ConsentExpiresAt, "what connectionInfo shows")
			events := w.takeEvents()
			require.Len(t, events, 1)
			assert.Equal(t, tt.kind, events[0].Type)
			if data := dataOf[connection.EventData](w, events[0]); tt.kind == connection.EventExpired {
				assert.Equal(t, want, *data.ConsentExpiresAt)
			}
		})
	}
}
