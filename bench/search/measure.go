package main

import (
	"fmt"
	"slices"
	"time"

	"aviso/internal/cancellation"
)

// pageSize is how many hits of each kind are asked for: the interface's default.
const pageSize = 50

// interleaved is how long each index takes for each query, sorted, by index.
func interleaved(indexes []cancellation.SearchIndex, queries []query) ([][]time.Duration, error) {
	times := make([][]time.Duration, len(indexes))
	for i, q := range queries {
		for turn := range indexes {
			n := (i + turn) % len(indexes)
			start := time.Now()
			if _, err := indexes[n].Search(q.text, q.filter, pageSize, ""); err != nil {
				return nil, fmt.Errorf("search %q: %w", q.text, err)
			}
			times[n] = append(times[n], time.Since(start))
		}
	}
	for _, t := range times {
		slices.Sort(t)
	}
	return times, nil
}

// percentile of times that are sorted.
func percentile(times []time.Duration, p int) time.Duration { return times[len(times)*p/100] }
