package template_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/observe"
)

// ownMetrics returns the service's metrics that alarms and the dashboard name, with their
// dimensions and who names them.
func (d deployed) ownMetrics(t *testing.T) map[string][]string {
	t.Helper()
	used := map[string][]string{}
	note := func(by, name string, dimensions map[string]string) {
		m := observe.Metric(name)
		require.Contains(t, observe.All(), m, "%s: nothing emits %s", by, name)
		var want []string
		for _, dimension := range m.Dimensions() {
			assert.NotEmpty(t, dimensions[dimension], "%s: %s has the dimension %s", by, name, dimension)
			want = append(want, dimension)
		}
		assert.Len(t, dimensions, len(want), "%s: %s has the dimensions %v", by, name, want)
		used[name] = append(used[name], by)
	}
	for id, a := range d.ofType("AWS::CloudWatch::Alarm") {
		for _, m := range metricsOf(a) {
			if at(m, "Namespace") != observe.Namespace {
				continue
			}
			dimensions := map[string]string{}
			list, _ := at(m, "Dimensions").([]any)
			for _, dimension := range list {
				dimensions[fmt.Sprint(at(dimension, "Name"))] = fmt.Sprint(at(dimension, "Value"))
			}
			note(id, fmt.Sprint(at(m, "MetricName")), dimensions)
		}
	}
	for id, b := range d.ofType("AWS::CloudWatch::Dashboard") {
		text, _ := at(b, "Properties", "DashboardBody", "Fn::Sub").(string)
		for _, found := range regexp.MustCompile(`\["`+observe.Namespace+`"(?:, "[^"]*")*`).FindAllString(text, -1) {
			var parts []string
			require.NoError(t, json.Unmarshal([]byte(found+"]"), &parts), found)
			dimensions := map[string]string{}
			for i := 2; i+1 < len(parts); i += 2 {
				dimensions[parts[i]] = parts[i+1]
			}
			note(id, parts[1], dimensions)
		}
	}
	return used
}

// metricsOf returns the metrics of an alarm: one, or those of an expression.
func metricsOf(alarm map[string]any) []any {
	all := []any{at(alarm, "Properties")}
	queries, _ := at(alarm, "Properties", "Metrics").([]any)
	for _, q := range queries {
		all = append(all, at(q, "MetricStat", "Metric"))
	}
	return all
}

// An alarm on a metric that nobody emits never fires. A metric that no alarm needs costs as
// much as one that it does.
func TestMetricsAreThoseThatAlarmsUse(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	used := d.ownMetrics(t)
	emitted := emittedMetrics(t)
	for _, m := range observe.All() {
		assert.Contains(t, emitted, string(m), "no log line has it")
		assert.NotEmpty(t, used[string(m)], "%s: neither an alarm nor the dashboard uses it", m)
		for _, name := range m.Dimensions() {
			rare := m == observe.VersionErrors // only a version that fails has a metric
			assert.True(t, rare || name == observe.Stack || name == "Certificate",
				"%s: each value of a dimension is a metric that costs 0.30 a month", m)
		}
	}
}

// A stack without alarms has none: they are most of what it costs.
func TestAlarmsAreOptional(t *testing.T) {
	t.Parallel()
	for id, a := range readDeployed(t).ofType("AWS::CloudWatch::Alarm") {
		assert.Contains(t, []any{
			"HasAlarms", "HasSandboxAlarms", "HasMailAlarms", "HasLetterAlarms", "HasBackupAlarms", "HasSyncWaitAlarms",
			"HasEdgeAlarms", "HasBackupCopyAlarms", "HasCanaries", "HasSandboxCanary", "HasConsoleCanary",
			"HasEvidenceAlarm", "HasAccountAlarm", "HasSharedAlarms",
		}, a["Condition"], id)
	}
	for id, a := range readDeployed(t).ofType("AWS::CloudWatch::CompositeAlarm") {
		assert.Equal(t, "HasAlarms", a["Condition"], id)
	}
}

// emittedMetrics returns the names of the metrics that the code writes into log lines.
func emittedMetrics(t *testing.T) []string {
	t.Helper()
	var names []string
	call := regexp.MustCompile(`(?:observe\.EMF\(.*, |metrics, |observe\.Metric\{|m, wait = |concurrency, )observe\.(\w+)[)},]`)
	first := regexp.MustCompile(`observe\.EMF\(\w+, observe\.(\w+),`) // of two
	require.NoError(t, filepath.WalkDir("../../internal", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		for _, m := range slices.Concat(call.FindAllStringSubmatch(string(src), -1), first.FindAllStringSubmatch(string(src), -1)) {
			names = append(names, m[1])
		}
		return err
	}))
	return names
}
