package blackbox_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	fenced = regexp.MustCompile("(?s)```(?:text)?\n((?:fields|filter|stats) .*?)```")
	inline = regexp.MustCompile("`((?:filter|stats) [^`]*)`")
	quoted = regexp.MustCompile(`"[^"]*"`)
	alias  = regexp.MustCompile(`\bas (\w+)`)
	name   = regexp.MustCompile(`@?\b[A-Za-z]\w*`)
	wanted = regexp.MustCompile(`msg = "(\w+)"`)
)

// logQueries returns the queries for CloudWatch Logs Insights in the runbook.
func logQueries(t *testing.T) []string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/runbook.md")
	require.NoError(t, err)
	var queries []string
	for _, kind := range []*regexp.Regexp{fenced, inline} {
		for _, m := range kind.FindAllStringSubmatch(string(page), -1) {
			queries = append(queries, m[1])
		}
	}
	return queries
}

// fieldsOf returns the fields that a query names.
func fieldsOf(query string) []string {
	notFields := []string{
		"fields", "filter", "stats", "sort", "limit", "by", "as", "and", "or", "not", "like", "asc", "desc",
		"count", "sum", "max", "min", "avg", "pct", "bin", "latest", "@timestamp", "@log", "@message",
	}
	for _, m := range alias.FindAllStringSubmatch(query, -1) {
		notFields = append(notFields, m[1])
	}
	var found []string
	for _, field := range name.FindAllString(quoted.ReplaceAllString(query, ""), -1) {
		if !slices.Contains(notFields, field) {
			found = append(found, field)
		}
	}
	return found
}

// accessFields are the members of API Gateway's access log, which the local stack does not
// write.
func accessFields(t *testing.T) []string {
	t.Helper()
	template, err := os.ReadFile("../../../template.yaml")
	require.NoError(t, err)
	_, format, found := strings.Cut(string(template), `{"requestId":"$context`)
	require.True(t, found)
	format, _, _ = strings.Cut(format, "\n")
	var fields []string
	for _, m := range regexp.MustCompile(`"(\w+)":"\$context`).FindAllStringSubmatch(format, -1) {
		fields = append(fields, m[1])
	}
	return fields
}

// faultFields are members of lines that a healthy stack does not write. The tests of
// apigateway, config, housekeepingfn and cancellation check those lines.
var faultFields = []string{
	"Throttles", "ServerErrors", "operation", "resource", "reason", "messages", "queue", "LetterWait", "cancellation",
	"Bypassed", "admitted",
}

// A query that names a field that no line has finds nothing, and says nothing about it.
func TestLogQueriesOfTheRunbook(t *testing.T) {
	queries := logQueries(t)
	require.Greater(t, len(queries), 10)
	p, r := newPartner(t, "sandbox"), newReceiver(t, nil)
	path, _ := p.subscribe(t, r, "webhook.ping")
	r.await(t, "the ping", event(p.ping(t, path)))

	access := accessFields(t)
	var missing []string
	eventually(t, func() bool {
		known, messages := map[string]bool{}, map[string]bool{}
		for _, line := range logLines(t) {
			for field := range line {
				known[field] = true
			}
			messages[line["msg"].(string)] = true
		}
		for _, field := range slices.Concat(access, faultFields) {
			known[field] = true
		}
		missing = nil
		for _, query := range queries {
			for _, field := range fieldsOf(query) {
				if !known[field] {
					missing = append(missing, field+" in: "+query)
				}
			}
			for _, m := range wanted.FindAllStringSubmatch(query, -1) {
				if !messages[m[1]] {
					missing = append(missing, "msg "+m[1]+" in: "+query)
				}
			}
		}
		return len(missing) == 0
	}, patience, 200*time.Millisecond, "no log line has them: %s", &missing)
	assert.Empty(t, missing)
}

// CloudWatch ignores a metric whose line lacks its value or one of its dimensions.
func TestMetricsAreMembersOfTheirLines(t *testing.T) {
	p, r := newPartner(t, "sandbox"), newReceiver(t, nil)
	path, _ := p.subscribe(t, r, "webhook.ping")
	p.ping(t, path)
	p.untilAttempts(t, path, 1)
	seen := 0
	for _, line := range logLines(t) {
		about, ok := line["_aws"].(map[string]any)
		if !ok {
			continue
		}
		for _, d := range about["CloudWatchMetrics"].([]any) {
			d := d.(map[string]any)
			seen++
			for _, dimension := range d["Dimensions"].([]any)[0].([]any) {
				assert.IsType(t, "", line[dimension.(string)], "%v: %v", dimension, line)
			}
			for _, m := range d["Metrics"].([]any) {
				assert.IsType(t, 0.0, line[m.(map[string]any)["Name"].(string)], line)
			}
		}
	}
	assert.Positive(t, seen)
}
