package transaction

import (
	"fmt"
	"testing"

	"aviso/bench/budget"
	"aviso/internal/pfm"
)

// BenchmarkReconcile compares statements of 1,000 rows: of an account that has none of them,
// and of one that has all of them. It holds their budgets.
func BenchmarkReconcile(b *testing.B) {
	const rows = 1000
	fetched := make([]Transaction, rows)
	for i := range fetched {
		fetched[i] = row(-i/10, Cleared, fmt.Sprintf("shop %d, purchase %d", i%150, i), fmt.Sprintf("id-%06d", i))
	}
	st := Statement{Requested: pfm.DateOf(monday).AddDays(-rows / 10), Rows: fetched}
	var known []Transaction
	for _, c := range Reconcile(nil, st, newNames(), monday) {
		known = append(known, c.New)
	}
	took := map[string]float64{}
	for name, before := range map[string][]Transaction{"new": nil, "known": known} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Reconcile(before, st, newNames(), monday)
			}
			b.ReportMetric(float64(b.N)*rows/b.Elapsed().Seconds(), "rows/s")
			took["comparing a row that is "+name+", µs"] = b.Elapsed().Seconds() * 1e6 / float64(b.N*rows)
		})
	}
	budget.Hold(b, took)
}
