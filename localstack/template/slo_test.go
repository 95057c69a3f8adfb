package template_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// burn is a window of the burn-rate alarms, as in chapter 5 of Google's SRE workbook. The long
// window of a pair needs a few failures, so that a single one at night raises no alarm.
type burn struct {
	alarm    string
	seconds  int
	rate     float64
	atLeast  int
	everySLO bool
}

var burns = []burn{
	{"BurnOneHour", 3600, 14.4, 3, false},
	{"BurnFiveMinutes", 300, 14.4, 1, false},
	{"BurnSixHours", 21600, 6, 3, true},
	{"BurnThirtyMinutes", 1800, 6, 1, true},
}

// expressions returns what an alarm computes and the metrics it computes it from, by their ID.
func expressions(alarm map[string]any) (computed map[string]string, metrics map[string]any) {
	computed, metrics = map[string]string{}, map[string]any{}
	for _, m := range list(at(alarm, "Properties", "Metrics")) {
		id := fmt.Sprint(at(m, "Id"))
		if text, ok := at(m, "Expression").(string); ok {
			computed[id] = text
		} else {
			metrics[id] = at(m, "MetricStat")
		}
	}
	return computed, metrics
}

// The rate is the share of failures divided by the share that the objective allows: 0.1 % of
// requests may fail, 1 % be slow, and 1 % of callbacks begin late.
func TestErrorBudgetAlarms(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for _, b := range burns {
		a := d.resources[b.alarm]
		require.NotNil(t, a, b.alarm)
		p := a["Properties"]
		assert.InDelta(t, b.rate, at(p, "Threshold"), 1e-9, b.alarm)
		assert.Equal(t, []any{"GreaterThanOrEqualToThreshold", 1, "notBreaching"},
			[]any{at(p, "ComparisonOperator"), at(p, "EvaluationPeriods"), at(p, "TreatMissingData")}, b.alarm)
		computed, metrics := expressions(a)
		// What the gateway refuses because of others is no good answer either.
		const bad = "FILL(failures, 0) + FILL(throttled, 0)"
		want := map[string]string{"availability": fmt.Sprintf("IF(%s > %d, 1000 * (%[1]s) / answers, 0)", bad, b.atLeast-1)}
		stats := map[string]string{"failures": "5xx Sum", "throttled": "Throttled Sum", "answers": "Count Sum"}
		if b.everySLO {
			want["latency"], stats["slow"] = fmt.Sprintf("IF(slow > %d, 100 * slow / answers, 0)", b.atLeast-1), "Latency TC(1000:)"
			want["worst"] = "MAX([FILL(availability, 0), FILL(latency, 0), FILL(callbacks, 0)])"
			// The long window has the share of callbacks, and the short one that they are at least three.
			if b.seconds == 21600 {
				want["callbacks"], stats["soon"] = "100 - soon", "FirstAttempt PR(:60)"
			} else {
				want["callbacks"], stats["late"] = "IF(late > 2, 100, 0)", "FirstAttempt TC(60:)"
			}
		}
		assert.Equal(t, want, computed, b.alarm)
		for id, m := range metrics {
			assert.Equal(t, b.seconds, at(m, "Period"), b.alarm)
			assert.Equal(t, stats[id], fmt.Sprint(at(m, "Metric", "MetricName"), " ", at(m, "Stat")), b.alarm)
		}
		assert.Len(t, metrics, len(stats), b.alarm)
	}
	rule := at(d.resources["ErrorBudgetBurns"], "Properties", "AlarmRule", "Fn::Sub")
	assert.Equal(t, `(ALARM("${BurnOneHour}") AND ALARM("${BurnFiveMinutes}")) OR `+
		`(ALARM("${BurnSixHours}") AND ALARM("${BurnThirtyMinutes}"))`, rule)
}

// The dashboard and docs/slo.md have the objectives of the alarms.
func TestObjectivesAreTheSameEverywhere(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/slo.md")
	require.NoError(t, err)
	titles := map[string]string{}
	for _, w := range dashboard(t, readDeployed(t)) {
		titles[fmt.Sprint(at(w, "properties", "title"))] = fmt.Sprint(at(w, "properties", "metrics"))
	}
	for _, slo := range []struct{ row, title, budget, metric string }{
		{"| **Availability** | 99.9 %", "SLO availability: 99.9 %, 28 days", "1000 * (FILL(failures, 0) + FILL(throttled, 0)) / answers", "5xx"},
		{"| **Latency** | 99 %", "SLO latency: 99 % within 1 s", "(100 - good) / 1)", "PR(:1000)"},
		{"| **Callbacks** | 99 %", "SLO callbacks: 99 % within a minute", "(100 - good) / 1)", "PR(:60)"},
		{"| **Letters** | 99 %", "SLO letters: 99 % within 2 h", "(100 - good) / 1)", "PR(:7200)"},
		{"| **Refreshes** | 99.5 %", "SLO refreshes: on time 99.5 %", "(100 - good) / 0.5)", "PR(:900)"},
	} {
		assert.Contains(t, string(page), slo.row)
		assert.Contains(t, titles[slo.title], slo.budget, slo.title)
		assert.Contains(t, titles[slo.title], slo.metric, slo.title)
	}
	for _, b := range burns {
		assert.Contains(t, string(page), fmt.Sprintf("| %g |", b.rate), b.alarm)
	}
}
