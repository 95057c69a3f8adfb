package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/bench/budget"
	"aviso/bench/price"
	"aviso/bench/route"
)

func TestHold(t *testing.T) {
	t.Parallel()
	f := newFigures()
	f.add("pfm", initTime, 10.4)
	require.NoError(t, hold([]budget.Budget{
		{Of: "pfm", What: initTime, AtMost: 10.4, Because: "b"}, {Of: "a sync", What: "AWS calls", Test: "TestASync", Because: "b"},
	}, f))
	over := []budget.Budget{{Of: "pfm", What: initTime, AtMost: 10, Because: "b"}}
	assert.ErrorContains(t, hold(over, f), "pfm, init, ms: 10.4, at most 10")
	unmeasured := []budget.Budget{{Of: "pfm", What: memory, AtMost: 40, Because: "b"}}
	assert.ErrorContains(t, hold(unmeasured, f), "a budget without such a figure")
}

func TestFlat(t *testing.T) {
	t.Parallel()
	at := func(size, calls int, units float64) point { return point{size: size, calls: calls, units: units} }
	require.NoError(t, flat([]string{"s"}, map[string][]point{"s": {at(100, 2, 11), at(100_000, 2, 11.5)}}))
	require.Error(t, flat([]string{"s"}, map[string][]point{"s": {at(100, 2, 11), at(100_000, 3, 11)}}), "one more call")
	require.Error(t, flat([]string{"s"}, map[string][]point{"s": {at(100, 2, 11), at(100_000, 2, 20)}}), "units grow")
}

func TestLogicalID(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "PfmFunction", logicalID("pfm"))
	assert.Equal(t, "BankSyncFunction", logicalID("bank-sync"))
}

func TestMedian(t *testing.T) {
	t.Parallel()
	assert.Equal(t, 2*time.Second, median([]time.Duration{3 * time.Second, time.Second, 2 * time.Second}))
}

func TestMillion(t *testing.T) {
	t.Parallel()
	read := route.Route{Function: "pfm", Name: "GET accounts"}
	work := route.Route{Function: "bank-sync", Name: "message", Source: route.Queue}
	f := newFigures()
	for what, value := range map[string]float64{warmTime: 10, readUnits: 2, writeUnits: 0, logBytes: 600} {
		f.add(read.Key(), what, value)
	}
	f.add(work.Key(), writeUnits, 4)
	prices := price.List{}
	for _, name := range []string{"http-api", "lambda-requests", "dynamodb-reads", "dynamodb-writes", "sqs"} {
		prices[name] = price.Price{Of: "a million", Dollars: 1}
	}
	for _, name := range []string{"lambda-time", "logs", "logs-storage"} {
		prices[name] = price.Price{Of: "one", Dollars: 0.001}
	}
	table := millionTable(&measurement{routes: []route.Route{read, work}}, f, prices)
	lines := strings.Split(table, "\n")
	// 10 ms of 1.73 GB, two reads, and 1 GB of log.
	assert.Equal(t, []string{"pfm:", "GET", "accounts", "2.00", "17.28", "2.00", "0.00", "0.00", "21.28"}, fields(lines[2]))
	assert.Equal(t, []string{"bank-sync:", "message", "4.00", "0.00", "0.00", "4.00", "0.00", "8.00"}, fields(lines[3]))
}

func fields(line string) []string { return strings.Fields(strings.ReplaceAll(line, "|", " ")) }
