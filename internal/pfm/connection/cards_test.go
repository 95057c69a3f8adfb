package connection_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
	"aviso/internal/pfm/pfmtest"
)

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
			w.bank.SetConsent("consent-1", pfm.Consent{State: pfm.ConsentValid, ValidUntil: "2026-05-31", CardAccounts: tt.linked})
			_, err := w.back(state, false)
			require.NoError(t, err)
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
