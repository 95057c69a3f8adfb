package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/bench/demand"
	"aviso/bench/page"
)

const checkout = "../.."

// The runbook has the tables of this template, these prices and these units, and the totals
// are within their targets.
func TestTheRunbookHasTheCosts(t *testing.T) {
	t.Parallel()
	text, err := report(checkout)
	require.NoError(t, err)
	runbook, err := os.ReadFile(filepath.Join(checkout, "docs", "runbook.md"))
	require.NoError(t, err)
	current, err := page.Between(string(runbook), "cost", text)
	require.NoError(t, err)
	assert.Equal(t, current, string(runbook), "run `go run ./bench/cost`")
}

func TestUnits(t *testing.T) {
	t.Parallel()
	m := newModel(nil, map[string]string{
		"Both": "2.5 RRU for 50, 4 WRU | api", "None": "none | stream", "Due": "0.5 RRU | housekeeping, once a minute: 102 Query",
		"Lost": "1 RRU | housekeeping, every five minutes",
	})
	assert.Equal(t, demand.Units{Reads: 3, Writes: 4}, m.pattern("Both", "Due"))
	assert.InDelta(t, 50, m.number("Both", "RRU for #"), 0)
	assert.InDelta(t, 102, m.perMinute("Due"), 0)
	assert.InDelta(t, 1, m.perMinute("Both"), 0)
	assert.InDelta(t, 0.2, m.perMinute("Lost"), 0)
	require.Empty(t, m.faults)
	m.pattern("None")
	assert.Len(t, m.faults, 1, "no units")
	m.number("Missing", "# RRU")
	assert.Len(t, m.faults, 2)
}

// An account's free quantities count once, whatever the bills are.
func TestFreeQuantitiesCountOnce(t *testing.T) {
	t.Parallel()
	m := newModel(map[string]price{"sqs": {Of: "a million requests", Dollars: 0.4, Free: 1e6}}, nil)
	first := m.minusFree(bill{{"a", "", m.cost("sqs", 600_000)}})
	second := m.minusFree(bill{{"b", "", m.cost("sqs", 600_000)}})
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
	assert.InDelta(t, 0.5, test.memory["bank-sync"], 0)
	assert.False(t, production.hasTraces)
	assert.Zero(t, test.copyDays)
	assert.Equal(t, 28, production.copyDays)
}
