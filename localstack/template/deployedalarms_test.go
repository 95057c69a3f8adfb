package template_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"aviso/internal/observe"
)

// watching returns the properties of the alarm, which must be on this statistic of a metric.
func (d deployed) watching(t *testing.T, id, namespace, name, statistic string) map[string]any {
	t.Helper()
	a := d.resources[id]
	require.NotNil(t, a, id)
	assert.Contains(t, []any{"HasAlarms", "HasAccountAlarm"}, a["Condition"], id)
	p := a["Properties"].(map[string]any)
	assert.Equal(t, []any{namespace, name, statistic}, []any{p["Namespace"], p["MetricName"], p["Statistic"]}, id)
	assert.Equal(t, []any{0, "GreaterThanThreshold"}, []any{p["Threshold"], p["ComparisonOperator"]}, "%s: none is too few", id)
	if namespace == observe.Namespace {
		assert.Equal(t, []any{map[string]any{"Name": "Stack", "Value": map[string]any{"Ref": "AWS::StackName"}}}, p["Dimensions"], id)
	}
	return p
}

// One alarm watches all functions, one all their messages, one all tables with their indexes,
// and one all dead-letter queues. So each sees what fails, wherever that is.
func TestOneAlarmSeesEveryFault(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	crashes := d.watching(t, "FunctionErrors", "AWS/Lambda", "Errors", "Sum")
	assert.Nil(t, crashes["Dimensions"], "without dimensions it is the sum of all functions")
	// Lambda counts no error when a function reports failed messages of a batch.
	d.watching(t, "FailedMessages", observe.Namespace, "Failures", "Sum")
	d.watching(t, "TableThrottles", observe.Namespace, "Throttles", "Sum")
	d.watching(t, "RepeatedWork", observe.Namespace, "Repeated", "Sum")
	// Answers with 5xx are counted apart: some are no reason to call anybody.
	api := d.resources["ApiFailing"]
	computed, metrics := expressions(api)
	assert.Equal(t, map[string]string{"share": "IF(failures > 2, 100 * failures / calls, 0)"}, computed)
	assert.Equal(t, "ServerErrors", at(metrics["failures"], "Metric", "MetricName"))
	assert.Equal(t, map[string]any{"Namespace": "AWS/Lambda", "MetricName": "Invocations"}, at(metrics["calls"], "Metric"))
	assert.InDelta(t, 0.5, at(api, "Properties", "Threshold"), 1e-9)
	dead := d.watching(t, "DeadLetters", observe.Namespace, "DeadLetters", "Maximum")
	assert.GreaterOrEqual(t, dead["Period"], 2*5*60, "housekeeping counts every five minutes")
	late := at(d.resources["DueLate"], "Properties")
	assert.Equal(t, []any{"DueLate", "breaching"}, []any{at(late, "MetricName"), at(late, "TreatMissingData")},
		"a housekeeping that has stopped can count nothing")
}

// In an account with other functions, each function of the stack is in one alarm. An alarm takes ten metrics
// (PutMetricAlarm), and no search.
func TestAStackInASharedAccountWatchesItsOwnFunctions(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	accounts := at(d.resources["FunctionErrors"], "Condition")
	assert.Equal(t, "HasAccountAlarm", accounts)
	var watched, all []string
	for _, id := range []string{"CallErrors", "WorkerErrors"} {
		a := d.resources[id]
		assert.Equal(t, "HasSharedAlarms", a["Condition"])
		assert.Equal(t, 0, at(a, "Properties", "Threshold"))
		assert.Equal(t, "GreaterThanThreshold", at(a, "Properties", "ComparisonOperator"))
		metrics := list(at(a, "Properties", "Metrics"))
		assert.Equal(t, "SUM(FILL(METRICS(), 0))", at(metrics[0], "Expression"), "a function that nobody called has no data")
		metrics = metrics[1:]
		assert.LessOrEqual(t, len(metrics), 10, id)
		for _, m := range metrics {
			condition := ""
			if choice, ok := at(m, "Fn::If").([]any); ok {
				condition, m = fmt.Sprint(choice[0]), choice[1]
			}
			assert.Equal(t, "Errors Sum", fmt.Sprint(at(m, "MetricStat", "Metric", "MetricName"), " ", at(m, "MetricStat", "Stat")))
			watched = append(watched, named(at(m, "MetricStat", "Metric", "Dimensions"))[0]+condition)
		}
	}
	for id, f := range d.ofType("AWS::Serverless::Function") {
		condition, _ := f["Condition"].(string)
		all = append(all, id+condition)
	}
	assert.ElementsMatch(t, all, watched)
}

// The gateway counts 429 with other 4xx. So filters count in the access log, whose format they
// must fit, what one caller's flood does to the others.
func TestRefusalsOfTheGatewayRaiseAnAlarm(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	format := fmt.Sprint(at(d.resources["HttpApi"], "Properties", "AccessLogSettings", "Format"))
	stack := map[string]any{"Ref": "AWS::StackName"}
	found := map[string]string{}
	for id, f := range d.ofType("AWS::Logs::MetricFilter") {
		assert.Equal(t, []string{"AccessLog"}, named(at(f, "Properties", "LogGroupName")), id)
		pattern := fmt.Sprint(at(f, "Properties", "FilterPattern"))
		for _, m := range regexp.MustCompile(`\$\.(\w+)`).FindAllStringSubmatch(pattern, -1) {
			assert.Contains(t, format, `"`+m[1]+`":"$context.`, "%s: the log has no %s", id, m[1])
		}
		made := list(at(f, "Properties", "MetricTransformations"))[0]
		assert.Equal(t, stack, at(made, "MetricNamespace"), "two stacks must not mix")
		found[fmt.Sprint(at(made, "MetricName"))] = pattern
	}
	assert.Equal(t, map[string]string{
		"Throttled":     `{ $.status = "429" && $.integrationMs = "-" }`,
		"TokensRefused": `{ $.route = "ANY /oauth2/{proxy+}" && ($.status = "400" || $.status = "401" || $.status = "429") }`,
	}, found)
	// One refusal of a route's limit is one too many. Partners mistype secrets, so tokens may be refused once a second.
	for id, want := range map[string][]any{
		"CallersThrottled": {stack, "Throttled", "Sum", 300, 0, "GreaterThanThreshold"},
		"TokensRefused":    {stack, "TokensRefused", "Sum", 300, 300, "GreaterThanThreshold"},
	} {
		p := at(d.resources[id], "Properties")
		var has []any
		for _, name := range []string{"Namespace", "MetricName", "Statistic", "Period", "Threshold", "ComparisonOperator"} {
			has = append(has, at(p, name))
		}
		assert.Equal(t, want, has, id)
		assert.NotEmpty(t, at(p, "AlarmActions"), id)
	}
}

// Housekeeping counts the messages of every dead-letter queue that the stack has.
func TestEveryDeadLetterQueueIsCounted(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	dead := func(sandbox bool) []string {
		var ids []string
		for id := range d.ofType("AWS::SQS::Queue") {
			if strings.HasSuffix(id, "DeadLetters") && (sandbox || d.resources[id]["Condition"] == nil) {
				ids = append(ids, id)
			}
		}
		slices.Sort(ids)
		return ids
	}
	choice := at(d.resources["HousekeepingFunction"], "Properties", "Environment", "Variables", "DEAD_LETTER_URLS", "Fn::If").([]any)
	assert.Equal(t, "HasSandbox", choice[0])
	assert.Equal(t, dead(true), named(choice[1]))
	assert.Equal(t, dead(false), named(choice[2]))
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
	for id, hours := range map[string]int{"CertificateExpires": 48, "EvidenceCertificateExpires": 48, "LettersStuck": 2} {
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
	length := map[int]string{
		60: "a minute", 300: "5 minutes", 600: "10 minutes", 1800: "30 minutes", 3600: "an hour", 21600: "6 hours", 86400: "a day",
	}[period]
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

// Route 53 has its metrics in us-east-1 only, and asks from at least three regions (its developer guide).
func TestTheHealthCheckAsksForWhatIsPublic(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("../../ops/outside.yaml")
	require.NoError(t, err)
	var document yaml.Node
	require.NoError(t, yaml.Unmarshal(src, &document))
	resources := at(plain(t, document.Content[0]), "Resources")
	check := at(resources, "Check", "Properties", "HealthCheckConfig")
	assert.Equal(t, []any{"HTTPS_STR_MATCH", true}, []any{at(check, "Type"), at(check, "EnableSNI")}, "API Gateway needs SNI")
	assert.GreaterOrEqual(t, len(list(at(check, "Regions"))), 3)
	routes := fmt.Sprint(events(readDeployed(t).resources["IdentityFunction"], "HttpApi"))
	folder, _, _ := strings.Cut(fmt.Sprint(at(check, "ResourcePath")), "jwks.json")
	assert.Contains(t, routes, folder+"{proxy+}")
	alarm := at(resources, "Unreachable", "Properties")
	assert.Equal(t, []string{"Check"}, named(at(alarm, "Dimensions")))
	assert.Equal(t, "breaching", at(alarm, "TreatMissingData"), "a check that is gone sees nothing")
	_, anchor, _ := strings.Cut(fmt.Sprint(at(alarm, "AlarmDescription")), " docs/runbook.md#")
	assert.True(t, runbookHeadings(t)[anchor])
}
