package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPartitionBurst(t *testing.T) {
	t.Parallel()
	k := newKey("one key", 1)
	write := []use{{k, units{write: 1}}}

	// 300 seconds saved and the second's own 1,000.
	k.second()
	require.InDelta(t, 301_000, admit(400_000, write), 1e-6)
	k.second()
	assert.InDelta(t, 1000, admit(5000, write), 1e-6, "then only what each second adds")
	k.second()
	assert.Equal(t, 2, k.longest, "both seconds were throttled")
	assert.InDelta(t, 400, admit(400, write), 1e-6)
	k.second()
	assert.Zero(t, k.run)
	assert.InDelta(t, 1600, admit(5000, write), 1e-6, "what was not used is saved")
}

func TestTwoThousandWritesThrottleAfterFiveMinutes(t *testing.T) {
	t.Parallel()
	k := newKey("one key", 1)
	first := 0
	for now := range 1000 {
		k.second()
		if admit(2000, []use{{k, units{write: 1}}}) < 2000 {
			first = now
			break
		}
	}
	assert.Equal(t, 300, first, "301,000 saved units lose 1,000 a second: 300 seconds and the one that refills")
}

func TestReadsAndShards(t *testing.T) {
	t.Parallel()
	k := newKey("four shards", 4)
	assert.InDelta(t, 4*300*3000/2, admit(1e9, []use{{k, units{read: 2}}}), 1e-3)
	k = newKey("four shards", 4)
	other := newKey("one", 1)
	assert.InDelta(t, 300_000.0/5, admit(1e9, []use{{k, units{write: 1}}, {other, units{write: 5}}}), 1e-3,
		"the tightest key decides")
	assert.True(t, other.throttled)
	assert.False(t, k.throttled)
}

func TestQuotaOfATable(t *testing.T) {
	t.Parallel()
	table := newTable("t", 40_000)
	for range 2 { // nothing is saved up
		assert.InDelta(t, 10_000, admit(1e9, []use{{table, units{write: 4, read: 1}}}), 1e-6)
		assert.Zero(t, admit(1, []use{{table, units{write: 1}}}))
		table.second()
	}
	assert.Equal(t, units{40_000, 10_000}, table.peak)
	assert.Equal(t, 2, table.longest)
}
