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

	"aviso/bench/demand"
	"aviso/localstack/stack/emulator"
)

func checkout(t *testing.T) string {
	t.Helper()
	folder, err := emulator.Folder()
	require.NoError(t, err)
	return filepath.Dir(folder)
}

func TestFiguresAreReadFromThePage(t *testing.T) {
	t.Parallel()
	in, err := readInputs(checkout(t))
	require.NoError(t, err)
	assert.InDelta(t, 2, in.measured["pfm: GET accounts"].Calls, 0)
	assert.Positive(t, in.measured["cancellation: POST cancellations"].Writes)
	_, err = demand.Measured("# Nothing\n")
	require.ErrorContains(t, err, "has no table")
	_, err = demand.Measured("| AWS calls | late handshakes |  RRU | WRU | p50, ms |")
	require.ErrorContains(t, err, "has no figures of")
}

// The local stack's worker makes as many deliveries a second as the model says: ten executions of ten
// messages, as in localstack/webhookbench.
func TestDeliveriesAreAsMeasured(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(checkout(t), "docs", "performance.md"))
	require.NoError(t, err)
	found := regexp.MustCompile(`in 0.3 s \| (\d+) \|`).FindSubmatch(page)
	require.NotNil(t, found)
	measured, err := strconv.ParseFloat(string(found[1]), 64)
	require.NoError(t, err)
	slowest := slowestOf(10, receiverAnswers+ownWork, receiverVaries, 0, 0)
	assert.InEpsilon(t, measured, capacity(10, 10, slowest), 0.05)
}

// The steps that make bench does not measure are those of docs/data-model.md.
func TestStepsAreThoseOfTheDataModel(t *testing.T) {
	t.Parallel()
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
	assert.InDelta(t, planWrites+planIdentity+planOutbox, writes("The same, with messages to bank-sync"), 0)
}

// The gateway refuses what is above its throttle, once what it has saved is used up.
func TestRequestsAboveTheThrottleAreRefused(t *testing.T) {
	t.Parallel()
	in, err := readInputs(checkout(t))
	require.NoError(t, err)
	all, err := sizes(checkout(t))
	require.NoError(t, err)
	d, err := readDeployed(checkout(t), all[0])
	require.NoError(t, err)
	assert.InDelta(t, 4000, d.throttle, 0)
	assert.InDelta(t, 2000, d.burst, 0)
	d.throttle, d.burst = 1, 2 // of two a second at the peak
	assert.Contains(t, strings.Join(newDay(in.quiet(), all[0], d).run().broken(), "\n"), "requests refused")
}

// A receiver of the largest partner that hangs all day makes others wait: what looks for a slot fills RetryQueue.
func TestWaitingDeliveriesTakeRetryQueue(t *testing.T) {
	t.Parallel()
	y := newDay(&inputs{hangs: window{0, hour}, deliveryShards: 32}, size{}, deployed{retryMost: 100, deliverBatch: 10, syncBatch: 10})
	for _, k := range []*key{newTable("NotificationTable", 150_000), newKey(dueDeliveries, 32), newKey(hungRow, 1)} {
		y.keys[k.name] = k
	}
	y.hanging.push(work(0, 0, 0, 52e6))
	y.callHanging(60)
	assert.InDelta(t, 100, y.looking, 0)
	assert.InDelta(t, 261, y.retryLate, 1)
	y.moveWaiting(10 * hour) // when it answers again
	assert.Zero(t, y.keys[dueDeliveries].used.write)
	y.moveWaiting(300)
	assert.InDelta(t, 52e6/200, y.moving, 1, "each after two thirds of five minutes")
	assert.Positive(t, y.keys[dueDeliveries].used.write)
	assert.True(t, y.keys[dueDeliveries].throttled || y.keys["NotificationTable"].throttled, "more than they take")
}

func TestTemplateIsRead(t *testing.T) {
	t.Parallel()
	d, err := readDeployed(checkout(t), size{parameters: map[string]string{"SyncConcurrency": "77", "DeliveryConcurrency": "99"}})
	require.NoError(t, err)
	assert.InDelta(t, 77, d.syncMost, 0)
	assert.InDelta(t, 99, d.deliverMost, 0)
	assert.Zero(t, d.warm["PfmTable"])
	for _, value := range []float64{
		d.syncBatch, d.deliverBatch, d.retryMost, d.streamBatch, d.parallelization, d.parts, d.planVCPU,
	} {
		assert.Positive(t, value, "the template lacks something that the model reads")
	}
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

// Executions wait for one time-out each. Then jobs wait, until a probe finds that the bank answers.
func TestBreaker(t *testing.T) {
	t.Parallel()
	y := &day{in: &inputs{breaker: true, bankDown: window{600, 1230}}}
	for now, open := range map[int]bool{0: false, 600: false, 629: false, 630: true, 1229: true, 1259: true, 1260: false} {
		assert.Equal(t, open, y.open(now), now)
	}
	y.in.breaker = false
	assert.False(t, y.open(900))
	y.in = (&inputs{breaker: true, bankDown: window{600, 1230}}).quiet()
	assert.False(t, y.open(30))
}

func TestShape(t *testing.T) {
	t.Parallel()
	sum, highest := 0.0, 0.0
	for second := range daySeconds {
		v := shape(second, 6*hour, hour/2)
		sum, highest = sum+v, max(highest, v)
	}
	assert.InDelta(t, 1, sum/daySeconds, 1e-3, "the mean stays the mean")
	assert.InDelta(t, 3, highest, 1e-6)
}

// A small day is always the same, and keeps its bounds.
func TestDayRepeats(t *testing.T) {
	t.Parallel()
	in, err := readInputs(checkout(t))
	require.NoError(t, err)
	all, err := sizes(checkout(t))
	require.NoError(t, err)
	first, err := simulate(checkout(t), in, all[0])
	require.NoError(t, err)
	again, err := simulate(checkout(t), in, all[0])
	require.NoError(t, err)
	assert.Equal(t, resultTable([]outcome{first}), resultTable([]outcome{again}))
	assert.InDelta(t, first.trying.synced, again.trying.synced, 0)
	assert.Empty(t, first.quiet.broken())
	assert.Empty(t, first.trying.broken())
	assert.InEpsilon(t, 40_000, first.trying.synced, 0.05)
}

func TestBrokenBounds(t *testing.T) {
	t.Parallel()
	r := &day{requestsRefused: 5, left: 0.5, peakConcurrency: 950, all: []*key{{name: "k", longest: 61}, {name: hungRow, longest: 9999}}}
	r.size.account = 1000
	r.first.add(61, 100)
	r.planned.add(901, 100)
	r.read.add(901, 100)
	r.read.add(7201, 1)
	assert.Len(t, r.broken(), 8)
	assert.Empty(t, (&day{}).broken())
	assert.NotEmpty(t, (&day{}).short())
}
