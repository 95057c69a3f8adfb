package connection_test

import (
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

func TestPartialData(t *testing.T) {
	t.Run("keeps what can be read, counts the rest, and is over with a clean sync", func(t *testing.T) {
		w, c := activated(t)
		pending := booked("2026-03-01", "t1", "-23.90")
		pending.Booked = false
		w.bank.Listed = []pfm.BankAccount{current("r1", "DE1"), {Incomplete: true}}
		w.bank.Rows = map[string][]pfm.BankTransaction{"r1": {pending}}
		w.syncOnce(c.ID)
		w.bank.Rows["r1"] = []pfm.BankTransaction{{Unreadable: true}, booked("2026-03-02", "t2", "-5.00"), {Unreadable: true}}
		w.clock.Advance(time.Hour)
		w.syncOnce(c.ID)

		stored := w.shows(c.ID, connection.Active, connection.ReasonPartialData)
		assert.Equal(t, 2, stored.Partial.Rows)
		assert.Equal(t, 1, stored.Partial.Accounts)
		assert.Equal(t, w.clock.Now(), stored.LastSuccessAt)
		rows := w.transactions()
		require.Len(t, rows, 2)
		assert.Equal(t, transaction.Uncleared, rows[1].State, "a row that cannot be read has not vanished")

		w.bank.Listed = w.bank.Listed[:1]
		w.bank.Rows["r1"] = w.bank.Rows["r1"][1:2]
		w.syncOnce(c.ID)
		stored = w.read(c.ID)
		assert.Equal(t, connection.ReasonNone, stored.Reason)
		assert.Equal(t, connection.Partial{}, stored.Partial)
	})

	t.Run("reads an account that was missed from the same day on", func(t *testing.T) {
		w, c := synced(t)
		was := w.read(c.ID).LastSuccessAt
		refused := map[string]bool{"r2": true}
		w.bank.RefuseRows = func(resourceID string) error {
			if refused[resourceID] {
				return pfmtest.Failure(pfm.SupplierRejected)
			}
			return nil
		}
		w.bank.Rows["r1"] = append(w.bank.Rows["r1"], booked("2026-03-02", "t4", "-4.00"))
		for range 3 {
			w.clock.Advance(20 * 24 * time.Hour)
			w.syncOnce(c.ID)
		}
		stored := w.read(c.ID)
		assert.Equal(t, connection.ReasonPartialData, stored.Reason)
		from := pfm.DateOf(was).AddDays(-14)
		assert.Equal(t, connection.Partial{Accounts: 1}, stored.Partial)
		assert.Len(t, w.transactions(), 4, "the other account is up to date")

		delete(refused, "r2")
		w.syncOnce(c.ID)
		latest := map[string]pfm.Date{}
		for _, call := range w.bank.Calls {
			latest[call.ResourceID] = call.From
		}
		assert.Equal(t, map[string]pfm.Date{"r1": pfm.DateOf(w.clock.Now()).AddDays(-14), "r2": from}, latest)
		assert.Equal(t, connection.Partial{}, w.read(c.ID).Partial)
	})

	t.Run("asks four times for an account whose bank does not answer, and saves the others", func(t *testing.T) {
		w, c := synced(t)
		w.bank.RefuseRows = func(resourceID string) error {
			if resourceID == "r2" {
				return pfmtest.Failure(pfm.SupplierUnavailable)
			}
			return nil
		}
		w.bank.Rows["r1"] = append(w.bank.Rows["r1"], booked("2026-03-02", "t4", "-4.00"))
		c = w.request(c.ID)
		for attempt := 1; attempt < 4; attempt++ {
			var later *outcome.Later
			require.ErrorAs(t, w.syncer.Sync(t.Context(), jobOf(c), attempt), &later)
			assert.Equal(t, connection.StatusReason(pfm.SupplierUnavailable), w.read(c.ID).Reason)
			assert.Len(t, w.transactions(), 4, "the other account is up to date")
			w.clock.Advance(time.Hour)
		}
		require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 4))
		assert.Equal(t, connection.ReasonPartialData, w.read(c.ID).Reason)
	})

	t.Run("is a failure if nothing can be read", func(t *testing.T) {
		w, c := synced(t)
		w.bank.RefuseRows = func(string) error { return pfmtest.Failure(pfm.SupplierRejected) }
		w.syncOnce(c.ID)
		assert.Equal(t, connection.StatusReason(pfm.SupplierRejected), w.read(c.ID).Reason)
		w.bank.Listed = []pfm.BankAccount{{Incomplete: true}}
		c = w.request(c.ID)
		require.Error(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
		assert.Equal(t, connection.StatusReason(pfm.SupplierInvalidResponse), w.read(c.ID).Reason)
	})
}

func TestCardAccountsAreReadWhereTheBankHasThem(t *testing.T) {
	for name, tt := range map[string]struct {
		profile, linked, want bool
	}{
		"nothing says so":     {},
		"the profile says so": {profile: true, want: true},
		"the consent says so": {linked: true, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			p := pfmtest.Provider()
			p.Profile.CardAccounts = tt.profile
			require.NoError(t, w.store.PutProvider(t.Context(), p))
			c, state := w.open()
			access := pfm.Access{CardAccounts: tt.linked}
			w.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentValid, ValidUntil: "2026-05-31", Access: access})
			w.finish(state)
			w.bank.Listed = []pfm.BankAccount{current("r1", "DE1")}
			w.clock.Advance(time.Minute)
			require.NoError(t, w.syncer.Sync(t.Context(), jobOf(w.read(c.ID)), 1))
			asked := w.bank.Calls
			require.Len(t, asked, 1)
			assert.Equal(t, tt.want, asked[0].Session.CardAccounts)
		})
	}
}

func TestSignsThatTheBankTells(t *testing.T) {
	for signs, inverted := range map[pfm.SignStyle]bool{"": true, pfm.SignsAsSent: false, pfm.SignsInverted: true} {
		t.Run("with the profile "+string(signs), func(t *testing.T) {
			w := newWorld(t)
			p := pfmtest.Provider()
			p.Profile.CardSigns = signs
			require.NoError(t, w.store.PutProvider(t.Context(), p))
			c := w.activate()
			card := current("card-accounts/r1", "")
			card.MaskedPAN, card.CashAccountType, card.SignsInverted = "525412******3241", "CARD", true
			w.bank.Listed = []pfm.BankAccount{card}
			w.bank.Rows = map[string][]pfm.BankTransaction{"card-accounts/r1": {booked("2026-03-01", "t1", "23.90")}}
			w.clock.Advance(time.Minute)
			require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))
			want := money.MustParse("23.90")
			if inverted {
				want = want.Neg()
			}
			require.Len(t, w.transactions(), 1)
			assert.Equal(t, want, w.transactions()[0].Amount)
			assert.Equal(t, inverted, w.accounts()[0].Balance.Sign() < 0)
		})
	}
}

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
		w.finish(w.state())
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

// What a check sees of a bank is what a first sync stores.
func TestInspectReadsWhatASyncStores(t *testing.T) {
	w := newWorld(t)
	p := pfmtest.Provider()
	p.Profile = pfm.Profile{Date: pfm.DateValue, CardAccounts: true}
	require.NoError(t, w.store.PutProvider(t.Context(), p))
	c := w.activate()
	card := current("r2", "")
	card.MaskedPAN, card.CashAccountType, card.SignsInverted = "525412******3241", "CARD", true
	w.bank.Listed = []pfm.BankAccount{current("r1", "DE1"), card, {Incomplete: true}}
	payment := booked("2026-03-01", "t1", "23.90")
	payment.ValueDate = "2026-02-27"
	w.bank.Rows = map[string][]pfm.BankTransaction{
		"r1": {payment, {Unreadable: true}}, "r2": {booked("2026-03-01", "t2", "5.00")},
	}
	w.clock.Advance(time.Minute)
	require.NoError(t, w.syncer.Sync(t.Context(), jobOf(c), 1))

	found, err := connection.Inspect(t.Context(), w.bank, p, pfm.Session{ConsentID: c.ConsentID}, w.clock.Now)
	require.NoError(t, err)
	assert.Equal(t, 3, found.Listed)
	assert.Equal(t, 1, found.Incomplete)
	type row struct {
		Amount string
		Day    pfm.Date
		Note   string
	}
	var stored, inspected []row
	for _, r := range w.transactions() {
		stored = append(stored, row{r.Amount.String(), r.RecordDate, r.Note})
	}
	balances, types := map[string]string{}, map[string]pfm.AccountType{}
	for _, a := range w.accounts() {
		balances[a.Number+a.IBAN], types[a.Number+a.IBAN] = a.Balance.String(), a.Type
	}
	for _, a := range found.Accounts {
		assert.Equal(t, balances[a.Number+a.IBAN], a.Balance.String())
		assert.Equal(t, types[a.Number+a.IBAN], a.Type)
		for _, r := range a.Rows {
			inspected = append(inspected, row{r.Amount.String(), r.RecordDate, r.Note})
		}
	}
	assert.ElementsMatch(t, stored, inspected)
	assert.Equal(t, 1, found.Accounts[0].Unreadable)
	assert.Len(t, stored, 2)
	calls := w.bank.Calls
	require.Len(t, calls, 4)
	assert.Equal(t, calls[0].From, calls[2].From, "the same days")
	assert.True(t, calls[2].Session.CardAccounts, "the profile counts")

	w.bank.RefuseRows = func(string) error { return pfmtest.Failure(pfm.SupplierRateLimited) }
	found, err = connection.Inspect(t.Context(), w.bank, p, pfm.Session{ConsentID: c.ConsentID}, w.clock.Now)
	require.NoError(t, err)
	for _, a := range found.Accounts {
		require.Error(t, a.Err, "as in a sync, a limit is one of the account")
	}
}

// reserved returns a card payment as a bank lists it.
func reserved(id, amount, currency, shop, text string) pfm.BankTransaction {
	return pfm.BankTransaction{
		ID: id, Amount: money.MustParse(amount), Currency: currency, ValueDate: "2026-03-01",
		CreditorName: shop, Remittance: text,
	}
}

// settled returns it once it is booked.
func settled(day pfm.Date, id, amount, currency, shop, text string) pfm.BankTransaction {
	b := reserved(id, amount, currency, shop, text)
	b.Booked, b.BookingDate = true, day
	return b
}

// Many banks reserve a card payment in the shop's currency and book it in the account's.
func TestAPendingRowThatBooksInAnotherCurrencyKeepsItsID(t *testing.T) {
	type rows = []pfm.BankTransaction
	for name, tt := range map[string]struct {
		pending, booked rows
		// kept is how many pending rows keep their ID, others how many rows are new, and void how
		// many pending rows have vanished.
		kept, others, void int
	}{
		"with the same ID and text": {
			rows{reserved("p-100001", "-55.00", "USD", "AliExpress", "order")},
			rows{settled("2026-03-03", "p-100001", "-47.12", "EUR", "AliExpress", "order")}, 1, 0, 0,
		},
		"with another ID": {
			rows{reserved("p-100001", "-55.00", "USD", "AliExpress", "order")},
			rows{settled("2026-03-03", "b-900001", "-47.12", "EUR", "AliExpress", "order")}, 1, 0, 0,
		},
		"without an ID": {
			rows{reserved("", "-20.00", "GBP", "Transport for London", "")},
			rows{settled("2026-03-05", "", "-23.61", "EUR", "Transport for London", "")}, 1, 0, 0,
		},
		"by text alone": {
			rows{reserved("", "-20.00", "GBP", "", "TFL TRAVEL CH")},
			rows{settled("2026-03-05", "", "-23.61", "EUR", "", "TFL TRAVEL CH")}, 1, 0, 0,
		},
		"escaped in one of both, with a prefix before the ID": {
			rows{reserved("4711001", "-1172.00", "RSD", "", "GALEN PHARM&gt; RS")},
			rows{settled("2026-03-03", "CC-4711001", "-10.01", "EUR", "", "GALEN PHARM> RS")}, 1, 0, 0,
		},
		"with the rate in the text": {
			rows{reserved("", "-12.99", "USD", "", "AMAZON MKTPLACE SEATTLE")},
			rows{settled("2026-03-03", "", "-11.20", "EUR", "", "AMAZON MKTPLACE SEATTLE 12.99 USD 1.1598")}, 1, 0, 0,
		},
		"with a longer name": {
			rows{reserved("", "-12.99", "USD", "AMAZON MKTPLACE", "")},
			rows{settled("2026-03-03", "", "-11.20", "EUR", "Amazon Mktplace Pmts", "Kartenzahlung")}, 1, 0, 0,
		},
		"twice at one shop": {
			rows{reserved("", "-5.60", "GBP", "TFL", ""), reserved("", "-5.60", "GBP", "TFL", "")},
			rows{
				settled("2026-03-03", "", "-6.61", "EUR", "TFL", ""), settled("2026-03-03", "", "-6.62", "EUR", "TFL", ""),
			}, 2, 0, 0,
		},
		"two shops": {
			rows{reserved("", "-5.60", "GBP", "TFL", ""), reserved("", "-8.00", "GBP", "Pret", "")},
			rows{
				settled("2026-03-03", "", "-9.44", "EUR", "Pret", ""), settled("2026-03-03", "", "-6.61", "EUR", "TFL", ""),
			}, 2, 0, 0,
		},
		"and the account's currency first": {
			rows{reserved("", "-47.12", "EUR", "AliExpress", "")},
			rows{settled("2026-03-03", "", "-55.00", "USD", "AliExpress", "")}, 1, 0, 0,
		},
		"from an amount of zero, with the same ID": {
			rows{reserved("p-100001", "0.00", "USD", "Shell", "fuel")},
			rows{settled("2026-03-03", "p-100001", "-61.20", "EUR", "Shell", "fuel")}, 1, 0, 0,
		},
		"from an amount of zero in the account's currency": {
			rows{reserved("p-100001", "0.00", "EUR", "Shell", "fuel")},
			rows{settled("2026-03-03", "p-100001", "-61.20", "EUR", "Shell", "fuel")}, 1, 0, 0,
		},
		"but not as a refund": {
			rows{reserved("", "-55.00", "USD", "Zara", "")},
			rows{settled("2026-03-03", "", "20.00", "EUR", "Zara", "")}, 0, 1, 1,
		},
		"but not as a refund of the same number": {
			rows{reserved("", "-20.00", "USD", "Zara", "")},
			rows{settled("2026-03-03", "", "20.00", "EUR", "Zara", "")}, 0, 1, 1,
		},
		"but not as another shop's": {
			rows{reserved("", "-55.00", "USD", "Zara", "")},
			rows{settled("2026-03-03", "", "-47.12", "EUR", "Mango", "")}, 0, 1, 1,
		},
		"but not while it is pending": {
			rows{reserved("", "-55.00", "USD", "Zara", "")},
			rows{
				reserved("", "-55.00", "USD", "Zara", ""), settled("2026-03-03", "", "-47.12", "EUR", "Zara", ""),
			}, 1, 1, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, c := reading(t)
			anchor := settled("2026-02-01", "a-100001", "-1.00", "EUR", "Anker", "")
			w.bank.Rows = map[string][]pfm.BankTransaction{"r1": append(rows{anchor}, tt.pending...)}
			w.run(w.jobs()...)
			ids := map[string]bool{}
			for _, row := range w.transactions() {
				ids[row.ID] = row.State == transaction.Uncleared
			}
			require.Len(t, ids, len(tt.pending)+1)

			w.bank.Rows = map[string][]pfm.BankTransaction{"r1": append(rows{anchor}, tt.booked...)}
			w.syncOnce(c.ID)
			kept, others, void := 0, 0, 0
			for _, row := range w.transactions() {
				wasPending, known := ids[row.ID]
				switch {
				case !known:
					others++
				case row.State == transaction.Void:
					void++
				case wasPending:
					kept++
				}
			}
			assert.Equal(t, [3]int{tt.kept, tt.others, tt.void}, [3]int{kept, others, void}, "kept, others, void")
		})
	}
}
