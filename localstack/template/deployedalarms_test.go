package template_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Lambda counts no error when a function reports failed messages of a batch. Each worker
// counts them itself, under its name.
func TestFailedMessagesRaiseAnAlarm(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for id, f := range d.ofType("AWS::Serverless::Function") {
		if len(events(f, "SQS", "DynamoDB")) == 0 {
			continue
		}
		name := strings.TrimSuffix(id, "Function")
		a := d.resources[name+"Failures"]
		if !assert.NotNil(t, a, "%s has no alarm on failed messages", id) {
			continue
		}
		service := strings.ToLower(regexp.MustCompile(`(.)([A-Z])`).ReplaceAllString(name, "$1-$2"))
		assert.Equal(t, []any{"Aviso", "Failures", "Sum"},
			[]any{at(a, "Properties", "Namespace"), at(a, "Properties", "MetricName"), at(a, "Properties", "Statistic")}, id)
		assert.Equal(t, []any{
			map[string]any{"Name": "Environment", "Value": map[string]any{"Ref": "Environment"}},
			map[string]any{"Name": "Service", "Value": service},
		}, at(a, "Properties", "Dimensions"), id)
		assert.Equal(t, alarmCondition(f), a["Condition"], id)
	}
}

// DynamoDB counts what an index rejects apart from its table.
func TestThrottledIndexesRaiseAnAlarm(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for id, table := range d.ofType("AWS::DynamoDB::Table") {
		watched := []string{}
		alarm := d.resources[id+"Throttles"]
		metrics, _ := at(alarm, "Properties", "Metrics").([]any)
		expression := ""
		for _, m := range metrics {
			if text, ok := at(m, "Expression").(string); ok {
				expression = text
			}
			dimensions, _ := at(m, "MetricStat", "Metric", "Dimensions").([]any)
			if len(dimensions) == 2 {
				watched = append(watched, fmt.Sprint(at(dimensions[1], "Value"), " ", at(m, "MetricStat", "Metric", "MetricName")))
			}
		}
		want := []string{}
		indexes, _ := at(table, "Properties", "GlobalSecondaryIndexes").([]any)
		for _, i := range indexes {
			name := fmt.Sprint(at(i, "IndexName"))
			want = append(want, name+" ReadThrottleEvents", name+" WriteThrottleEvents")
		}
		assert.ElementsMatch(t, want, watched, id)
		for _, m := range metrics {
			if metric := fmt.Sprint(at(m, "Id")); at(m, "Expression") == nil {
				assert.Contains(t, expression, "FILL("+metric+", 0)", "%s: the expression leaves it out", id)
			}
		}
	}
}

// The age of a queue's oldest message includes the time for which a worker hides it, as
// when a bank or carrier asks us to wait.
func TestHiddenMessagesAreNotLate(t *testing.T) {
	t.Parallel()
	for id, a := range readDeployed(t).ofType("AWS::CloudWatch::Alarm") {
		if !strings.HasSuffix(id, "QueueLate") {
			continue
		}
		var stats []string
		metrics, _ := at(a, "Properties", "Metrics").([]any)
		for _, m := range metrics {
			if at(m, "MetricStat") != nil {
				stats = append(stats, fmt.Sprint(at(m, "MetricStat", "Metric", "MetricName"), " ", at(m, "MetricStat", "Stat")))
			}
		}
		assert.Equal(t, []string{"ApproximateNumberOfMessagesVisible Minimum", "NumberOfMessagesDeleted Sum"}, stats, id)
		assert.Regexp(t, `^waiting - (\d \* )?FILL\(done, 0\)$`, at(metrics[0], "Expression"), "no division, since nothing may be done")
	}
}

// The days that are left are known only when a bank is called, or a letter is tried. An
// alarm must outlast the time between two such calls.
func TestRareMetricsDoNotFlap(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for id, hours := range map[string]int{"CertificateExpires": 48, "LettersStuck": 2} {
		a := at(d.resources[id], "Properties")
		assert.GreaterOrEqual(t, at(a, "Period").(int)*at(a, "EvaluationPeriods").(int), hours*3600, id)
		assert.Equal(t, 1, at(a, "DatapointsToAlarm"), id)
	}
}

// A function that is throttled raises an alarm when partners notice. The account's limit is
// known before that, and what is reserved counts as used.
func TestTheAccountsConcurrencyRaisesAnAlarmInTime(t *testing.T) {
	t.Parallel()
	alarm := at(readDeployed(t).resources["AccountConcurrencyUsed"], "Properties")
	metrics, _ := at(alarm, "Metrics").([]any)
	require.Len(t, metrics, 2)
	assert.Equal(t, map[string]any{"Fn::Sub": "100 * claimed / ${AccountConcurrency}"}, at(metrics[0], "Expression"))
	assert.Equal(t, map[string]any{"Namespace": "AWS/Lambda", "MetricName": "ClaimedAccountConcurrency"},
		at(metrics[1], "MetricStat", "Metric"), "of the account, so without dimensions")
	assert.Equal(t, "Maximum", at(metrics[1], "MetricStat", "Stat"))
	assert.Equal(t, 80, at(alarm, "Threshold"))
}

// The runbook says after how long each alarm fires.
func TestTheRunbookKnowsTheTimingOfEveryAlarm(t *testing.T) {
	t.Parallel()
	runbook, err := os.ReadFile("../../docs/runbook.md")
	require.NoError(t, err)
	sections := map[string]string{}
	for section := range strings.SplitSeq(string(runbook), "\n### ") {
		title, text, _ := strings.Cut(section, "\n")
		sections[strings.ReplaceAll(strings.ToLower(title), " ", "-")] = strings.Join(strings.Fields(text), " ")
	}
	d := readDeployed(t)
	alarms := d.ofType("AWS::CloudWatch::Alarm")
	require.NotEmpty(t, alarms)
	for id, a := range alarms {
		p := at(a, "Properties")
		period, _ := at(p, "Period").(int)
		metrics, _ := at(p, "Metrics").([]any)
		for _, m := range metrics {
			if seconds, ok := at(m, "MetricStat", "Period").(int); ok {
				period = seconds
			}
		}
		_, anchor, _ := strings.Cut(fmt.Sprint(at(p, "AlarmDescription")), " docs/runbook.md#")
		assert.Contains(t, sections[anchor], "**Fires", id)
		assert.Contains(t, sections[anchor], timing(period, at(p, "EvaluationPeriods").(int), at(p, "DatapointsToAlarm")), id)
		assert.LessOrEqual(t, period*at(p, "EvaluationPeriods").(int), maxWindow(period), "%s: longer than CloudWatch looks back", id)
	}
}

// timing returns how the runbook writes an alarm's timing.
func timing(period, evaluated int, breaching any) string {
	length := map[int]string{60: "a minute", 300: "5 minutes", 3600: "an hour", 86400: "a day"}[period]
	switch {
	case evaluated == 1:
		return "one period of " + length
	case breaching == nil || breaching == evaluated:
		return fmt.Sprintf("%d periods of %s in a row", evaluated, length)
	default:
		return fmt.Sprintf("%v of %d periods of %s", breaching, evaluated, length)
	}
}

// maxWindow is how far back an alarm can look.
func maxWindow(period int) int {
	if period >= 3600 {
		return 7 * 86400
	}
	return 86400
}
