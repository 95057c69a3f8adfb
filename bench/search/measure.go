package main

import (
	"fmt"
	"slices"
	"time"

	"aviso/internal/cancellation"
)

// pageSize is how many hits of each kind are asked for: the interface's default.
const pageSize = 50

// rounds is how often each query is asked of each index. Its time is the median,
// so that what else the machine does makes no query slow.
const rounds = 3

// interleaved is how long each index takes for each query, sorted, by index.
func interleaved(indexes []cancellation.SearchIndex, queries []query) ([][]time.Duration, error) {
	times := make([][]time.Duration, len(indexes))
	for i, q := range queries {
		taken := make([][]time.Duration, len(indexes))
		for turn := range rounds * len(indexes) {
			n := (i + turn) % len(indexes)
			start := time.Now()
			if _, err := indexes[n].Search(q.text, q.filter, pageSize, ""); err != nil {
				return nil, fmt.Errorf("search %q: %w", q.text, err)
			}
			taken[n] = append(taken[n], time.Since(start))
		}
		for n := range indexes {
			slices.Sort(taken[n])
			times[n] = append(times[n], taken[n][rounds/2])
		}
	}
	for _, t := range times {
		slices.Sort(t)
	}
	return times, nil
}

// percentile of times that are sorted.
func percentile(times []time.Duration, p int) time.Duration { return times[len(times)*p/100] }
