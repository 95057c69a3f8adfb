package transaction

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"aviso/internal/money"
	"aviso/internal/pfm"
)

func side(id, account string, day pfm.Date, amount string) Transaction {
	return Transaction{ID: id, AccountID: account, RecordDate: day, Amount: money.MustParse(amount), Currency: "EUR", State: Cleared}
}

func TestOwnTransfers(t *testing.T) {
	out := side("out", "a", "2026-02-10", "-50.00")
	for name, tt := range map[string]struct {
		others []Transaction
		want   []string
	}{
		"the same day":                     {[]Transaction{side("in", "b", "2026-02-10", "50")}, []string{"in", "out"}},
		"three days later":                 {[]Transaction{side("in", "b", "2026-02-13", "50.00")}, []string{"in", "out"}},
		"four days later do not match":     {[]Transaction{side("in", "b", "2026-02-14", "50.00")}, nil},
		"on the same account do not match": {[]Transaction{side("in", "a", "2026-02-10", "50.00")}, nil},
		"another amount does not match":    {[]Transaction{side("in", "b", "2026-02-10", "50.01")}, nil},
		"another currency does not match": {[]Transaction{
			{ID: "in", AccountID: "b", RecordDate: "2026-02-10", Amount: money.MustParse("50"), Currency: "USD"},
		}, nil},
		"a vanished row does not match": {[]Transaction{
			{ID: "in", AccountID: "b", RecordDate: "2026-02-10", Amount: money.MustParse("50"), Currency: "EUR", State: Void},
		}, nil},
		"the nearer of two rows": {[]Transaction{
			side("far", "b", "2026-02-12", "50"), side("near", "c", "2026-02-11", "50"),
		}, []string{"near", "out"}},
		"two rows with the same sign do not match": {[]Transaction{side("out2", "b", "2026-02-10", "-50")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for id := range OwnTransfers(append([]Transaction{out}, tt.others...)) {
				got = append(got, id)
			}
			slices.Sort(got)
			assert.Equal(t, tt.want, got)
		})
	}

	t.Run("pairs do not depend on the order of rows", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(0, 30).Draw(t, "n")
			rows := make([]Transaction, n)
			outs, ins := 0, 0
			for i := range rows {
				rows[i] = side(
					fmt.Sprint("r", i), rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "account"),
					pfm.Date("2026-02-01").AddDays(rapid.IntRange(0, 12).Draw(t, "day")),
					rapid.SampledFrom([]string{"-5", "5", "-7", "7"}).Draw(t, "amount"),
				)
			}
			paired := OwnTransfers(rows)
			for _, r := range rows {
				if paired[r.ID] && r.Amount.Sign() < 0 {
					outs++
				} else if paired[r.ID] {
					ins++
				}
			}
			assert.Equal(t, outs, ins, "each side has a counterpart")
			mixed := rapid.Permutation(rows).Draw(t, "mixed")
			assert.Equal(t, paired, OwnTransfers(mixed))
		})
	})
}
