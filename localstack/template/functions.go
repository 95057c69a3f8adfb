package template

import (
	"encoding/json"
	"strings"
	"time"
)

func (s *scope) function(t *Template, id string, properties, globals item) {
	known := []string{"Timeout", "MemorySize", "Environment", "Events", "EventInvokeConfig", "Policies",
		// Of no consequence for a local run.
		"Architectures", "AutoPublishAlias", "CodeUri", "DeploymentPreference", "Description",
		"EphemeralStorage", "FunctionName", "Handler", "LoggingConfig", "PermissionsBoundary",
		"PropagateTags", "ProvisionedConcurrencyConfig", "RecursiveLoop",
		"ReservedConcurrentExecutions", "Role", "RolePath", "Runtime", "RuntimeManagementConfig",
		"SnapStart", "Tags", "Tracing", "VersionDescription"}
	own, shared := properties.object(known...), globals.object(known...)
	pick := func(key string) object {
		if own.has(key) {
			return own
		}
		return shared
	}
	f := Function{
		ID:          id,
		Name:        kebab(strings.TrimSuffix(id, "Function")),
		Timeout:     pick("Timeout").seconds("Timeout", 3*time.Second),
		MemoryMB:    pick("MemorySize").int("MemorySize", 128),
		Environment: map[string]Value{},
	}
	for _, o := range []object{shared, own} {
		for _, v := range o.get("Environment").object("Variables").get("Variables").entries() {
			f.Environment[v.key] = v.item.value()
		}
	}
	s.eventInvokeConfig(&f, pick("EventInvokeConfig").get("EventInvokeConfig"))
	f.Policies = s.policies(own.get("Policies"))
	t.Functions = append(t.Functions, f)
	for _, e := range own.get("Events").entries() {
		s.event(t, id, e)
	}
}

func (s *scope) eventInvokeConfig(f *Function, properties item) {
	// The local stack keeps no event for as long as MaximumEventAgeInSeconds.
	o := properties.object("MaximumRetryAttempts", "MaximumEventAgeInSeconds", "DestinationConfig")
	f.AsyncRetries = o.int("MaximumRetryAttempts", 2)
	if f.AsyncRetries < 0 || f.AsyncRetries > 2 {
		s.fault(o.where(), "MaximumRetryAttempts: want 0 to 2")
	}
	f.FailureQueue = s.failureQueue(o)
}

func (s *scope) event(t *Template, function string, e entry) {
	o := e.item.object("Type", "Properties")
	properties := o.get("Properties")
	switch kind := o.want("Type"); kind {
	case "HttpApi":
		t.Routes = append(t.Routes, s.route(function, properties))
	case "SQS":
		if m, enabled := s.queueMapping(function, properties); enabled {
			t.QueueMappings = append(t.QueueMappings, m)
		}
	case "DynamoDB":
		if m, enabled := s.streamMapping(function, properties); enabled {
			t.Streams = append(t.Streams, m)
		}
	case "Schedule", "ScheduleV2":
		if m, enabled := s.schedule(function, e.key, properties); enabled {
			m.Scheduler = kind == "ScheduleV2"
			t.Schedules = append(t.Schedules, m)
		}
	case "EventBridgeRule", "CloudWatchEvent":
		if r, enabled := s.rule(function, e.key, properties); enabled {
			t.Rules = append(t.Rules, r)
		}
	default:
		s.fault(e.item.where(), "%s: the local stack has no events of type %s", e.key, kind)
	}
}

func (s *scope) route(function string, properties item) Route {
	o := properties.object("ApiId", "Method", "Path", "PayloadFormatVersion", "RouteSettings")
	if version := o.text("PayloadFormatVersion", "2.0"); version != "2.0" {
		s.fault(o.where(), "PayloadFormatVersion %s: the local stack speaks 2.0", version)
	}
	r := Route{Method: strings.ToUpper(o.text("Method", "ANY")), Path: o.text("Path", "$default"), Function: function}
	switch {
	case r.Path == "$default":
		r.Method = "ANY"
	case !strings.HasPrefix(r.Path, "/"):
		s.fault(o.get("Path").where(), "path %s does not start with a slash", r.Path)
	}
	segments := strings.Split(r.Path, "/")
	for i, segment := range segments {
		if strings.HasSuffix(segment, "+}") && i < len(segments)-1 {
			s.fault(o.get("Path").where(), "path %s: only the last segment may be greedy", r.Path)
		}
	}
	return r
}

func (s *scope) queueMapping(function string, properties item) (QueueMapping, bool) {
	// A batching window only delays; the local stack never waits to fill a batch.
	o := properties.object("Queue", "BatchSize", "MaximumBatchingWindowInSeconds", "FunctionResponseTypes",
		"ScalingConfig", "Enabled")
	m := QueueMapping{
		Function:           function,
		Queue:              o.resource("Queue", "Arn"),
		BatchSize:          o.int("BatchSize", 10),
		ReportsFailures:    s.reportsFailures(o),
		MaximumConcurrency: o.get("ScalingConfig").object("MaximumConcurrency").int("MaximumConcurrency", 0),
	}
	if m.BatchSize < 1 || m.BatchSize > 10 {
		s.fault(o.get("BatchSize").where(), "BatchSize: the local stack gives 1 to 10 messages")
	}
	if m.MaximumConcurrency == 1 || m.MaximumConcurrency > 1000 {
		s.fault(o.get("ScalingConfig").where(), "MaximumConcurrency: want 2 to 1000")
	}
	return m, o.bool("Enabled", true)
}

func (s *scope) streamMapping(function string, properties item) (StreamMapping, bool) {
	// A batching window only delays, and a ParallelizationFactor only hastens: the
	// local stack works one batch of a shard at a time.
	o := properties.object("Stream", "StartingPosition", "BatchSize", "MaximumBatchingWindowInSeconds",
		"ParallelizationFactor", "BisectBatchOnFunctionError", "MaximumRetryAttempts", "FunctionResponseTypes", "DestinationConfig",
		"FilterCriteria", "Enabled")
	m := StreamMapping{
		Function:        function,
		Table:           o.resource("Stream", "StreamArn"),
		BatchSize:       o.int("BatchSize", 100),
		Bisect:          o.bool("BisectBatchOnFunctionError", false),
		ReportsFailures: s.reportsFailures(o),
		MaximumRetries:  o.int("MaximumRetryAttempts", -1),
		Filters:         s.filters(o),
	}
	switch position := o.want("StartingPosition"); position {
	case "TRIM_HORIZON":
	case "LATEST":
		m.Latest = true
	default:
		s.fault(o.get("StartingPosition").where(), "StartingPosition %s: want TRIM_HORIZON or LATEST", position)
	}
	m.FailureQueue = s.failureQueue(o)
	return m, o.bool("Enabled", true)
}

// failureQueue is the logical id of the queue in DestinationConfig, empty without
// one.
func (s *scope) failureQueue(o object) string {
	if !o.has("DestinationConfig") {
		return ""
	}
	d := o.get("DestinationConfig").object("OnFailure").get("OnFailure").object("Type", "Destination")
	if kind := d.text("Type", "SQS"); kind != "SQS" {
		s.fault(d.where(), "OnFailure.Type %s: the local stack has SQS", kind)
	}
	return d.resource("Destination", "Arn")
}

func (s *scope) reportsFailures(o object) bool {
	reports := false
	for _, kind := range o.get("FunctionResponseTypes").texts() {
		if kind != "ReportBatchItemFailures" {
			s.fault(o.get("FunctionResponseTypes").where(), "FunctionResponseTypes: %s is unknown", kind)
		}
		reports = true
	}
	return reports
}

func (s *scope) filters(o object) []json.RawMessage {
	var out []json.RawMessage
	for _, f := range o.get("FilterCriteria").object("Filters").get("Filters").list() {
		out = append(out, f.object("Pattern").json("Pattern"))
	}
	return out
}

func (s *scope) schedule(function, name string, properties item) (Schedule, bool) {
	o := properties.object("Schedule", "ScheduleExpression", "ScheduleExpressionTimezone", "Input", "Enabled",
		"State", "Name", "Description", "RetryPolicy", "DeadLetterConfig", "FlexibleTimeWindow", "OmitName")
	member := "ScheduleExpression"
	if o.has("Schedule") {
		member = "Schedule"
	}
	expression, err := ParseExpression(o.want(member), o.text("ScheduleExpressionTimezone", "UTC"))
	if err != nil {
		s.fault(o.get(member).where(), "%v", err)
	}
	return Schedule{Name: name, Function: function, Expression: expression, Input: o.text("Input", "")},
		o.bool("Enabled", true) && o.text("State", "ENABLED") != "DISABLED"
}

func (s *scope) rule(function, name string, properties item) (Rule, bool) {
	// RetryPolicy and DeadLetterConfig are for events that Lambda does not take,
	// which cannot be here; what a function fails at is in its EventInvokeConfig.
	o := properties.object("Pattern", "EventBusName", "State", "Enabled", "RetryPolicy", "DeadLetterConfig",
		"Target", "RuleName")
	if bus := o.text("EventBusName", "default"); bus != "default" {
		s.fault(o.get("EventBusName").where(), "EventBusName %s: the local stack has the default bus only", bus)
	}
	return Rule{Name: name, Function: function, Pattern: o.json("Pattern")},
		o.bool("Enabled", true) && o.text("State", "ENABLED") != "DISABLED"
}
