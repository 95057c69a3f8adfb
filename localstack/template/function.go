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

	"go.yaml.in/yaml/v3"
)

func (s *scope) function(t *Template, id string, globals, properties, around *yaml.Node) {
	p := struct {
		Timeout           time.Duration
		MemorySize        int
		Environment       struct{ Variables map[string]Value }
		EventInvokeConfig struct {
			MaximumRetryAttempts int
			DestinationConfig    *destination
			// The local stack never keeps an event that long.
			_ ignored `cfn:"MaximumEventAgeInSeconds"`
		}
		Role          string `attribute:"Arn"`
		LoggingConfig struct {
			LogGroup string  `attribute:"Ref"`
			_        ignored `cfn:"LogFormat,ApplicationLogLevel,SystemLogLevel"`
		}
		Events *yaml.Node
		_      ignored `cfn:"Architectures,AutoPublishAlias,AutoPublishAliasAllProperties,CodeUri"`
		_      ignored `cfn:"DeploymentPreference,Description,EphemeralStorage"`
		_      ignored `cfn:"FunctionName,Handler,PropagateTags,RecursiveLoop"`
		_      ignored `cfn:"ProvisionedConcurrencyConfig,ReservedConcurrentExecutions,Runtime,SnapStart"`
		_      ignored `cfn:"RuntimeManagementConfig,Tags,Tracing,VersionDeletionPolicy,VersionDescription"`
	}{Timeout: 3 * time.Second, MemorySize: 128}
	p.Environment.Variables = map[string]Value{}
	p.EventInvokeConfig.MaximumRetryAttempts = 2
	s.read(globals, around, &p)
	s.read(properties, around, &p)
	if retries := &p.EventInvokeConfig.MaximumRetryAttempts; *retries < 0 || *retries > 2 {
		s.fault(s.place(retries, around), "MaximumRetryAttempts must be 0 to 2")
	}
	t.Functions = append(t.Functions, Function{
		ID: id, Name: kebab(strings.TrimSuffix(id, "Function")), Timeout: p.Timeout, MemoryMB: p.MemorySize,
		Environment: p.Environment.Variables, AsyncRetries: p.EventInvokeConfig.MaximumRetryAttempts,
		FailureQueue: s.failureQueue(p.EventInvokeConfig.DestinationConfig), role: p.Role, LogGroup: p.LoggingConfig.LogGroup,
	})
	for _, e := range s.members(p.Events) {
		s.event(t, id, e)
	}
}

// destination is where failures go.
type destination struct {
	OnFailure struct {
		Type        string
		Destination string `attribute:"Arn" required:"true"`
	}
}

// failureQueue returns the logical ID of the queue in d, or "".
func (s *scope) failureQueue(d *destination) string {
	if d == nil {
		return ""
	}
	if kind := &d.OnFailure.Type; *kind != "" && *kind != "SQS" {
		s.fault(s.places[kind], "OnFailure.Type %s: the local stack supports only SQS", *kind)
	}
	return d.OnFailure.Destination
}

// role returns the statements of a role. Managed policies are not supported, because the
// template does not contain their permissions.
func (s *scope) role(properties, around *yaml.Node) []Statement {
	p := struct {
		Policies []struct {
			PolicyDocument policy
			_              ignored `cfn:"PolicyName"`
		}
		_ ignored `cfn:"AssumeRolePolicyDocument,Description,Path,PermissionsBoundary,RoleName,Tags"`
	}{}
	s.read(properties, around, &p)
	var all []Statement
	for i := range p.Policies {
		all = append(all, s.statements(&p.Policies[i].PolicyDocument)...)
	}
	return all
}

// policy is the document of a role's policy.
type policy struct {
	Statement []struct {
		Effect    string `required:"true"`
		Action    []string
		Resource  []Value
		Condition map[string]map[string][]string
		_         ignored `cfn:"Sid"`
	}
	_ ignored `cfn:"Version"`
}

func (s *scope) statements(p *policy) []Statement {
	var all []Statement
	for i := range p.Statement {
		from := &p.Statement[i]
		if from.Effect != "Allow" {
			s.fault(s.places[from], "Effect %s: the local stack supports only Allow", from.Effect)
		}
		if len(from.Action) == 0 || len(from.Resource) == 0 {
			s.fault(s.places[from], "the statement has no action or no resource, which IAM refuses")
		}
		statement := Statement{Actions: from.Action, Resources: from.Resource}
		for _, operator := range slices.Sorted(maps.Keys(from.Condition)) {
			for _, key := range slices.Sorted(maps.Keys(from.Condition[operator])) {
				statement.Conditions = append(statement.Conditions,
					Condition{Operator: operator, Key: key, Values: from.Condition[operator][key]})
			}
		}
		all = append(all, statement)
	}
	return all
}

// switches turn an event off.
type switches struct {
	Enabled *bool
	State   string
}

func (s switches) off() bool { return s.Enabled != nil && !*s.Enabled || s.State == "DISABLED" }

func (s *scope) event(t *Template, function string, m member) {
	e := struct {
		Type       string `required:"true"`
		Properties *yaml.Node
	}{}
	s.read(m.value, m.value, &e)
	switch e.Type {
	case "HttpApi":
		s.route(t, function, e.Properties, m.value)
	case "SQS":
		s.queueMapping(t, function, e.Properties, m.value)
	case "DynamoDB":
		s.streamMapping(t, function, e.Properties, m.value)
	case "CloudWatchLogs":
		s.logSubscription(t, function, m, e.Properties)
	case "ScheduleV2":
		s.schedule(t, function, m, e.Properties)
	case "EventBridgeRule":
		s.rule(t, function, m, e.Properties)
	default:
		s.fault(m.value, "%s: the local stack does not support events of type %s", m.key, e.Type)
	}
}

func (s *scope) route(t *Template, function string, properties, around *yaml.Node) {
	p := struct {
		Method, Path, PayloadFormatVersion string
		_                                  ignored `cfn:"ApiId,RouteSettings"`
	}{"ANY", "$default", "2.0", ignored{}}
	s.read(properties, around, &p)
	if p.PayloadFormatVersion != "2.0" {
		s.fault(around, "PayloadFormatVersion %s: the local stack supports only 2.0", p.PayloadFormatVersion)
	}
	if p.Path == "$default" {
		p.Method = "ANY"
	} else if !strings.HasPrefix(p.Path, "/") {
		s.fault(s.places[&p.Path], "path %s does not start with a slash", p.Path)
	}
	if strings.Contains(p.Path, "+}/") {
		s.fault(s.places[&p.Path], "path %s: only the last segment may be greedy", p.Path)
	}
	t.Routes = append(t.Routes, Route{Method: strings.ToUpper(p.Method), Path: p.Path, Function: function})
}

func (s *scope) queueMapping(t *Template, function string, properties, around *yaml.Node) {
	p := struct {
		switches
		Queue                 string `attribute:"Arn" required:"true"`
		BatchSize             int
		ScalingConfig         struct{ MaximumConcurrency int }
		FunctionResponseTypes []string
		// It only adds delay; the local stack never waits to fill a batch.
		_ ignored `cfn:"MaximumBatchingWindowInSeconds"`
	}{BatchSize: 10}
	s.read(properties, around, &p)
	if p.BatchSize < 1 || p.BatchSize > 10 {
		s.fault(s.places[&p.BatchSize], "BatchSize: the local stack supports 1 to 10")
	}
	concurrency := &p.ScalingConfig.MaximumConcurrency
	if *concurrency == 1 || *concurrency > 1000 {
		s.fault(s.places[concurrency], "MaximumConcurrency must be 2 to 1000")
	}
	m := QueueMapping{
		Function: function, Queue: p.Queue, BatchSize: p.BatchSize,
		ReportsFailures: s.reportsFailures(p.FunctionResponseTypes, around), MaximumConcurrency: *concurrency,
	}
	if !p.off() {
		t.QueueMappings = append(t.QueueMappings, m)
	}
}

func (s *scope) streamMapping(t *Template, function string, properties, around *yaml.Node) {
	p := struct {
		switches
		Stream                     string `attribute:"StreamArn" required:"true"`
		StartingPosition           string `required:"true"`
		BatchSize                  int
		BisectBatchOnFunctionError bool
		MaximumRetryAttempts       int
		FunctionResponseTypes      []string
		DestinationConfig          *destination
		FilterCriteria             struct {
			Filters []struct {
				Pattern json.RawMessage `required:"true"`
			}
		}
		// The local stack processes one batch of a shard at a time.
		ParallelizationFactor int
		// It only adds delay.
		_ ignored `cfn:"MaximumBatchingWindowInSeconds"`
	}{BatchSize: 100, MaximumRetryAttempts: -1, ParallelizationFactor: 1}
	s.read(properties, around, &p)
	if position := p.StartingPosition; position != "TRIM_HORIZON" && position != "LATEST" {
		s.fault(s.place(&p.StartingPosition, around),
			"StartingPosition is %s, but must be TRIM_HORIZON or LATEST", position)
	}
	m := StreamMapping{
		Function: function, Table: p.Stream, Latest: p.StartingPosition == "LATEST", BatchSize: p.BatchSize,
		Parallelization: p.ParallelizationFactor,
		Bisect:          p.BisectBatchOnFunctionError, ReportsFailures: s.reportsFailures(p.FunctionResponseTypes, around),
		MaximumRetries: p.MaximumRetryAttempts, FailureQueue: s.failureQueue(p.DestinationConfig),
	}
	for _, f := range p.FilterCriteria.Filters {
		m.Filters = append(m.Filters, f.Pattern)
	}
	if !p.off() {
		t.Streams = append(t.Streams, m)
	}
}

func (s *scope) logSubscription(t *Template, function string, m member, properties *yaml.Node) {
	p := struct {
		LogGroupName  string `attribute:"Ref" required:"true"`
		FilterPattern string `required:"true"`
	}{}
	s.read(properties, m.value, &p)
	t.LogSubscriptions = append(t.LogSubscriptions, LogSubscription{
		Name: m.key, Function: function, LogGroup: p.LogGroupName, Pattern: p.FilterPattern,
	})
}

func (s *scope) reportsFailures(types []string, around *yaml.Node) bool {
	for _, kind := range types {
		if kind != "ReportBatchItemFailures" {
			s.fault(around, "FunctionResponseTypes: %s is unknown", kind)
		}
	}
	return len(types) > 0
}

func (s *scope) schedule(t *Template, function string, m member, properties *yaml.Node) {
	p := struct {
		switches
		ScheduleExpression string `required:"true"`
		Input              string
		OmitName           bool
		_                  ignored `cfn:"ScheduleExpressionTimezone,Name,Description,RetryPolicy,DeadLetterConfig"`
		_                  ignored `cfn:"FlexibleTimeWindow,PermissionsBoundary"`
	}{}
	s.read(properties, m.value, &p)
	if !p.OmitName {
		s.fault(m.value, "%s: without OmitName SAM gives the schedule the same name in every stack of the account", m.key)
	}
	every, err := ParseRate(p.ScheduleExpression)
	if err != nil {
		s.fault(s.place(&p.ScheduleExpression, m.value), "%v", err)
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

func (s *scope) rule(t *Template, function string, m member, properties *yaml.Node) {
	p := struct {
		switches
		Pattern      json.RawMessage `required:"true"`
		EventBusName string
		// Only for events that Lambda does not accept, which cannot happen here. Failures of
		// the function itself are up to its EventInvokeConfig.
		_ ignored `cfn:"RetryPolicy,DeadLetterConfig,Target,RuleName"`
	}{EventBusName: "default"}
	s.read(properties, m.value, &p)
	if p.EventBusName != "default" {
		s.fault(s.places[&p.EventBusName], "EventBusName %s: the local stack has only the default bus", p.EventBusName)
	}
	if !p.off() {
		t.Rules = append(t.Rules, Rule{Name: m.key, Function: function, Pattern: p.Pattern})
	}
}
