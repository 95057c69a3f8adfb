package pfm

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/money"
)

func TestMatchAccounts(t *testing.T) {
	const iban, other = "DE89370400440532013000", "DE02120300000000202051"
	known := func(id, iban, number, currency, resource, consent string) Account {
		return Account{ID: id, IBAN: iban, Number: number, Currency: currency, ResourceID: resource, ConsentID: consent}
	}
	fetched := func(iban, number, currency, resource string) BankAccount {
		return BankAccount{IBAN: iban, BBAN: number, Currency: currency, ResourceID: resource}
	}
	for _, tt := range []struct {
		name    string
		known   []Account
		fetched []BankAccount
		want    []string
	}{
		{"nothing known", nil, []BankAccount{fetched(iban, "", "EUR", "r1")}, []string{""}},
		{"the same IBAN and currency under another consent", []Account{known("a", iban, "", "EUR", "r1", "c0")}, []BankAccount{fetched(iban, "", "EUR", "r9")}, []string{"a"}},
		{"the same IBAN in another currency", []Account{known("a", iban, "", "EUR", "r1", "c1")}, []BankAccount{fetched(iban, "", "USD", "r1")}, []string{""}},
		{"a resource ID under the same consent", []Account{known("a", "", "", "EUR", "r1", "c1")}, []BankAccount{fetched("", "", "EUR", "r1")}, []string{"a"}},
		{"a resource ID under another consent", []Account{known("a", "", "", "EUR", "r1", "c0")}, []BankAccount{fetched("", "", "EUR", "r1")}, []string{""}},
		{"the resource ID of another IBAN", []Account{known("a", iban, "", "EUR", "r1", "c1")}, []BankAccount{fetched(other, "", "EUR", "r1")}, []string{""}},
		{"an IBAN that the bank now sends", []Account{known("a", "", "4711", "EUR", "r1", "c1")}, []BankAccount{fetched(iban, "", "EUR", "r1")}, []string{"a"}},
		{"an IBAN that the bank no longer sends", []Account{known("a", iban, "", "EUR", "r1", "c1")}, []BankAccount{fetched("", "", "EUR", "r1")}, []string{"a"}},
		{"a number under another consent", []Account{known("a", "", "4711", "EUR", "r1", "c0")}, []BankAccount{fetched("", "4711", "EUR", "r9")}, []string{"a"}},
		{"a number with a new IBAN", []Account{known("a", "", "4711", "EUR", "r1", "c0")}, []BankAccount{fetched(iban, "4711", "EUR", "r9")}, []string{"a"}},
		{"a number of another IBAN", []Account{known("a", iban, "4711", "EUR", "r1", "c0")}, []BankAccount{fetched(other, "4711", "EUR", "r9")}, []string{""}},
		{"empty fields do not match", []Account{known("a", "", "", "EUR", "", "c1")}, []BankAccount{fetched("", "", "EUR", "")}, []string{""}},
		{
			"the resource IDs distinguish pots with the same IBAN", []Account{known("a", iban, "", "EUR", "r1", "c1"), known("b", iban, "", "EUR", "r2", "c1")},
			[]BankAccount{fetched(iban, "", "EUR", "r2"), fetched(iban, "", "EUR", "r1")}, []string{"b", "a"},
		},
		{
			"each known account matches once", []Account{known("a", iban, "", "EUR", "r1", "c0")},
			[]BankAccount{fetched(iban, "", "EUR", "r8"), fetched(iban, "", "EUR", "r9")}, []string{"a", ""},
		},
		{
			"the IBAN takes precedence over a resource ID", []Account{known("a", "", "", "EUR", "r1", "c1"), known("b", iban, "", "EUR", "r2", "c0")},
			[]BankAccount{fetched(iban, "", "EUR", "r1")}, []string{"b"},
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
	known := func(id, hash, iban, currency string) Account {
		return Account{ID: id, IdentificationHash: hash, IBAN: iban, Currency: currency, ResourceID: "r-" + id, ConsentID: "c0"}
	}
	fetched := func(hash, iban, currency string) BankAccount {
		return BankAccount{IdentificationHash: hash, IBAN: iban, Currency: currency, ResourceID: "new"}
	}
	for _, tt := range []struct {
		name    string
		known   []Account
		fetched []BankAccount
		want    []string
	}{
		{"without a number", []Account{known("a", "h", "", "EUR")}, []BankAccount{fetched("h", "", "EUR")}, []string{"a"}},
		{"with another IBAN", []Account{known("a", "h", iban, "EUR")}, []BankAccount{fetched("h", other, "EUR")}, []string{"a"}},
		{
			"pockets under one IBAN", []Account{known("a", "h", iban, "EUR"), known("b", "h", iban, "USD")},
			[]BankAccount{fetched("h", iban, "USD"), fetched("h", iban, "EUR")}, []string{"b", "a"},
		},
		{
			"the hash takes precedence over the IBAN", []Account{known("a", "h1", iban, "EUR"), known("b", "h2", iban, "EUR")},
			[]BankAccount{fetched("h2", iban, "EUR"), fetched("h1", iban, "EUR")}, []string{"b", "a"},
		},
		{"no hash", []Account{known("a", "", "", "EUR")}, []BankAccount{fetched("", "", "EUR")}, []string{""}},
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
		assert.True(t, mismatch([]Account{known("a", "h", "", "EUR")}, []BankAccount{fetched("other", "", "EUR")}, "c1"))
		assert.False(t, mismatch([]Account{known("a", "h", "", "EUR")}, []BankAccount{fetched("h", "", "EUR")}, "c1"))
	})
}

func TestRefreshedAccount(t *testing.T) {
	was := Account{
		ID: "a", Name: "Everyday", Number: "4711", IBAN: "DE1", Type: AccountCurrent, Currency: "EUR", Balance: money.MustParse("10.00"),
		CreatedAt: monday, UpdatedAt: monday, ResourceID: "r1", ConsentID: "c1",
	}
	same := BankAccount{
		ResourceID: "r1",
		IBAN:       "DE1",
		BBAN:       "4711",
		Currency:   "EUR",
		Name:       "Everyday",
		Balances:   []BankBalance{{Type: "closingBooked", Amount: money.MustParse("10"), Currency: "EUR"}},
	}
	later := monday.Add(time.Hour)

	t.Run("keeps its time without a change", func(t *testing.T) {
		assert.Equal(t, monday, refreshed(was, same, "c1", later).UpdatedAt)
	})
	t.Run("has a new time with a new balance", func(t *testing.T) {
		f := same
		f.Balances = []BankBalance{{Type: "closingBooked", Amount: money.MustParse("11.00"), Currency: "EUR"}}
		got := refreshed(was, f, "c1", later)
		assert.Equal(t, later, got.UpdatedAt)
		assert.Equal(t, monday, got.CreatedAt)
		assert.Equal(t, "11.00", got.Balance.String())
	})
	t.Run("keeps what the bank leaves out", func(t *testing.T) {
		got := refreshed(was, BankAccount{ResourceID: "r2", Currency: "EUR"}, "c2", later)
		assert.Equal(t, "10.00", got.Balance.String())
		assert.Equal(t, "Everyday", got.Name)
		assert.Equal(t, "DE1", got.IBAN)
		assert.Equal(t, "4711", got.Number)
		assert.Equal(t, "r2", got.ResourceID)
		assert.Equal(t, "c2", got.ConsentID)
	})
	t.Run("keeps a hash that is not told again", func(t *testing.T) {
		hashed := refreshed(was, BankAccount{IdentificationHash: "h"}, "c1", later)
		assert.Equal(t, "h", refreshed(hashed, BankAccount{}, "c1", later).IdentificationHash)
	})
	t.Run("uses the best available name", func(t *testing.T) {
		for want, f := range map[string]BankAccount{
			"Name": {Name: "Name", Product: "Product", IBAN: "DE1"}, "Product": {Product: "Product", IBAN: "DE1"},
			"DE1": {IBAN: "DE1", BBAN: "4711"}, "4711": {BBAN: "4711", MaskedPAN: "5409"}, "5409": {MaskedPAN: "5409"},
		} {
			assert.Equal(t, want, refreshed(Account{}, f, "c", monday).Name)
		}
	})
}

func TestBookedBalanceOfCards(t *testing.T) {
	balance := func(kind, amount string, day Date) BankBalance {
		return BankBalance{Type: kind, Amount: money.MustParse(amount), Currency: "EUR", ReferenceDate: day}
	}
	for name, tt := range map[string]struct {
		want     string
		balances []BankBalance
	}{
		"what is left of the limit comes last": {"-1", []BankBalance{balance("interimAvailable", "900", ""), balance("nonInvoiced", "-1", "")}},
		"what is expected is newer than the opening": {"-2", []BankBalance{
			balance("openingBooked", "-1", ""), balance("expected", "-2", ""),
		}},
		"the latest day": {"-3", []BankBalance{
			balance("closingBooked", "-1", "2026-02-28"), balance("closingBooked", "-3", "2026-03-02"),
			balance("closingBooked", "-2", "2026-03-01"),
		}},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := bookedBalance(BankAccount{Currency: "EUR", CashAccountType: "CARD", Balances: tt.balances})
			require.True(t, ok)
			assert.Equal(t, tt.want, got.String())
		})
	}
}

func TestBookedBalance(t *testing.T) {
	balance := func(kind, amount, currency string) BankBalance {
		return BankBalance{Type: kind, Amount: money.MustParse(amount), Currency: currency}
	}
	for _, tt := range []struct {
		name     string
		currency string
		balances []BankBalance
		want     string // empty for none
	}{
		{"no balance", "EUR", nil, ""},
		{"booked takes precedence over available", "EUR", []BankBalance{balance("interimAvailable", "900", "EUR"), balance("closingBooked", "100", "EUR")}, "100"},
		{"interim takes precedence over closing", "EUR", []BankBalance{balance("closingBooked", "100", "EUR"), balance("interimBooked", "90", "EUR")}, "90"},
		{"closing takes precedence over opening", "EUR", []BankBalance{balance("openingBooked", "100", "EUR"), balance("closingBooked", "90", "EUR")}, "90"},
		{"expected takes precedence over available", "EUR", []BankBalance{balance("forwardAvailable", "1", "EUR"), balance("interimAvailable", "2", "EUR"), balance("expected", "3", "EUR")}, "3"},
		{"available if there is no other", "EUR", []BankBalance{balance("interimAvailable", "2", "EUR")}, "2"},
		{"a card's upcoming bill", "EUR", []BankBalance{balance("nonInvoiced", "-7.5", "EUR")}, "-7.5"},
		{"not in another currency", "EUR", []BankBalance{balance("closingBooked", "100", "USD"), balance("expected", "1", "EUR")}, "1"},
		{"any currency of a multi-currency account", "XXX", []BankBalance{balance("closingBooked", "100", "USD")}, "100"},
		{"of an unknown type if there is no other", "EUR", []BankBalance{balance("magic", "100", "EUR")}, "100"},
		{"an unknown type before what is available", "EUR", []BankBalance{balance("interimAvailable", "9", "EUR"), balance("magic", "1", "EUR")}, "1"},
		{"in no currency", "EUR", []BankBalance{balance("closingBooked", "100", "")}, "100"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := bookedBalance(BankAccount{Currency: tt.currency, Balances: tt.balances})
			require.Equal(t, tt.want != "", ok)
			if ok {
				assert.Equal(t, tt.want, got.String())
			}
		})
	}
}

func TestAccountType(t *testing.T) {
	for code, want := range map[string]AccountType{
		"": AccountCurrent, "CACC": AccountCurrent, "cacc": AccountCurrent, "TRAN": AccountCurrent, "SVGS": AccountSaving, "LLSV": AccountSaving,
		"CARD": AccountCreditCard, "LOAN": AccountLoan, "ODFT": AccountOverdraft, "TRAS": AccountInvestment, "OTHR": AccountGeneral, "?": AccountGeneral,
	} {
		assert.Equal(t, want, accountType(code), code)
	}
}
