package connection

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

func TestMatchAccounts(t *testing.T) {
	const iban, other = "DE89370400440532013000", "DE02120300000000202051"
	known := func(id, iban, number, currency, resource, consent string) pfm.Account {
		return pfm.Account{ID: id, IBAN: iban, Number: number, Currency: currency, ResourceID: resource, ConsentID: consent}
	}
	fetched := func(iban, number, currency, resource string) pfm.BankAccount {
		return pfm.BankAccount{IBAN: iban, BBAN: number, Currency: currency, ResourceID: resource}
	}
	for _, tt := range []struct {
		name    string
		known   []pfm.Account
		fetched []pfm.BankAccount
		want    []string
	}{
		{"nothing known", nil, []pfm.BankAccount{fetched(iban, "", "EUR", "r1")}, []string{""}},
		{"the same IBAN and currency under another consent", []pfm.Account{
			known("a", iban, "", "EUR", "r1", "c0"),
		}, []pfm.BankAccount{fetched(iban, "", "EUR", "r9")}, []string{"a"}},
		{"the same IBAN in another currency", []pfm.Account{
			known("a", iban, "", "EUR", "r1", "c1"),
		}, []pfm.BankAccount{fetched(iban, "", "USD", "r1")}, []string{""}},
		{"a resource ID under the same consent", []pfm.Account{
			known("a", "", "", "EUR", "r1", "c1"),
		}, []pfm.BankAccount{fetched("", "", "EUR", "r1")}, []string{"a"}},
		{"a resource ID under another consent", []pfm.Account{
			known("a", "", "", "EUR", "r1", "c0"),
		}, []pfm.BankAccount{fetched("", "", "EUR", "r1")}, []string{""}},
		{"the resource ID of another IBAN", []pfm.Account{
			known("a", iban, "", "EUR", "r1", "c1"),
		}, []pfm.BankAccount{fetched(other, "", "EUR", "r1")}, []string{""}},
		{"an IBAN that the bank now sends", []pfm.Account{
			known("a", "", "4711", "EUR", "r1", "c1"),
		}, []pfm.BankAccount{fetched(iban, "", "EUR", "r1")}, []string{"a"}},
		{"an IBAN that the bank no longer sends", []pfm.Account{
			known("a", iban, "", "EUR", "r1", "c1"),
		}, []pfm.BankAccount{fetched("", "", "EUR", "r1")}, []string{"a"}},
		{"a number under another consent", []pfm.Account{
			known("a", "", "4711", "EUR", "r1", "c0"),
		}, []pfm.BankAccount{fetched("", "4711", "EUR", "r9")}, []string{"a"}},
		{"a number with a new IBAN", []pfm.Account{
			known("a", "", "4711", "EUR", "r1", "c0"),
		}, []pfm.BankAccount{fetched(iban, "4711", "EUR", "r9")}, []string{"a"}},
		{"a number of another IBAN", []pfm.Account{
			known("a", iban, "4711", "EUR", "r1", "c0"),
		}, []pfm.BankAccount{fetched(other, "4711", "EUR", "r9")}, []string{""}},
		{"empty fields do not match", []pfm.Account{
			known("a", "", "", "EUR", "", "c1"),
		}, []pfm.BankAccount{fetched("", "", "EUR", "")}, []string{""}},
		{
			"the resource IDs distinguish pots with the same IBAN", []pfm.Account{
				known("a", iban, "", "EUR", "r1", "c1"), known("b", iban, "", "EUR", "r2", "c1"),
			},
			[]pfm.BankAccount{fetched(iban, "", "EUR", "r2"), fetched(iban, "", "EUR", "r1")}, []string{"b", "a"},
		},
		{
			"each known account matches once", []pfm.Account{known("a", iban, "", "EUR", "r1", "c0")},
			[]pfm.BankAccount{fetched(iban, "", "EUR", "r8"), fetched(iban, "", "EUR", "r9")}, []string{"a", ""},
		},
		{
			"the IBAN takes precedence over a resource ID", []pfm.Account{
				known("a", "", "", "EUR", "r1", "c1"), known("b", iban, "", "EUR", "r2", "c0"),
			},
			[]pfm.BankAccount{fetched(iban, "", "EUR", "r1")}, []string{"b"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ids := make([]string, 0, len(tt.want))
			for _, a := range matchAccounts(tt.known, tt.fetched, "c1") {
				ids = append(ids, a.ID)
			}
			assert.Equal(t, tt.want, ids)
		})
	}
}

func TestMatchAccountsByHash(t *testing.T) {
	const iban, other = "DE89370400440532013000", "DE02120300000000202051"
	known := func(id, hash, iban, currency string) pfm.Account {
		return pfm.Account{ID: id, IdentificationHash: hash, IBAN: iban, Currency: currency, ResourceID: "r-" + id, ConsentID: "c0"}
	}
	fetched := func(hash, iban, currency string) pfm.BankAccount {
		return pfm.BankAccount{IdentificationHash: hash, IBAN: iban, Currency: currency, ResourceID: "new"}
	}
	for _, tt := range []struct {
		name    string
		known   []pfm.Account
		fetched []pfm.BankAccount
		want    []string
	}{
		{"without a number", []pfm.Account{known("a", "h", "", "EUR")}, []pfm.BankAccount{fetched("h", "", "EUR")}, []string{"a"}},
		{"with another IBAN", []pfm.Account{known("a", "h", iban, "EUR")}, []pfm.BankAccount{fetched("h", other, "EUR")}, []string{"a"}},
		{
			"pockets under one IBAN", []pfm.Account{known("a", "h", iban, "EUR"), known("b", "h", iban, "USD")},
			[]pfm.BankAccount{fetched("h", iban, "USD"), fetched("h", iban, "EUR")}, []string{"b", "a"},
		},
		{
			"the hash takes precedence over the IBAN", []pfm.Account{known("a", "h1", iban, "EUR"), known("b", "h2", iban, "EUR")},
			[]pfm.BankAccount{fetched("h2", iban, "EUR"), fetched("h1", iban, "EUR")}, []string{"b", "a"},
		},
		{"no hash", []pfm.Account{known("a", "", "", "EUR")}, []pfm.BankAccount{fetched("", "", "EUR")}, []string{""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ids := make([]string, 0, len(tt.want))
			for _, a := range matchAccounts(tt.known, tt.fetched, "c1") {
				ids = append(ids, a.ID)
			}
			assert.Equal(t, tt.want, ids)
		})
	}
	t.Run("an account with a hash could be recognised", func(t *testing.T) {
		assert.True(t, mismatch([]pfm.Account{known("a", "h", "", "EUR")}, []pfm.BankAccount{fetched("other", "", "EUR")}, "c1"))
		assert.False(t, mismatch([]pfm.Account{known("a", "h", "", "EUR")}, []pfm.BankAccount{fetched("h", "", "EUR")}, "c1"))
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
