package fulltext_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"aviso/internal/cancellation"
	"aviso/internal/cancellation/fulltext"
)

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

func BenchmarkNew(b *testing.B) {
	documents, _ := catalogue(seeded(1), 50_000)
	b.ReportAllocs()
	for b.Loop() {
		fulltext.New(documents)
	}
}

func BenchmarkSearch(b *testing.B) {
	r := seeded(1)
	documents, made := catalogue(r, 50_000)
	x := fulltext.New(documents)
	run := func(name string, queries []string) {
		b.Run(name, func(b *testing.B) {
			var times []time.Duration
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				_, _ = x.Search(queries[i%len(queries)], cancellation.SearchFilter{}, 50, "")
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
			b.ReportMetric(float64(times[len(times)-1].Microseconds()), "max-µs")
		})
	}
	var whole, typos, typing, common []string
	for _, q := range misspelt(r, made, 1000) {
		whole, typos = append(whole, q.wanted), append(typos, q.text)
		letters := []rune(q.text)
		typing = append(typing, string(letters[:1+r.IntN(len(letters))]))
	}
	for _, l := range languages() {
		common = append(common, l.trades[:1], l.trades[:3], l.products[:4])
	}
	common = append(common, "Stadtwerke", "Energie", "a", "s", "de", "e", "Bank", "Energie de S.A.")
	run("full names", whole)
	run("with a typo", typos)
	run("while typing", typing)
	run("common words", common)
	b.Run("recall", func(b *testing.B) {
		queries := misspelt(seeded(2), made, 1000)
		share, missed := recall(x, queries)
		for _, q := range missed {
			b.Logf("missed: %q for %q", q.text, q.wanted)
		}
		for b.Loop() {
		}
		b.ReportMetric(100*share, "%found")
	})
}
