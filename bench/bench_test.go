package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/emulator"
)

func TestBudgets(t *testing.T) {
	t.Parallel()
	f := newFigures()
	f.add("pfm", binary, 13)
	f.add("pfm", initTime, 10.4)

	t.Run("a figure may exceed its budget by the slack", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, hold([]budget{{Of: "pfm", What: initTime, AtMost: 10, Slack: 0.05, Because: "b"}}, f))
		assert.ErrorContains(
			t,
			hold([]budget{{Of: "pfm", What: initTime, AtMost: 10, Slack: 0.03, Because: "b"}}, f),
			"pfm, init, ms: 10.4, at most 10",
		)
	})
	t.Run("without slack, a budget is exact", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, hold([]budget{{Of: "pfm", What: binary, AtMost: 13, Because: "b"}}, f))
		require.Error(t, hold([]budget{{Of: "pfm", What: binary, AtMost: 12.99, Because: "b"}}, f))
	})
	t.Run("a budget without a figure fails", func(t *testing.T) {
		t.Parallel()
		assert.ErrorContains(t, hold([]budget{{Of: "pfm", What: memory, AtMost: 40, Because: "b"}}, f), "a budget without such a figure")
	})
	t.Run("a budget has a reason", func(t *testing.T) {
		t.Parallel()
		_, err := parseBudgets([]byte(`[{"of":"pfm","what":"binary, MB","atMost":13}]`))
		assert.ErrorContains(t, err, "no reason")
	})
	t.Run("the project's budgets are valid", func(t *testing.T) {
		t.Parallel()
		folder, err := emulator.Folder()
		require.NoError(t, err)
		list, err := readBudgets(folder + "/..")
		require.NoError(t, err)
		assert.NotEmpty(t, list)
	})
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
