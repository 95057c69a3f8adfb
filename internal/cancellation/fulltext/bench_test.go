package fulltext_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"aviso/internal/cancellation/catalogue"
	"aviso/internal/cancellation/fulltext"
)

func BenchmarkNew(b *testing.B) {
	documents, _ := randomCatalogue(seeded(1), 50_000)
	b.ReportAllocs()
	for b.Loop() {
		fulltext.New(documents)
	}
}

func BenchmarkSearch(b *testing.B) {
	r := seeded(1)
	documents, made := randomCatalogue(r, 50_000)
	x := fulltext.New(documents)
	run := func(name string, queries []string) {
		b.Run(name, func(b *testing.B) {
			var times []time.Duration
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				_, _ = x.Search(queries[i%len(queries)], catalogue.SearchFilter{}, 50, "")
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
			b.ReportMetric(float64(times[len(times)-1].Microseconds()), "max-µs")
		})
	}
	misspelt := misspellings(r, made, 1000)
	var whole, typos []string
	for _, q := range misspelt {
		whole, typos = append(whole, q.Wanted), append(typos, q.Text)
	}
	run("full names", whole)
	run("with a typo", typos)
	run("while typing", halfTyped(r, misspelt))
	run("common words", commonQueries())
	b.Run("recall", func(b *testing.B) {
		queries := misspellings(seeded(2), made, 1000)
		missed, err := missedBy(x, queries)
		require.NoError(b, err)
		for _, q := range missed {
			b.Logf("missed: %q for %q", q.Text, q.Wanted)
		}
		for b.Loop() {
		}
		b.ReportMetric(100*(1-float64(len(missed))/float64(len(queries))), "%found")
	})
}
