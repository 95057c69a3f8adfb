package template_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/observe"
)

// What AWS emits, with the dimensions that we use: docs.aws.amazon.com,
// apigateway/latest/developerguide/http-api-metrics.html, lambda/latest/dg/monitoring-metrics-types.html,
// AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html,
// amazondynamodb/latest/developerguide/metrics-dimensions.html, ses/latest/dg/monitor-sending-activity.html.
var awsMetrics = map[string][]string{
	"AWS/ApiGateway ApiId": {"4xx", "5xx", "Count", "Latency", "IntegrationLatency", "DataProcessed"},
	"AWS/Lambda": {
		"Errors", "Throttles", "Invocations", "Duration", "ConcurrentExecutions", "UnreservedConcurrentExecutions",
		"ClaimedAccountConcurrency", "RecursiveInvocationsDropped",
	},
	"AWS/Lambda FunctionName Resource ExecutedVersion": {"Errors", "Invocations"},
	// Those of the filters of the access log.
	"${AWS::StackName}":       {"Throttled", "TokensRefused"},
	"map[Ref:AWS::StackName]": {"Throttled", "TokensRefused"},
	"AWS/Lambda FunctionName": {"Errors", "Throttles", "Invocations", "Duration", "ConcurrentExecutions", "IteratorAge"},
	"AWS/SQS QueueName": {
		"ApproximateNumberOfMessagesVisible", "ApproximateNumberOfMessagesNotVisible", "ApproximateAgeOfOldestMessage",
		"NumberOfMessagesSent", "NumberOfMessagesReceived", "NumberOfMessagesDeleted",
	},
	"AWS/DynamoDB TableName":     {"ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits"},
	"AWS/Backup BackupVaultName": {"NumberOfBackupJobsFailed", "NumberOfBackupJobsCompleted", "NumberOfCopyJobsFailed"},
	"AWS/SES":                    {"Reputation.BounceRate", "Reputation.ComplaintRate"},
}

// dashboard returns the dashboard's widgets.
func dashboard(t *testing.T, d deployed) []map[string]any {
	t.Helper()
	text, ok := at(d.resources["Dashboard"], "Properties", "DashboardBody", "Fn::Sub").(string)
	require.True(t, ok)
	var body struct{ Widgets []map[string]any }
	require.NoError(t, json.Unmarshal([]byte(text), &body))
	return body.Widgets
}

// parts returns the namespace, the name and the dimensions of a line of a widget, and its options.
func parts(line any) (texts []string, options map[string]any) {
	for _, part := range line.([]any) {
		if text, ok := part.(string); ok {
			texts = append(texts, text)
		} else {
			options, _ = part.(map[string]any)
		}
	}
	return texts, options
}

// assertEmitted checks that AWS or the service emits a metric.
func assertEmitted(t *testing.T, by, namespace, name string, dimensions []string) {
	t.Helper()
	if namespace == observe.Namespace {
		assert.Contains(t, observe.All(), observe.Metric(name), by)
		assert.Equal(t, observe.Metric(name).Dimensions(), dimensions, "%s: %s", by, name)
		return
	}
	key := strings.Join(append([]string{namespace}, dimensions...), " ")
	assert.Contains(t, awsMetrics[key], name, "%s: AWS has no such metric of %s", by, key)
}

// A misspelt metric is an empty graph, and an alarm that never fires.
func TestEveryMetricIsEmitted(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for _, w := range dashboard(t, d) {
		lines, _ := at(w, "properties", "metrics").([]any)
		for _, line := range lines {
			texts, _ := parts(line)
			if len(texts) == 0 {
				continue // an expression
			}
			var dimensions []string
			for i := 2; i < len(texts); i += 2 {
				dimensions = append(dimensions, texts[i])
			}
			assertEmitted(t, fmt.Sprint(at(w, "properties", "title")), texts[0], texts[1], dimensions)
		}
	}
	for id, a := range d.ofType("AWS::CloudWatch::Alarm") {
		for _, m := range metricsOf(a) {
			if at(m, "Namespace") == nil {
				continue
			}
			var dimensions []string
			names, _ := at(m, "Dimensions").([]any)
			for _, dimension := range names {
				dimensions = append(dimensions, fmt.Sprint(at(dimension, "Name")))
			}
			assertEmitted(t, id, fmt.Sprint(at(m, "Namespace")), fmt.Sprint(at(m, "MetricName")), dimensions)
		}
	}
}

// freeMetrics is how many metrics a dashboard may have that costs nothing.
const freeMetrics = 50

// The rules are those of AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html.
func TestTheDashboardIsWellFormed(t *testing.T) {
	t.Parallel()
	widgets := dashboard(t, readDeployed(t))
	require.NotEmpty(t, widgets)
	taken, metrics := map[[2]int]string{}, 0
	for _, w := range widgets {
		title := fmt.Sprint(at(w, "properties", "title"))
		place := func(name string) int { return int(w[name].(float64)) }
		assert.LessOrEqual(t, place("x")+place("width"), 24, title)
		for x := place("x"); x < place("x")+place("width"); x++ {
			for y := place("y"); y < place("y")+place("height"); y++ {
				assert.Empty(t, taken[[2]int{x, y}], "%s covers another widget", title)
				taken[[2]int{x, y}] = title
			}
		}
		assert.Equal(t, "${AWS::Region}", at(w, "properties", "region"), title)
		switch w["type"] {
		case "metric":
			metrics += wellFormed(t, title, w["properties"].(map[string]any))
		case "log":
			assert.Regexp(t, `^SOURCE '/\$\{AWS::StackName\}/[a-z-]+' \| `, at(w, "properties", "query"), title)
		default:
			assert.Fail(t, "unknown type", "%s: %v", title, w["type"])
		}
	}
	assert.LessOrEqual(t, metrics, freeMetrics, "a dashboard with more is not free")
	assert.True(t, strings.HasPrefix(fmt.Sprint(at(widgets[0], "properties", "title")), "SLO "), "objectives come first")
}

var statistic = regexp.MustCompile(`^(Sum|Average|Minimum|Maximum|SampleCount|p\d+|PR\(:\d+\)|TC\(\d+:\))$`)

// wellFormed checks a metric widget and returns how many metrics it has.
func wellFormed(t *testing.T, title string, p map[string]any) int {
	t.Helper()
	if view, given := p["view"]; given {
		assert.Contains(t, []any{"timeSeries", "singleValue", "gauge", "bar", "pie", "table"}, view, title)
	}
	assert.Zero(t, int(p["period"].(float64))%60, title)
	ids, used, metrics := []string{}, []string{}, 0
	for _, line := range p["metrics"].([]any) {
		texts, options := parts(line)
		if id, ok := options["id"].(string); ok {
			assert.Regexp(t, `^[a-z]\w*$`, id, title)
			assert.NotContains(t, ids, id, title)
			ids = append(ids, id)
		}
		if expression, ok := options["expression"].(string); ok {
			assert.Empty(t, texts, title)
			used = append(used, regexp.MustCompile(`\b[a-z]\w*\b`).FindAllString(expression, -1)...)
			continue
		}
		assert.Zero(t, len(texts)%2, "%s: a dimension without a value", title)
		assert.Regexp(t, statistic, options["stat"], title)
		metrics++
	}
	for _, id := range used {
		assert.True(t, slices.Contains(ids, id), "%s: no metric has the ID %s", title, id)
	}
	return metrics
}
