package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/bench/price"
)

const checkout = "../.."

// The runbook has the tables of this template, these prices and these units, and the totals
// are within their targets.
func TestTheRunbookHasTheCosts(t *testing.T) {
	t.Parallel()
	text, err := report(checkout)
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(checkout, "docs", "runbook.md"))
	require.NoError(t, err)
	before, after, err := around(string(page))
	require.NoError(t, err)
	assert.Equal(t, before+text+after, string(page), "run `make cost`")
}

func TestUnits(t *testing.T) {
	t.Parallel()
	p := patterns{"Both": "2.5 RRU for 50, 4 WRU | api", "None": "none | stream", "Due": "0.5 RRU | housekeeping, once a minute: 102 Query"}
	both, err := p.of("Both")
	require.NoError(t, err)
	assert.Equal(t, units{reads: 2.5, writes: 4}, both)
	for _, name := range []string{"None", "Missing"} {
		_, err := p.of(name)
		require.Error(t, err, name)
	}
	assert.InDelta(t, 102, p.perMinute("Due"), 0)
	assert.InDelta(t, 1, p.perMinute("Both"), 0)
	p["Lost"] = "1 RRU | housekeeping, every five minutes"
	assert.InDelta(t, 0.2, p.perMinute("Lost"), 0)
	_, err = p.newRow()
	require.Error(t, err)
	row, err := p.perRow("Both")
	require.NoError(t, err)
	assert.Equal(t, units{reads: 0.05, writes: 0.08}, row)
	_, err = p.perRow("Due")
	require.Error(t, err)
}

// The days for which a sync reads rows are those of the code.
func TestDays(t *testing.T) {
	t.Parallel()
	for name, days := range map[string]int{"overlapDays": overlapDays, "pendingDays": pendingDays, "pairDays": pairDays} {
		found := false
		for _, file := range []string{"sync.go", "pairs.go"} {
			src, err := os.ReadFile(filepath.Join(checkout, "internal", "pfm", file))
			require.NoError(t, err)
			found = found || strings.Contains(string(src), fmt.Sprintf("%s = %d\n", name, days))
		}
		assert.True(t, found, name)
	}
}

// An account's free quantities count once, whatever the bills are.
func TestFreeQuantitiesCountOnce(t *testing.T) {
	t.Parallel()
	m := &model{
		prices: price.List{"sqs": {Of: "a million requests", Dollars: 0.4, Free: 1e6}}, used: map[string]float64{},
	}
	first := m.minusFree(bill{{"a", "", m.cost("sqs", 600_000)}}, 0)
	before := m.free()
	second := m.minusFree(bill{{"b", "", m.cost("sqs", 600_000)}}, before)
	assert.InDelta(t, 0, first.total(), 1e-9)
	assert.InDelta(t, 0.08, second.total(), 1e-9)
	assert.InDelta(t, 0.24, second.listed(), 1e-9)
}

func TestStacks(t *testing.T) {
	t.Parallel()
	test, err := readStack(checkout, testEnvironment)
	require.NoError(t, err)
	production, err := readStack(checkout, productionEnvironment)
	require.NoError(t, err)
	assert.Zero(t, test.alarmMetrics)
	assert.Zero(t, test.composites)
	assert.Equal(t, 1, production.composites)
	assert.Greater(t, production.alarmMetrics, 20)
	assert.Equal(t, production.deadLetterQueues+2, test.deadLetterQueues)
	assert.Positive(t, production.deadLetterQueues)
	assert.Equal(t, production.queues+2, test.queues, "the sandbox and the clocks have queues")
	assert.Positive(t, test.schedules)
	assert.InDelta(t, 0.5, test.memory["BankSync"], 0)
	assert.False(t, production.hasTraces)
	assert.Zero(t, test.copyDays)
	assert.Equal(t, 28, production.copyDays)
}
