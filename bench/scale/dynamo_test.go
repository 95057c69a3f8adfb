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
	k.second(0)
	require.InDelta(t, 301_000, admit(400_000, write), 1e-6)
	k.second(1)
	assert.InDelta(t, 1000, admit(5000, write), 1e-6, "then only what each second adds")
	k.second(2)
	assert.Equal(t, 2, k.total, "both seconds were throttled")
	assert.InDelta(t, 400, admit(400, write), 1e-6)
	k.second(3)
	assert.Zero(t, k.run)
	assert.InDelta(t, 1600, admit(5000, write), 1e-6, "what was not used is saved")
}

func TestTwoThousandWritesThrottleAfterFiveMinutes(t *testing.T) {
	t.Parallel()
	k := newKey("one key", 1)
	first := 0
	for now := range 1000 {
		k.second(now)
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

func TestTableGrows(t *testing.T) {
	t.Parallel()
	table := newTable("t", 0, 1, 40_000, units{})
	assert.InDelta(t, 4, table.table.partitions(), 0, "a new table takes 4,000 writes or 12,000 reads")
	for now := range 31 * 60 {
		admit(3000, []use{{table, units{write: 1}}})
		table.second(now)
	}
	assert.InDelta(t, 6000, table.table.write.reached, 0, "twice the peak, half an hour after it")
	assert.InDelta(t, 6, table.table.partitions(), 0)
	assert.InDelta(t, 1.0/6, table.share, 1e-9)

	assert.InDelta(t, 13_000, newTable("t", 130_000, 1, 1e9, units{}).table.partitions(), 0, "10 GB each")
	quota := newTable("t", 130_000, 1, 40_000, units{})
	assert.InDelta(t, 40_000, admit(1e9, []use{{quota, units{write: 1}}}), 1e-6)
}

func TestBusyPartitionSplits(t *testing.T) {
	t.Parallel()
	table := newTable("t", 0, 1.5, 40_000, units{})
	assert.InDelta(t, 1.5/4, table.share, 1e-9)
	for now := range 2000 {
		admit(3500, []use{{table, units{write: 1}}})
		table.second(now)
		if table.table.splits > 0 {
			break
		}
	}
	assert.InDelta(t, 1.25/4, table.share, 1e-9, "half of what it had above the mean")
	assert.Equal(t, splitAfter, table.longest)
}
