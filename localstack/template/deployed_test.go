package template_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// deployed is template.yaml as written, including what the local stack ignores, such as
// alarms. Short forms of intrinsic functions are read as long ones: !Ref T is {Ref: T}.
type deployed struct {
	globals                         map[string]any
	resources                       map[string]map[string]any
	conditions, outputs, parameters map[string]any
}

func readDeployed(t *testing.T) deployed {
	t.Helper()
	src, err := os.ReadFile("../../template.yaml")
	require.NoError(t, err)
	var document yaml.Node
	require.NoError(t, yaml.Unmarshal(src, &document))
	root := plain(t, document.Content[0]).(map[string]any)
	d := deployed{globals: root["Globals"].(map[string]any)["Function"].(map[string]any), resources: map[string]map[string]any{}}
	d.conditions, d.outputs = root["Conditions"].(map[string]any), root["Outputs"].(map[string]any)
	d.parameters = root["Parameters"].(map[string]any)
	for id, resource := range root["Resources"].(map[string]any) {
		d.resources[id] = resource.(map[string]any)
	}
	return d
}

func plain(t *testing.T, n *yaml.Node) any {
	t.Helper()
	var value any
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(t, n.Content[i+1])
		}
		value = m
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			list = append(list, plain(t, c))
		}
		value = list
	default:
		if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") {
			value = n.Value
		} else {
			require.NoError(t, n.Decode(&value))
		}
	}
	switch name, custom := strings.CutPrefix(n.Tag, "!"); {
	case !custom || strings.HasPrefix(name, "!"):
		return value
	case name == "Ref" || name == "Condition":
		return map[string]any{name: value}
	default:
		return map[string]any{"Fn::" + name: value}
	}
}

// ofType returns the resources of a type, by logical ID.
func (d deployed) ofType(kind string) map[string]map[string]any {
	found := map[string]map[string]any{}
	for id, r := range d.resources {
		if r["Type"] == kind {
			found[id] = r
		}
	}
	return found
}

// at follows names into nested mappings, and returns nil if one is missing.
func at(value any, path ...string) any {
	for _, name := range path {
		m, _ := value.(map[string]any)
		value = m[name]
	}
	return value
}

// named returns the logical IDs that a value refers to, at any depth.
func named(value any) []string {
	var ids []string
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			text, isText := inner.(string)
			switch {
			case name == "Ref" && isText:
				ids = append(ids, text)
			case name == "Fn::GetAtt" && isText:
				ids = append(ids, strings.SplitN(text, ".", 2)[0])
			case name == "Fn::Sub" && isText:
				for _, m := range regexp.MustCompile(`\$\{(\w+)[.}]`).FindAllStringSubmatch(text, -1) {
					ids = append(ids, m[1])
				}
			default:
				ids = append(ids, named(inner)...)
			}
		}
	case []any:
		for _, inner := range v {
			ids = append(ids, named(inner)...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// alarmed returns the metrics of a resource that an alarm watches, each with the alarm's
// condition.
func (d deployed) alarmed(id string) map[string]any {
	watched := map[string]any{}
	for _, a := range d.ofType("AWS::CloudWatch::Alarm") {
		if metric, ok := at(a, "Properties", "MetricName").(string); ok && slices.Contains(named(at(a, "Properties", "Dimensions")), id) {
			watched[metric] = a["Condition"]
		}
		metrics, _ := at(a, "Properties", "Metrics").([]any)
		for _, m := range metrics {
			if metric, ok := at(m, "MetricStat", "Metric", "MetricName").(string); ok &&
				slices.Contains(named(at(m, "MetricStat", "Metric", "Dimensions")), id) {
				watched[metric] = a["Condition"]
			}
		}
	}
	return watched
}

// alarmCondition returns the condition of an alarm on the resource: the resource is there, and
// the stack has alarms.
func alarmCondition(resource map[string]any) any {
	if resource["Condition"] == "HasSandbox" {
		return "HasSandboxAlarms"
	}
	return "HasAlarms"
}

func (d deployed) assertAlarmed(t *testing.T, id string, metrics ...string) {
	t.Helper()
	watched, want := d.alarmed(id), alarmCondition(d.resources[id])
	if id == "SyncWaitQueue" { // which a small stack does not use
		want = "HasSyncWaitAlarms"
	}
	for _, metric := range metrics {
		if assert.Contains(t, watched, metric, "%s has no alarm", id) {
			assert.Equal(t, want, watched[metric], "%s of %s: the alarm exists where the thing does", metric, id)
		}
	}
}

// property returns a function's own property, or else the one in Globals.
func (d deployed) property(function, name string) any {
	if own := at(d.resources[function], "Properties", name); own != nil {
		return own
	}
	return d.globals[name]
}

// statements returns the statements of the policies of a function's role.
func (d deployed) statements(function string) []map[string]any {
	return roleStatements(d.resources[named(at(d.resources[function], "Properties", "Role"))[0]])
}

func events(function map[string]any, kinds ...string) map[string]map[string]any {
	found := map[string]map[string]any{}
	all, _ := at(function, "Properties", "Events").(map[string]any)
	for name, e := range all {
		if kind, _ := at(e, "Type").(string); slices.Contains(kinds, kind) {
			found[name], _ = at(e, "Properties").(map[string]any)
		}
	}
	return found
}

func TestEveryFunctionIsWatched(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	folders, err := filepath.Glob("../../functions/*/main.go")
	require.NoError(t, err)
	functions := d.ofType("AWS::Serverless::Function")
	require.Len(t, functions, len(folders))
	for id, f := range functions {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, map[string]any{"Ref": "Tracing"}, d.property(id, "Tracing"), "Lambda's sampling cannot be bounded")
			assert.Equal(t, "makefile", at(f, "Metadata", "BuildMethod"))
			for _, name := range []string{"GOMEMLIMIT", "GOGC", "ENVIRONMENT"} {
				assert.NotNil(t, at(d.globals, "Environment", "Variables", name), name)
			}
			groups := named(at(f, "Properties", "LoggingConfig", "LogGroup"))
			require.Len(t, groups, 1)
			group := d.resources[groups[0]]
			require.NotNil(t, group, groups[0])
			assert.Equal(t, "AWS::Logs::LogGroup", group["Type"])
			assert.NotNil(t, at(group, "Properties", "RetentionInDays"))
			assert.Equal(t, f["Condition"], group["Condition"])
		})
	}
}

// A function has permissions for exactly the resources that its environment, events and
// failure destinations name: any other permission is one too many.
func TestEveryFunctionHasThePermissionsItNeeds(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for id, f := range d.ofType("AWS::Serverless::Function") {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			var granted []string
			for _, s := range d.statements(id) {
				granted = append(granted, named(s["Resource"])...)
			}
			if id == "SearchFunction" {
				// It has no POST, so it never uses its store of responses.
				granted = append(granted, "IdempotencyTable")
			}
			// CloudWatch Logs brings the lines of a group; nobody reads it.
			var subscribed []string
			for _, properties := range events(f, "CloudWatchLogs") {
				subscribed = append(subscribed, named(properties)...)
			}
			known := named(at(f, "Properties", "Environment"))
			for _, property := range []string{"Events", "EventInvokeConfig", "LoggingConfig"} {
				known = append(known, named(at(f, "Properties", property))...)
			}
			for _, resource := range known {
				if slices.Contains(subscribed, resource) {
					continue
				}
				switch d.resources[resource]["Type"] {
				case "AWS::DynamoDB::Table", "AWS::SecretsManager::Secret", "AWS::Logs::LogGroup":
					assert.Contains(t, granted, resource, "it is told of it and may not touch it")
				}
			}
			for _, resource := range granted {
				switch d.resources[resource]["Type"] {
				case "AWS::DynamoDB::Table", "AWS::SecretsManager::Secret", "AWS::SQS::Queue", "AWS::Logs::LogGroup":
					assert.Contains(t, known, resource, "it may touch it and is not told of it")
				}
			}
		})
	}
}

func list(value any) []any {
	if l, ok := value.([]any); ok {
		return l
	}
	return []any{value}
}

// Data that is useless after a day needs no backup.
var shortLived = map[string]string{
	"IdempotencyTable": "answers of the last 24 hours",
	"SandboxTable":     "invented banks and letters",
}

func TestEveryTableIsProtected(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for id, table := range d.ofType("AWS::DynamoDB::Table") {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, "PAY_PER_REQUEST", at(table, "Properties", "BillingMode"))
			assert.Equal(t, []string{"DataKey"}, named(at(table, "Properties", "SSESpecification", "KMSMasterKeyId")))
			if shortLived[id] != "" {
				assert.NotNil(t, at(table, "Properties", "TimeToLiveSpecification"))
				return
			}
			durable := map[string]any{"Fn::If": []any{"IsDurable", true, false}}
			assert.Equal(t, durable, at(table, "Properties", "PointInTimeRecoverySpecification", "PointInTimeRecoveryEnabled"))
			protected := map[string]any{"Fn::If": []any{"IsProtected", true, false}}
			assert.Equal(t, protected, at(table, "Properties", "DeletionProtectionEnabled"))
			assert.Equal(t, "RetainExceptOnCreate", table["DeletionPolicy"])
			assert.Equal(t, "Retain", table["UpdateReplacePolicy"])
		})
	}
}

// The functions' roles say nothing of the key that encrypts the tables: its own policy lets whoever may use a
// table use the key, and CloudWatch send alarms.
func TestWhoUsesATableMayUseItsKey(t *testing.T) {
	t.Parallel()
	want := map[any][]any{
		"Tables": {"kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:CreateGrant", "kms:DescribeKey"},
		"Alarms": {"kms:Decrypt", "kms:GenerateDataKey*"},
	}
	statements := list(at(readDeployed(t).resources["DataKey"], "Properties", "KeyPolicy", "Statement"))
	require.Len(t, statements, 1+len(want))
	for _, s := range statements[1:] {
		assert.ElementsMatch(t, want[at(s, "Sid")], list(at(s, "Action")), "%v", at(s, "Sid"))
	}
	assert.Equal(t, map[string]any{"StringEquals": map[string]any{
		"kms:CallerAccount": map[string]any{"Ref": "AWS::AccountId"},
		"kms:ViaService":    map[string]any{"Fn::Sub": "dynamodb.${AWS::Region}.amazonaws.com"},
	}}, at(statements[1], "Condition"))
}

// runbookHeadings returns the anchors of the runbook's headings.
func runbookHeadings(t *testing.T) map[string]bool {
	t.Helper()
	runbook, err := os.ReadFile("../../docs/runbook.md")
	require.NoError(t, err)
	headings := map[string]bool{}
	for _, h := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(string(runbook), -1) {
		anchor := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(h[1]), "")
		headings[strings.ReplaceAll(anchor, " ", "-")] = true
	}
	return headings
}

func TestEveryAlarmSaysWhatToDo(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	headings := runbookHeadings(t)
	alarms := d.ofType("AWS::CloudWatch::Alarm")
	require.NotEmpty(t, alarms)
	var children []string
	for id, a := range d.ofType("AWS::CloudWatch::CompositeAlarm") {
		children = append(children, named(at(a, "Properties", "AlarmRule"))...)
		alarms[id] = a
	}
	for id, a := range alarms {
		if slices.Contains(children, id) {
			assert.Nil(t, at(a, "Properties", "AlarmActions"), "%s: the composite alarm acts", id)
		} else {
			assert.Equal(t, []string{"AlertTopic"}, named(at(a, "Properties", "AlarmActions")), id)
			assert.Equal(t, []string{"AlertTopic"}, named(at(a, "Properties", "OKActions")), id)
		}
		if a["Type"] == "AWS::CloudWatch::Alarm" {
			assert.NotNil(t, at(a, "Properties", "TreatMissingData"), id)
		}
		_, anchor, found := strings.Cut(fmt.Sprint(at(a, "Properties", "AlarmDescription")), " docs/runbook.md#")
		assert.True(t, found && headings[anchor], "%s: docs/runbook.md has no heading %q", id, anchor)
	}
}

func TestProductionHasNoSandbox(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for id, r := range d.resources {
		if strings.HasPrefix(id, "Sandbox") {
			want := "HasSandbox"
			if r["Type"] == "AWS::CloudWatch::Alarm" {
				want = "HasSandboxAlarms" // which includes HasSandbox
			}
			if id == "SandboxBroken" {
				want = "HasSandboxCanary" // and so does this
			}
			assert.Equal(t, want, r["Condition"], id)
		}
	}
}
