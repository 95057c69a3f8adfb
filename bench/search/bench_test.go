package main

import (
	"testing"
	"time"

	"aviso/bench/search/fts5"
	"aviso/internal/cancellation"
	"aviso/internal/cancellation/fulltext"
	"aviso/internal/cancellation/fulltext/fulltexttest"
)

// BenchmarkSearch sends each query to all indexes, one right after the other.
func BenchmarkSearch(b *testing.B) {
	r := fulltexttest.Seeded(1)
	documents, made := fulltexttest.Catalogue(r, organizations)
	kinds := kindsOfQuery(r, documents, made)
	indexes, err := build(b.Context(), documents)
	if err != nil {
		b.Fatal(err)
	}
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			var times [][]time.Duration
			for b.Loop() {
				if times, err = interleaved(indexes, k.queries); err != nil {
					b.Fatal(err)
				}
			}
			for i, name := range []string{"fulltext", "fts5-bm25", "fts5-by-row"} {
				b.ReportMetric(float64(percentile(times[i], 50).Microseconds()), name+"-p50-µs")
				b.ReportMetric(float64(percentile(times[i], 99).Microseconds()), name+"-p99-µs")
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	documents, _ := fulltexttest.Catalogue(fulltexttest.Seeded(1), organizations)
	for name, build := range map[string]func() (cancellation.SearchIndex, error){
		"fulltext": func() (cancellation.SearchIndex, error) { return fulltext.New(documents), nil },
		"fts5":     func() (cancellation.SearchIndex, error) { return fts5.New(b.Context(), documents, fts5.Ranked) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := build(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
