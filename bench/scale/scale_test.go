package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/emulator"
)

func checkout(t *testing.T) string {
	t.Helper()
	folder, err := emulator.Folder()
	require.NoError(t, err)
	return filepath.Dir(folder)
}

func TestFiguresAreReadFromThePage(t *testing.T) {
	t.Parallel()
	m, err := readMeasured(filepath.Join(checkout(t), "docs", "performance.md"))
	require.NoError(t, err)
	assert.InDelta(t, 2, m.routes["pfm: GET accounts"].calls, 0)
	assert.Positive(t, m.routes["cancellation: POST cancellations"].writes)
	assert.InDelta(t, 400, m.open[3].target, 0)
	assert.Positive(t, m.slowReceivers)
	_, err = parseMeasured("# Nothing\n")
	require.Error(t, err)
}

// The steps that make bench does not measure are those of docs/data-model.md.
func TestStepsAreThoseOfTheDataModel(t *testing.T) {
	t.Parallel()
	in, err := readInputs(checkout(t), 1)
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(checkout(t), "docs", "data-model.md"))
	require.NoError(t, err)
	writes := func(row string) float64 {
		_, line, ok := strings.Cut(string(page), "| "+row)
		require.True(t, ok, row)
		line, _, _ = strings.Cut(line, "\n")
		found := regexp.MustCompile(`([\d.]+) WRU`).FindStringSubmatch(line)
		require.NotNil(t, found, line)
		n, err := strconv.ParseFloat(found[1], 64)
		require.NoError(t, err)
		return n
	}
	plan := in.plan.pfm.write + in.plan.identity.write + in.plan.outbox.write
	assert.InDelta(t, writes("The same, with messages to bank-sync"), plan, 0)
	const threeAccounts = 3 * 2
	empty := writes("Take a sync's lease") + writes("Write accounts under the lease") + threeAccounts + writes("End a sync")
	assert.InDelta(t, empty, in.sync.pfm.write+in.sync.identity.write, 1, "with what is written only sometimes")
}

func TestTemplateIsRead(t *testing.T) {
	t.Parallel()
	d, err := readDeployed(checkout(t), size{parameters: map[string]string{"SyncConcurrency": "77", "DeliveryConcurrency": "99"}})
	require.NoError(t, err)
	assert.InDelta(t, 77, d.syncMost, 0)
	assert.InDelta(t, 99, d.deliverMost, 0)
	assert.Zero(t, d.warm["PfmTable"])
	text, err := os.ReadFile(filepath.Join(checkout(t), "template.yaml"))
	require.NoError(t, err)
	assert.Contains(t, string(text), "ParallelizationFactor: "+strconv.Itoa(int(d.parallelization)))
	assert.Equal(t, int(d.parts), strings.Count(string(text), `"parts":`), "housekeeping's schedules")
	assert.InDelta(t, 55, d.planLasts, 0)
	all, err := sizes(checkout(t))
	require.NoError(t, err)
	d, err = readDeployed(checkout(t), all[len(all)-1])
	require.NoError(t, err)
	assert.Positive(t, d.warm["PfmTable"].write, "the preset of samconfig.toml")
}

// What instances know about a bank that hangs bounds what it holds.
func TestOutageHoldsEachExecutionOnce(t *testing.T) {
	t.Parallel()
	const executions, hangs = 100, 15
	o := newOutage(&inputs{bankHangs: hangs})
	held, most := 0.0, 0.0
	for now := range 600 {
		o.second(now, true, true, executions)
		hung := 10 * (1 - o.putsOff(executions))
		o.hang(now, hung, 1, executions)
		held, most = held+o.waits, max(most, o.waits)
	}
	assert.True(t, o.open)
	assert.LessOrEqual(t, most, float64(executions))
	assert.InDelta(t, executions*hangs, held, executions, "execution seconds: one time-out each")
	assert.InDelta(t, 1, o.putsOff(executions), 0.01)
	o.second(600, false, true, executions)
	assert.False(t, o.open)
	assert.Zero(t, o.putsOff(executions))
}

func TestShape(t *testing.T) {
	t.Parallel()
	in, err := readInputs(checkout(t), 1)
	require.NoError(t, err)
	y := newDay(in, size{users: 1e4, quota: 40_000}, deployed{syncBatch: 5, deliverBatch: 10}, nil)
	sum, highest := 0.0, 0.0
	for second := range daySeconds {
		v := y.shape(second, 6*hour, hour/2)
		sum, highest = sum+v, max(highest, v)
	}
	assert.InDelta(t, 1, sum/daySeconds, 1e-3, "the mean stays the mean")
	assert.InDelta(t, 3, highest, 1e-6)
}

// A small day is the same for the same seed, and keeps its bounds.
func TestDayRepeats(t *testing.T) {
	t.Parallel()
	in, err := readInputs(checkout(t), 7)
	require.NoError(t, err)
	all, err := sizes(checkout(t))
	require.NoError(t, err)
	first, err := simulate(checkout(t), in, all[0])
	require.NoError(t, err)
	again, err := simulate(checkout(t), in, all[0])
	require.NoError(t, err)
	assert.Equal(t, resultTable([]outcome{first}), resultTable([]outcome{again}))
	assert.InDelta(t, first.trying.cost.sum(), again.trying.cost.sum(), 0)
	assert.Empty(t, first.quiet.broken(first.size))
	assert.Empty(t, first.trying.broken(first.size))
	assert.InEpsilon(t, 40_000, first.trying.syncs, 0.05)
}

func TestBrokenBounds(t *testing.T) {
	t.Parallel()
	r := &results{refused: 5, left: 0.5, peakConcurrency: 950, keys: []*key{{name: "k", longest: 61}, {name: hungRow, longest: 9999}}}
	r.first.add(61, 100)
	r.planned.add(901, 100)
	r.read.add(901, 100)
	r.read.add(7201, 1)
	assert.Len(t, r.broken(size{account: 1000}), 8)
	assert.Empty(t, (&results{}).broken(size{account: 1000}))
	assert.NotEmpty(t, (&results{}).short())
}

func TestOverload(t *testing.T) {
	t.Parallel()
	served, p50, p95 := overload(400, 200)
	assert.InDelta(t, 200, served, 0)
	// What comes after t seconds waits as long again: 4 s in the middle, 7.6 s near the end.
	assert.InDelta(t, 4, p50, 0.05)
	assert.InDelta(t, 7.6, p95, 0.05)
}
