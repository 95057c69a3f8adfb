package connection

import (
	"cmp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

// Known accounts have an ID, IBAN, number, currency, resource ID, consent and hash. Those that the bank
// lists, under the consent c1, have neither ID nor consent.
func TestMatchAccounts(t *testing.T) {
	fields := func(text string) (all [][]string) {
		for one := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' }) {
			all = append(all, append(strings.Fields(one), "-"))
		}
		for _, one := range all {
			for i := range one {
				one[i] = strings.TrimPrefix(one[i], "-")
			}
		}
		return all
	}
	for _, tt := range []struct{ name, known, listed, want string }{
		{"nothing known", "", "DE1 - EUR r1", "-"},
		{"the same IBAN and currency under another consent", "a DE1 - EUR r1 c0", "DE1 - EUR r9", "a"},
		{"the same IBAN in another currency", "a DE1 - EUR r1 c0", "DE1 - USD r1", "-"},
		{"a currency that changes under the same consent", "a DE1 - BGN r1 c1", "DE1 - EUR r1", "a"},
		{"a resource ID that moves", "a DE1 - EUR r1 c1, b DE2 - EUR r2 c1", "DE2 - EUR r1, DE1 - EUR r2", "b a"},
		{"a resource ID under the same consent", "a - - EUR r1 c1", "- - EUR r1", "a"},
		{"a resource ID under another consent", "a - - EUR r1 c0", "- - EUR r1", "-"},
		{"an IBAN that changes under the same consent", "a DE1 - EUR r1 c1", "DE2 - EUR r1", "a"},
		{"the resource ID of another IBAN", "a DE1 - EUR r1 c0", "DE2 - EUR r1", "-"},
		{"an IBAN that the bank now sends", "a - 4711 EUR r1 c1", "DE1 - EUR r1", "a"},
		{"an IBAN that the bank no longer sends", "a DE1 - EUR r1 c1", "- - EUR r1", "a"},
		{"a number under another consent", "a - 4711 EUR r1 c0", "- 4711 EUR r9", "a"},
		{"a number with a new IBAN", "a - 4711 EUR r1 c0", "DE1 4711 EUR r9", "a"},
		{"a number of another IBAN", "a DE1 4711 EUR r1 c0", "DE2 4711 EUR r9", "-"},
		{"empty fields do not match", "a - - EUR - c1", "- - EUR -", "-"},
		{
			"the resource IDs distinguish pots with the same IBAN", "a DE1 - EUR r1 c1, b DE1 - EUR r2 c1",
			"DE1 - EUR r2, DE1 - EUR r1", "b a",
		},
		{"each known account matches once", "a DE1 - EUR r1 c0", "DE1 - EUR r8, DE1 - EUR r9", "a -"},
		{"the IBAN takes precedence over a resource ID", "a - - EUR r1 c1, b DE1 - EUR r2 c0", "DE1 - EUR r1", "b"},
		{"without a number", "a - - EUR ra c0 h", "- - EUR new h", "a"},
		{"with another IBAN", "a DE1 - EUR ra c0 h", "DE2 - EUR new h", "a"},
		{
			"pockets under one IBAN", "a DE1 - EUR ra c0 h, b DE1 - USD rb c0 h",
			"DE1 - USD new h, DE1 - EUR new h", "b a",
		},
		{
			"the hash takes precedence over the IBAN", "a DE1 - EUR ra c0 h1, b DE1 - EUR rb c0 h2",
			"DE1 - EUR new h2, DE1 - EUR new h1", "b a",
		},
		{"no hash", "a - - EUR ra c0 -", "- - EUR new -", "-"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var known []pfm.Account
			for _, f := range fields(tt.known) {
				known = append(known, pfm.Account{
					ID: f[0], IBAN: f[1], Number: f[2], Currency: f[3], ResourceID: f[4], ConsentID: f[5], IdentificationHash: f[6],
				})
			}
			var listed []pfm.BankAccount
			for _, f := range fields(tt.listed) {
				listed = append(listed, pfm.BankAccount{IBAN: f[0], BBAN: f[1], Currency: f[2], ResourceID: f[3], IdentificationHash: f[4]})
			}
			var ids []string
			for _, a := range matchAccounts(known, listed, "c1") {
				ids = append(ids, cmp.Or(a.ID, "-"))
			}
			assert.Equal(t, tt.want, strings.Join(ids, " "))
		})
	}
	t.Run("an account with a hash could be recognised", func(t *testing.T) {
		hashed := []pfm.Account{{ID: "a", IdentificationHash: "h", Currency: "EUR"}}
		assert.True(t, mismatch(hashed, []pfm.BankAccount{{IdentificationHash: "other", Currency: "EUR"}}, "c1"))
		assert.False(t, mismatch(hashed, []pfm.BankAccount{{IdentificationHash: "h", Currency: "EUR"}}, "c1"))
	})
}

func TestRefreshedAccount(t *testing.T) {
	was := pfm.Account{
		ID: "a", Name: "Everyday", Number: "4711", IBAN: "DE1", Type: pfm.AccountCurrent, Currency: "EUR",
		Balance: money.MustParse("10.00"), CreatedAt: monday, UpdatedAt: monday, ResourceID: "r1", ConsentID: "c1",
	}
	same := pfm.BankAccount{
		ResourceID: "r1", IBAN: "DE1", BBAN: "4711", Currency: "EUR", Name: "Everyday",
		Balances: []pfm.BankBalance{{Type: "closingBooked", Amount: money.MustParse("10"), Currency: "EUR"}},
	}
	later := monday.Add(time.Hour)

	t.Run("keeps its time without a change", func(t *testing.T) {
		assert.Equal(t, monday, refreshed(was, same, "c1", later).UpdatedAt)
	})
	t.Run("has a new time with a new balance", func(t *testing.T) {
		f := same
		f.Balances = []pfm.BankBalance{{Type: "closingBooked", Amount: money.MustParse("11.00"), Currency: "EUR"}}
		got := refreshed(was, f, "c1", later)
		assert.Equal(t, later, got.UpdatedAt)
		assert.Equal(t, monday, got.CreatedAt)
		assert.Equal(t, "11.00", got.Balance.String())
	})
	t.Run("keeps what the bank leaves out", func(t *testing.T) {
		got := refreshed(was, pfm.BankAccount{ResourceID: "r2", Currency: "EUR"}, "c2", later)
		assert.Equal(t, "10.00", got.Balance.String())
		assert.Equal(t, "Everyday", got.Name)
		assert.Equal(t, "DE1", got.IBAN)
		assert.Equal(t, "4711", got.Number)
		assert.Equal(t, "r2", got.ResourceID)
		assert.Equal(t, "c2", got.ConsentID)
	})
	t.Run("keeps a hash that is not told again", func(t *testing.T) {
		hashed := refreshed(was, pfm.BankAccount{IdentificationHash: "h"}, "c1", later)
		assert.Equal(t, "h", refreshed(hashed, pfm.BankAccount{}, "c1", later).IdentificationHash)
	})
	t.Run("uses the best available name", func(t *testing.T) {
		for want, f := range map[string]pfm.BankAccount{
			"Name": {Name: "Name", Product: "Product", IBAN: "DE1"}, "Product": {Product: "Product", IBAN: "DE1"},
			"DE1": {IBAN: "DE1", BBAN: "4711"}, "4711": {BBAN: "4711", MaskedPAN: "5409"}, "5409": {MaskedPAN: "5409"},
		} {
			assert.Equal(t, want, refreshed(pfm.Account{}, f, "c", monday).Name)
		}
	})
}

func TestBookedBalanceOfCards(t *testing.T) {
	balance := func(kind, amount string, day pfm.Date) pfm.BankBalance {
		return pfm.BankBalance{Type: kind, Amount: money.MustParse(amount), Currency: "EUR", ReferenceDate: day}
	}
	for name, tt := range map[string]struct {
		want     string
		balances []pfm.BankBalance
	}{
		"what is left of the limit comes last": {"-1", []pfm.BankBalance{
			balance("interimAvailable", "900", ""), balance("nonInvoiced", "-1", ""),
		}},
		"what is expected is newer than the opening": {"-2", []pfm.BankBalance{
			balance("openingBooked", "-1", ""), balance("expected", "-2", ""),
		}},
		"the latest day": {"-3", []pfm.BankBalance{
			balance("closingBooked", "-1", "2026-02-28"), balance("closingBooked", "-3", "2026-03-02"),
			balance("closingBooked", "-2", "2026-03-01"),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := bookedBalance(pfm.BankAccount{Currency: "EUR", CashAccountType: "CARD", Balances: tt.balances})
			require.True(t, ok)
			assert.Equal(t, tt.want, got.String())
		})
	}
}

func TestBookedBalance(t *testing.T) {
	balance := func(kind, amount, currency string) pfm.BankBalance {
		return pfm.BankBalance{Type: kind, Amount: money.MustParse(amount), Currency: currency}
	}
	for _, tt := range []struct {
		name     string
		currency string
		balances []pfm.BankBalance
		want     string // empty for none
	}{
		{"no balance", "EUR", nil, ""},
		{"booked takes precedence over available", "EUR", []pfm.BankBalance{
			balance("interimAvailable", "900", "EUR"), balance("closingBooked", "100", "EUR"),
		}, "100"},
		{"interim takes precedence over closing", "EUR", []pfm.BankBalance{
			balance("closingBooked", "100", "EUR"), balance("interimBooked", "90", "EUR"),
		}, "90"},
		{"closing takes precedence over opening", "EUR", []pfm.BankBalance{
			balance("openingBooked", "100", "EUR"), balance("closingBooked", "90", "EUR"),
		}, "90"},
		{"expected takes precedence over available", "EUR", []pfm.BankBalance{
			balance("forwardAvailable", "1", "EUR"), balance("interimAvailable", "2", "EUR"), balance("expected", "3", "EUR"),
		}, "3"},
		{"available if there is no other", "EUR", []pfm.BankBalance{balance("interimAvailable", "2", "EUR")}, "2"},
		{"a card's upcoming bill", "EUR", []pfm.BankBalance{balance("nonInvoiced", "-7.5", "EUR")}, "-7.5"},
		{"not in another currency", "EUR", []pfm.BankBalance{balance("closingBooked", "100", "USD"), balance("expected", "1", "EUR")}, "1"},
		{"any currency of a multi-currency account", "XXX", []pfm.BankBalance{balance("closingBooked", "100", "USD")}, "100"},
		{"of an unknown type if there is no other", "EUR", []pfm.BankBalance{balance("magic", "100", "EUR")}, "100"},
		{"an unknown type before what is available", "EUR", []pfm.BankBalance{
			balance("interimAvailable", "9", "EUR"), balance("magic", "1", "EUR"),
		}, "1"},
		{"in no currency", "EUR", []pfm.BankBalance{balance("closingBooked", "100", "")}, "100"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := bookedBalance(pfm.BankAccount{Currency: tt.currency, Balances: tt.balances})
			require.Equal(t, tt.want != "", ok)
			if ok {
				assert.Equal(t, tt.want, got.String())
			}
		})
	}
}

func TestAccountType(t *testing.T) {
	for code, want := range map[string]pfm.AccountType{
		"": pfm.AccountCurrent, "CACC": pfm.AccountCurrent, "cacc": pfm.AccountCurrent, "TRAN": pfm.AccountCurrent, "SVGS": pfm.AccountSaving, "LLSV": pfm.AccountSaving,
		"CARD": pfm.AccountCreditCard, "LOAN": pfm.AccountLoan, "ODFT": pfm.AccountOverdraft, "TRAS": pfm.AccountInvestment, "OTHR": pfm.AccountGeneral, "?": pfm.AccountGeneral,
	} {
		assert.Equal(t, want, accountType(code), code)
	}
}
