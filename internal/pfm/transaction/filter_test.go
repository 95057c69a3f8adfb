package transaction

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

func TestSearchWords(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, " *** ": nil, "Miete": {"miete"}, "  Jürgensen & TÖCHTER ": {"jurgensen", "tochter"}, "Mueller": {"muller"},
		"E.ON": {" e on"}, "o2": {" o2"}, "dm drogerie": {" dm", "drogerie"}, "Łódź": {"lodz"}, "DE89 3704": {"de89", "3704"},
	} {
		assert.Equal(t, want, SearchWords(text), text)
	}
}

func TestMatches(t *testing.T) {
	row := Transaction{
		Amount: money.MustParse("-23.90"), Note: "PAYPAL *NETFLIX MUELLER", Merchant: pfm.Merchant{Name: "Grünkorb"},
		Counterparty: "Hansekontor Töchter GmbH", Payee: "DE89370400440532013000",
		MandateID: "M-2024-000123", CreditorID: "DE98ZZZ09999999999",
	}
	for text, want := range map[string]bool{
		"netflix": true, "NETFLIX paypal": true, "flix": true, "müller": true, "muller": true, "gruenkorb": true, "toechter": true,
		"kontor": true, "DE8937040044": true, "2024-000123": true, "zzz0999": true, "grünkorb hansekontor": true, "pa": true,
		"netflix spotify": false, "flix.paypal": false, "al": false, "muler": false, "ler grün": true, "000123 de98": true, "mullergrun": false,
		"EUR": false,
	} {
		assert.Equal(t, want, Filter{Words: SearchWords(text)}.Matches(row), text)
	}

	bound := func(s string) *money.Amount {
		if s == "" {
			return nil
		}
		return new(money.MustParse(s))
	}
	for _, tt := range []struct {
		from, to string
		kind     RecordType
		matching []string
	}{
		{"", "", Expense, []string{"-100.00", "-23.90", "-23.9", "0.00"}},
		{"", "", Income, []string{"0.01", "23.90", "1234567890123.45"}},
		{"-23.90", "", "", []string{"-23.90", "-23.9", "0.00", "0.01", "23.90", "1234567890123.45"}},
		{"-23.89999", "23.9", "", []string{"0.00", "0.01", "23.90"}},
		{"", "-23.9", "", []string{"-100.00", "-23.90", "-23.9"}},
		{"0", "0.000", "", []string{"0.00"}},
		{"-50", "50", Income, []string{"0.01", "23.90"}},
		{"1", "", Expense, nil},
	} {
		f := Filter{Type: tt.kind, AmountFrom: bound(tt.from), AmountTo: bound(tt.to)}
		assert.True(t, f.ReadsContent())
		var got []string
		for _, amount := range []string{"-100.00", "-23.90", "-23.9", "0.00", "0.01", "23.90", "1234567890123.45"} {
			if f.Matches(Transaction{Amount: money.MustParse(amount)}) {
				got = append(got, amount)
			}
		}
		assert.Equal(t, tt.matching, got, "%+v", tt)
	}
	assert.False(t, Filter{AccountID: "a", Category: 500}.ReadsContent())
}

func BenchmarkMatches(b *testing.B) {
	row := Transaction{
		Note:     "KARTENZAHLUNG GRUENKORB SAGT DANKE//BERLIN/DE 2026-02-27T18:31:07 KFN 0 VJ 2712",
		Merchant: pfm.Merchant{Name: "Grünkorb"}, Counterparty: "Grünkorb Lebensmittel GmbH", Payee: "DE67100100101306118605",
		MandateID: "M-2024-000123", CreditorID: "DE98ZZZ09999999999",
	}
	f := Filter{Words: SearchWords("netflix")}
	for b.Loop() {
		f.Matches(row)
	}
}
