package template

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
)

func (s *scope) function(t *Template, m member, globals *yaml.Node) {
	var p struct {
		Timeout, MemorySize int
		Environment         struct{ Variables map[string]Value }
		EventInvokeConfig   struct {
			MaximumRetryAttempts int
			DestinationConfig    destination
			// The local stack never keeps an event that long.
			MaximumEventAgeInSeconds any
		}
		Role          Value
		LoggingConfig struct {
			LogGroup                                       Value
			LogFormat, ApplicationLogLevel, SystemLogLevel any
		}
		Events any // read below, in order

		Architectures, AutoPublishAlias, AutoPublishAliasAllProperties, CodeUri            any //nolint:revive // as SAM has it
		DeploymentPreference, Description, EphemeralStorage, FunctionName, Handler         any
		ProvisionedConcurrencyConfig, RecursiveLoop, ReservedConcurrentExecutions, Runtime any
		SnapStart, Tags, Tracing, VersionDeletionPolicy, VersionDescription                any
	}
	p.Timeout, p.MemorySize, p.EventInvokeConfig.MaximumRetryAttempts = 3, 128, 2
	s.read(globals, &p)
	s.read(m.value, &p)
	if retries := p.EventInvokeConfig.MaximumRetryAttempts; retries < 0 || retries > 2 {
		s.fault(s.child(m.value, "EventInvokeConfig", "MaximumRetryAttempts"), "MaximumRetryAttempts must be 0 to 2")
	}
	t.Functions = append(t.Functions, Function{
		ID: m.key, Name: kebab(strings.TrimSuffix(m.key, "Function")), Timeout: seconds(p.Timeout), MemoryMB: p.MemorySize,
		Environment: p.Environment.Variables, AsyncRetries: p.EventInvokeConfig.MaximumRetryAttempts,
		FailureQueue: s.failureQueue(m, p.EventInvokeConfig.DestinationConfig),
		role:         s.resource(m.node, p.Role, "Arn"), LogGroup: s.resource(m.node, p.LoggingConfig.LogGroup, ""),
	})
	if events := s.child(m.value, "Events"); events != m.value {
		for _, e := range s.members(events) {
			s.event(t, m.key, e)
		}
	}
}

// destination is where failures go.
type destination struct {
	OnFailure struct {
		Type        string
		Destination Value
	}
}

// failureQueue returns the logical ID of the queue in d, or "".
func (s *scope) failureQueue(m member, d destination) string {
	if kind := d.OnFailure.Type; kind != "" && kind != "SQS" {
		s.fault(m.node, "OnFailure.Type %s: the local stack supports only SQS", kind)
	}
	return s.resource(m.node, d.OnFailure.Destination, "Arn")
}

// role reads the statements of a role. Managed policies are not supported, because the
// template does not contain their permissions.
func (s *scope) role(m member) {
	var p struct {
		Policies []struct {
			PolicyDocument struct {
				Statement []struct {
					Effect           string
					Action, Resource list
					Condition        map[string]map[string]list
					Sid              any
				}
				Version any
			}
			PolicyName any
		}
		AssumeRolePolicyDocument, PermissionsBoundary any
	}
	s.read(m.value, &p)
	for i, policy := range p.Policies {
		for j, from := range policy.PolicyDocument.Statement {
			at := s.child(m.value, "Policies", strconv.Itoa(i), "PolicyDocument", "Statement", strconv.Itoa(j))
			if from.Effect != "Allow" {
				s.fault(at, "Effect %s: the local stack supports only Allow", from.Effect)
			}
			if len(from.Action) == 0 || len(from.Resource) == 0 {
				s.fault(at, "the statement has no action or no resource, which IAM refuses")
			}
			statement := Statement{Actions: from.Action.texts(), Resources: from.Resource}
			for _, operator := range slices.Sorted(maps.Keys(from.Condition)) {
				for _, key := range slices.Sorted(maps.Keys(from.Condition[operator])) {
					statement.Conditions = append(statement.Conditions,
						Condition{Operator: operator, Key: key, Values: from.Condition[operator][key].texts()})
				}
			}
			s.roles[m.key] = append(s.roles[m.key], statement)
		}
	}
}

// switches turn an event off.
type switches struct {
	Enabled *bool
	State   string
}

func (s switches) off() bool { return s.Enabled != nil && !*s.Enabled || s.State == "DISABLED" }

// pattern is an event pattern, in JSON or as a text with JSON.
type pattern json.RawMessage

// UnmarshalJSON implements json.Unmarshaler.
func (p *pattern) UnmarshalJSON(raw []byte) error {
	if jsontext.Value(raw).Kind() == '"' {
		var text string
		err := json.Unmarshal(raw, &text)
		*p = pattern(text)
		return err
	}
	*p = slices.Clone(raw)
	return nil
}

func (s *scope) event(t *Template, function string, m member) {
	kind := s.child(m.value, "Type").Value
	properties := s.child(m.value, "Properties")
	if properties == m.value {
		properties = &yaml.Node{Kind: yaml.MappingNode, Line: m.node.Line}
	}
	m.value = properties
	switch kind {
	case "HttpApi":
		s.route(t, function, m)
	case "SQS":
		s.queueMapping(t, function, m)
	case "DynamoDB":
		s.streamMapping(t, function, m)
	case "CloudWatchLogs":
		var p struct {
			LogGroupName  Value
			FilterPattern string
		}
		s.read(m.value, &p)
		t.LogSubscriptions = append(t.LogSubscriptions, LogSubscription{
			Name: m.key, Function: function, LogGroup: s.resource(m.node, p.LogGroupName, ""), Pattern: p.FilterPattern,
		})
	case "ScheduleV2":
		s.schedule(t, function, m)
	case "EventBridgeRule":
		p := struct {
			switches
			Pattern      pattern
			EventBusName string
			// Only for events that Lambda does not accept, which cannot happen here. Failures of
			// the function itself are up to its EventInvokeConfig.
			RetryPolicy, DeadLetterConfig any
		}{EventBusName: "default"}
		s.read(m.value, &p)
		if p.EventBusName != "default" {
			s.fault(s.child(m.value, "EventBusName"), "EventBusName %s: the local stack has only the default bus", p.EventBusName)
		}
		if !p.off() {
			t.Rules = append(t.Rules, Rule{Name: m.key, Function: function, Pattern: json.RawMessage(p.Pattern)})
		}
	default:
		s.fault(m.node, "%s: the local stack does not support events of type %s", m.key, kind)
	}
}

func (s *scope) route(t *Template, function string, m member) {
	p := struct {
		Method, Path, PayloadFormatVersion string
		ApiId                              any //nolint:revive // as SAM has it
	}{"ANY", "$default", "2.0", nil}
	s.read(m.value, &p)
	if p.PayloadFormatVersion != "2.0" {
		s.fault(s.child(m.value, "PayloadFormatVersion"), "PayloadFormatVersion %s: the local stack supports only 2.0", p.PayloadFormatVersion)
	}
	if p.Path == "$default" {
		p.Method = "ANY"
	} else if !strings.HasPrefix(p.Path, "/") {
		s.fault(m.node, "path %s does not start with a slash", p.Path)
	}
	if strings.Contains(p.Path, "+}/") {
		s.fault(m.node, "path %s: only the last segment may be greedy", p.Path)
	}
	t.Routes = append(t.Routes, Route{Method: strings.ToUpper(p.Method), Path: p.Path, Function: function})
}

func (s *scope) queueMapping(t *Template, function string, m member) {
	p := struct {
		switches
		Queue                 Value
		BatchSize             int
		ScalingConfig         struct{ MaximumConcurrency int }
		FunctionResponseTypes []string
		// It only adds delay; the local stack never waits to fill a batch.
		MaximumBatchingWindowInSeconds any
	}{BatchSize: 10}
	s.read(m.value, &p)
	if p.BatchSize < 1 || p.BatchSize > 10 {
		s.fault(s.child(m.value, "BatchSize"), "BatchSize: the local stack supports 1 to 10")
	}
	concurrency := p.ScalingConfig.MaximumConcurrency
	if concurrency == 1 || concurrency > 1000 {
		s.fault(m.node, "MaximumConcurrency must be 2 to 1000")
	}
	if p.Queue == "" {
		s.fault(m.node, "Queue is missing")
	}
	if !p.off() {
		t.QueueMappings = append(t.QueueMappings, QueueMapping{
			Function: function, Queue: s.resource(m.node, p.Queue, "Arn"), BatchSize: p.BatchSize,
			ReportsFailures: s.reportsFailures(m, p.FunctionResponseTypes), MaximumConcurrency: concurrency,
		})
	}
}

func (s *scope) streamMapping(t *Template, function string, m member) {
	p := struct {
		switches
		Stream                     Value
		StartingPosition           string
		BatchSize                  int
		BisectBatchOnFunctionError bool
		MaximumRetryAttempts       int
		FunctionResponseTypes      []string
		DestinationConfig          destination
		FilterCriteria             struct{ Filters []struct{ Pattern pattern } }
		// The local stack processes one batch of a shard at a time.
		ParallelizationFactor int
		// It only adds delay.
		MaximumBatchingWindowInSeconds any
	}{BatchSize: 100, MaximumRetryAttempts: -1, ParallelizationFactor: 1}
	s.read(m.value, &p)
	if position := p.StartingPosition; position != "TRIM_HORIZON" && position != "LATEST" {
		s.fault(s.child(m.value, "StartingPosition"), "StartingPosition is %s, but must be TRIM_HORIZON or LATEST", position)
	}
	mapping := StreamMapping{
		Function: function, Table: s.resource(m.node, p.Stream, "StreamArn"), Latest: p.StartingPosition == "LATEST",
		BatchSize: p.BatchSize, Parallelization: p.ParallelizationFactor, Bisect: p.BisectBatchOnFunctionError,
		ReportsFailures: s.reportsFailures(m, p.FunctionResponseTypes), MaximumRetries: p.MaximumRetryAttempts,
		FailureQueue: s.failureQueue(m, p.DestinationConfig),
	}
	for _, f := range p.FilterCriteria.Filters {
		mapping.Filters = append(mapping.Filters, json.RawMessage(f.Pattern))
	}
	if !p.off() {
		t.Streams = append(t.Streams, mapping)
	}
}

func (s *scope) reportsFailures(m member, types []string) bool {
	for _, kind := range types {
		if kind != "ReportBatchItemFailures" {
			s.fault(s.child(m.value, "FunctionResponseTypes"), "FunctionResponseTypes: %s is unknown", kind)
		}
	}
	return len(types) > 0
}

func (s *scope) schedule(t *Template, function string, m member) {
	var p struct {
		switches
		ScheduleExpression, Input string
		OmitName                  bool

		Description, RetryPolicy, DeadLetterConfig, PermissionsBoundary any
	}
	s.read(m.value, &p)
	if !p.OmitName {
		s.fault(m.node, "%s: without OmitName SAM gives the schedule the same name in every stack of the account", m.key)
	}
	every, err := ParseRate(p.ScheduleExpression)
	if err != nil {
		s.fault(s.child(m.value, "ScheduleExpression"), "%v", err)
	}
	if !p.off() {
		t.Schedules = append(t.Schedules, Schedule{Name: m.key, Function: function, Every: every, Input: p.Input})
	}
}

// ParseRate parses a schedule such as rate(5 minutes). The template has no cron
// expressions.
func ParseRate(text string) (time.Duration, error) {
	parts := regexp.MustCompile(`^rate\((\d+) (minute|hour|day)s?\)$`).FindStringSubmatch(text)
	if parts == nil {
		return 0, fmt.Errorf("schedule %s must be rate(<number> minutes, hours or days)", text)
	}
	n, err := strconv.Atoi(parts[1])
	if err != nil || n < 1 {
		return 0, fmt.Errorf("schedule %s must have a positive number", text)
	}
	unit := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}
	return time.Duration(n) * unit[parts[2]], nil
}
