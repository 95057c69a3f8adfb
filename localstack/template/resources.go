package template

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
)

// passive are types, or prefixes of types, without effect on a laptop: logs, alarms, permissions, addresses.
var passive = []string{
	"AWS::ApiGatewayV2::", "AWS::Backup::", "AWS::CloudWatch::", "AWS::KMS::", "AWS::Logs::", "AWS::Route53::", "AWS::SES::",
	"AWS::S3::", "AWS::SNS::", "AWS::SQS::QueuePolicy",
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// add adds a resource to t. Fields of type any have no effect locally. Faults that cfn-lint or a test of the deployed
// template finds are not checked again.
func (s *scope) add(t *Template, m member, globals *yaml.Node) {
	kind, m := s.typed(m)
	switch kind {
	case "AWS::Serverless::Function":
		s.function(t, m, globals)
	case "AWS::Serverless::HttpApi":
		var p struct {
			StageName string

			Description, AccessLogSettings, DefaultRouteSettings, RouteSettings, Domain any
			DisableExecuteApiEndpoint                                                   any //nolint:revive // as SAM has it
		}
		s.read(m.value, &p)
		if p.StageName != "" && p.StageName != "$default" {
			s.fault(s.child(m.value, "StageName"),
				"StageName is %s, but must be $default: other names appear in rawPath", p.StageName)
		}
	case "AWS::IAM::Role":
		s.role(m)
	case "AWS::DynamoDB::Table":
		s.table(t, m)
	case "AWS::SQS::Queue":
		s.queue(t, m)
	case "AWS::Logs::LogGroup":
		var p struct {
			LogGroupName string

			RetentionInDays any
		}
		s.read(m.value, &p)
		s.groups[m.key] = p.LogGroupName
	case "AWS::SecretsManager::Secret":
		s.secret(t, m)
	case "AWS::SES::ConfigurationSet":
		p := struct {
			Name string

			DeliveryOptions, ReputationOptions, SuppressionOptions any
		}{Name: m.key}
		s.read(m.value, &p)
		t.ConfigurationSets = append(t.ConfigurationSets, ConfigurationSet{ID: m.key, Name: p.Name})
	case "AWS::SES::ConfigurationSetEventDestination":
		s.later = append(s.later, func() { s.eventDestination(t, m) })
	case "AWS::SES::EmailIdentity":
		s.later = append(s.later, func() { s.emailIdentity(t, m) })
	default:
		if !slices.ContainsFunc(passive, func(p string) bool { return strings.HasPrefix(kind, p) }) {
			s.fault(m.node, "%s: the local stack does not support %s", m.key, kind)
		}
	}
}

// typed returns the type of a resource or event, and the member with its properties.
func (s *scope) typed(m member) (kind string, properties member) {
	kind, properties = s.child(m.value, "Type").Value, m
	if properties.value = s.child(m.value, "Properties"); properties.value == m.value {
		properties.value = &yaml.Node{Kind: yaml.MappingNode, Line: m.node.Line}
	}
	return kind, properties
}

// table reads a table. Most of its properties are those of the request that creates it.
func (s *scope) table(t *Template, m member) {
	var p struct {
		dynamodb.CreateTableInput

		TimeToLiveSpecification struct {
			AttributeName string
			Enabled       bool
		}
		SSESpecification, PointInTimeRecoverySpecification, DeletionProtectionEnabled any
	}
	s.read(m.value, &p)
	table := Table{ID: m.key, Definition: p.CreateTableInput}
	if stream := p.StreamSpecification; stream != nil {
		stream.StreamEnabled = new(true)
	}
	if p.TimeToLiveSpecification.Enabled {
		table.TTL = p.TimeToLiveSpecification.AttributeName
	}
	t.Tables = append(t.Tables, table)
}

func (s *scope) queue(t *Template, m member) {
	p := struct {
		VisibilityTimeout, MessageRetentionPeriod, DelaySeconds int
		RedrivePolicy                                           struct {
			DeadLetters Value `json:"deadLetterTargetArn"`
			MaxReceives int   `json:"maxReceiveCount"`
		}

		SqsManagedSseEnabled any
	}{VisibilityTimeout: 30, MessageRetentionPeriod: 4 * 24 * 60 * 60}
	s.read(m.value, &p)
	t.Queues = append(t.Queues, Queue{
		ID: m.key, VisibilityTimeout: seconds(p.VisibilityTimeout), Retention: seconds(p.MessageRetentionPeriod),
		DeadLetters: s.resource(m, "RedrivePolicy", p.RedrivePolicy.DeadLetters, ".Arn"),
		MaxReceives: p.RedrivePolicy.MaxReceives, Delay: seconds(p.DelaySeconds),
	})
}

func (s *scope) secret(t *Template, m member) {
	var p struct {
		GenerateSecretString struct {
			Generate
			ExcludePunctuation bool
		}
		Description, Tags, ReplicaRegions any
	}
	s.read(m.value, &p)
	if g := p.GenerateSecretString; !g.ExcludePunctuation || g.Length > MaxSecret {
		s.fault(m.node, "GenerateSecretString must have ExcludePunctuation, and a PasswordLength up to %d", MaxSecret)
	}
	t.Secrets = append(t.Secrets, Secret{ID: m.key, Generate: p.GenerateSecretString.Generate})
}

// namedSet returns the configuration set in a value, which is a reference or a name.
func (s *scope) namedSet(t *Template, m member, name Value) *ConfigurationSet {
	for i, set := range t.ConfigurationSets {
		if name == Value("${"+set.ID+"}") || string(name) == set.Name {
			return &t.ConfigurationSets[i]
		}
	}
	s.fault(s.child(m.value, "ConfigurationSetName"), "ConfigurationSetName must be a configuration set of this template")
	return &ConfigurationSet{}
}

func (s *scope) emailIdentity(t *Template, m member) {
	var p struct {
		EmailIdentity              string
		ConfigurationSetAttributes struct{ ConfigurationSetName Value }

		DkimSigningAttributes, MailFromAttributes, FeedbackAttributes any
	}
	s.read(m.value, &p)
	identity := EmailIdentity{ID: m.key, Name: p.EmailIdentity}
	if name := p.ConfigurationSetAttributes.ConfigurationSetName; name != "" {
		identity.ConfigurationSet = s.namedSet(t, m, name).Name
	}
	t.EmailIdentities = append(t.EmailIdentities, identity)
}

// eventTypes are SES's event types, as its API spells them.
const eventTypes = "SEND REJECT BOUNCE COMPLAINT DELIVERY OPEN CLICK RENDERING_FAILURE DELIVERY_DELAY SUBSCRIPTION"

func (s *scope) eventDestination(t *Template, m member) {
	var p struct {
		ConfigurationSetName Value
		EventDestination     struct {
			Enabled                bool
			MatchingEventTypes     []string
			EventBridgeDestination *struct{ EventBusArn string }
			// CloudWatch destinations are metrics, which are not read locally.
			Name, CloudWatchDestination any
		}
	}
	s.read(m.value, &p)
	set, d := s.namedSet(t, m, p.ConfigurationSetName), &p.EventDestination
	if !d.Enabled || d.EventBridgeDestination == nil {
		return
	}
	if arn := d.EventBridgeDestination.EventBusArn; !strings.HasSuffix(arn, ":event-bus/default") {
		s.fault(s.child(m.value, "EventDestination"), "EventBusArn %s: SES supports only the default bus", arn)
	}
	for _, name := range d.MatchingEventTypes {
		if !slices.Contains(strings.Fields(eventTypes), name) {
			s.fault(s.child(m.value, "EventDestination"), "MatchingEventTypes: %s is unknown", name)
		} else if !slices.Contains(set.Events, name) {
			set.Events = append(set.Events, name)
		}
	}
}

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
			LogGroup Value
		}
		Events any // read below, in order

		Architectures, AutoPublishAlias, AutoPublishAliasAllProperties, CodeUri           any //nolint:revive // as SAM has it
		DeploymentPreference, Description, FunctionName, Handler, Runtime, Tracing        any
		ProvisionedConcurrencyConfig, ReservedConcurrentExecutions, VersionDeletionPolicy any
		CodeSigningConfigArn, RecursiveLoop, VersionDescription                           any
	}
	p.Timeout, p.MemorySize, p.EventInvokeConfig.MaximumRetryAttempts = 3, 128, 2
	s.read(globals, &p)
	s.read(m.value, &p)
	if retries := p.EventInvokeConfig.MaximumRetryAttempts; retries < 0 || retries > 2 {
		s.fault(s.child(m.value, "EventInvokeConfig", "MaximumRetryAttempts"), "MaximumRetryAttempts must be 0 to 2")
	}
	onFailure := p.EventInvokeConfig.DestinationConfig.OnFailure
	t.Functions = append(t.Functions, Function{
		ID: m.key, Name: kebab(strings.TrimSuffix(m.key, "Function")), Timeout: seconds(p.Timeout), MemoryMB: p.MemorySize,
		Environment: p.Environment.Variables, AsyncRetries: p.EventInvokeConfig.MaximumRetryAttempts,
		FailureQueue: s.resource(m, "DestinationConfig", onFailure.Destination, ".Arn"),
		role:         s.resource(m, "Role", p.Role, ".Arn"),
		LogGroup:     s.resource(m, "LoggingConfig", p.LoggingConfig.LogGroup, ""),
	})
	if events := s.child(m.value, "Events"); events != m.value {
		for _, e := range s.members(events) {
			s.event(t, m.key, e)
		}
	}
}

// destination is the destination of failures.
type destination struct {
	OnFailure struct {
		Type        any
		Destination Value
	}
}

// role reads the statements of a role. It does not support managed policies, whose permissions are not in the
// template.
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
			statement := Statement{Actions: from.Action.texts(), Resources: from.Resource}
			for operator, keys := range from.Condition {
				for key, values := range keys {
					switch operator + " " + key {
					case "ForAllValues:StringEquals dynamodb:LeadingKeys", "ForAllValues:StringLike dynamodb:LeadingKeys":
						statement.LeadingKeys = values.texts()
					case "StringEquals kms:ViaService": // there is no KMS
					default:
						s.fault(at, "the local stack does not support the condition %s on %s", operator, key)
					}
				}
			}
			s.roles[m.key] = append(s.roles[m.key], statement)
		}
	}
}

// pattern is an event pattern, in JSON or as a text with JSON.
type pattern json.RawMessage

// UnmarshalJSON implements json.Unmarshaler.
func (p *pattern) UnmarshalJSON(raw []byte) error {
	text, err := jsontext.AppendUnquote(nil, raw)
	if *p = text; err != nil { // the value is not a text
		*p = slices.Clone(raw)
	}
	return nil
}

func (s *scope) event(t *Template, function string, m member) {
	kind, m := s.typed(m)
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
		if p.FilterPattern == "" {
			s.fault(m.node, "FilterPattern is missing")
		}
		t.LogSubscriptions = append(t.LogSubscriptions, LogSubscription{
			Name: m.key, Function: function, LogGroup: s.resource(m, "LogGroupName", p.LogGroupName, ""),
			Pattern: p.FilterPattern,
		})
	case "ScheduleV2":
		s.schedule(t, function, m)
	case "EventBridgeRule":
		var p struct {
			Pattern pattern
			// Only for events that Lambda does not accept, which cannot happen here. Failures of the function itself
			// follow its EventInvokeConfig.
			RetryPolicy, DeadLetterConfig any
		}
		s.read(m.value, &p)
		t.Rules = append(t.Rules, Rule{Name: m.key, Function: function, Pattern: json.RawMessage(p.Pattern)})
	default:
		s.fault(m.node, "%s: the local stack does not support events of type %s", m.key, kind)
	}
}

func (s *scope) route(t *Template, function string, m member) {
	p := struct {
		Method, Path string
		ApiId        any //nolint:revive // as SAM has it
	}{"ANY", "$default", nil}
	s.read(m.value, &p)
	if p.Path == "$default" {
		p.Method = "ANY"
	} else if !strings.HasPrefix(p.Path, "/") || strings.Contains(p.Path, "+}/") {
		s.fault(m.node, "path %s must start with a slash, and only its last segment may be greedy", p.Path)
	}
	t.Routes = append(t.Routes, Route{Method: strings.ToUpper(p.Method), Path: p.Path, Function: function})
}

func (s *scope) queueMapping(t *Template, function string, m member) {
	p := struct {
		Enabled               bool
		Queue                 Value
		BatchSize             int
		ScalingConfig         struct{ MaximumConcurrency int }
		FunctionResponseTypes []string
		// It only delays; the local stack never waits to fill a batch.
		MaximumBatchingWindowInSeconds any
	}{Enabled: true, BatchSize: 10}
	s.read(m.value, &p)
	if p.BatchSize < 1 || p.BatchSize > 10 {
		s.fault(s.child(m.value, "BatchSize"), "BatchSize: the local stack supports 1 to 10")
	}
	if p.Queue == "" {
		s.fault(m.node, "Queue is missing")
	}
	if p.Enabled {
		t.QueueMappings = append(t.QueueMappings, QueueMapping{
			Function: function, Queue: s.resource(m, "Queue", p.Queue, ".Arn"), BatchSize: p.BatchSize,
			ReportsFailures:    slices.Contains(p.FunctionResponseTypes, "ReportBatchItemFailures"),
			MaximumConcurrency: p.ScalingConfig.MaximumConcurrency,
		})
	}
}

func (s *scope) streamMapping(t *Template, function string, m member) {
	p := struct {
		StreamMapping
		Enabled               bool
		Stream                Value
		StartingPosition      string
		FunctionResponseTypes []string
		DestinationConfig     destination
		FilterCriteria        struct{ Filters []struct{ Pattern pattern } }
	}{StreamMapping: StreamMapping{BatchSize: 100, MaximumRetries: -1, Parallelization: 1}, Enabled: true}
	s.read(m.value, &p)
	if p.StartingPosition != "TRIM_HORIZON" {
		s.fault(s.child(m.value, "StartingPosition"), "StartingPosition: the local stack supports only TRIM_HORIZON")
	}
	mapping := p.StreamMapping
	mapping.Function, mapping.Table = function, s.resource(m, "Stream", p.Stream, ".StreamArn")
	mapping.ReportsFailures = slices.Contains(p.FunctionResponseTypes, "ReportBatchItemFailures")
	mapping.FailureQueue = s.resource(m, "DestinationConfig", p.DestinationConfig.OnFailure.Destination, ".Arn")
	for _, f := range p.FilterCriteria.Filters {
		mapping.Filters = append(mapping.Filters, json.RawMessage(f.Pattern))
	}
	if p.Enabled {
		t.Streams = append(t.Streams, mapping)
	}
}

func (s *scope) schedule(t *Template, function string, m member) {
	var p struct {
		ScheduleExpression, Input string
		OmitName                  bool

		Description, RetryPolicy, DeadLetterConfig, RoleArn any
	}
	s.read(m.value, &p)
	if !p.OmitName {
		s.fault(m.node, "%s: without OmitName SAM gives the schedule the same name in every stack of the account", m.key)
	}
	every, err := ParseRate(p.ScheduleExpression)
	if err != nil {
		s.fault(s.child(m.value, "ScheduleExpression"), "%v", err)
	}
	t.Schedules = append(t.Schedules, Schedule{Name: m.key, Function: function, Every: every, Input: p.Input})
}

// ParseRate parses a schedule such as rate(5 minutes). The template has no cron expressions.
func ParseRate(text string) (time.Duration, error) {
	parts := regexp.MustCompile(`^rate\(([1-9]\d{0,5}) (minute|hour|day)s?\)$`).FindStringSubmatch(text)
	if parts == nil {
		return 0, fmt.Errorf("schedule %s must be rate(<number> minutes, hours or days)", text)
	}
	n, _ := strconv.Atoi(parts[1])
	unit := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}
	return time.Duration(n) * unit[parts[2]], nil
}

// link connects resources and checks that references have the right kind. It also checks that roles allow Lambda's
// own calls: reading event sources and sending failures.
func (s *scope) link(t *Template) {
	for _, read := range s.later {
		read()
	}
	at := func(id string, format string, args ...any) { s.fault(s.resources[id], format, args...) }
	isQueue := func(owner, id, what string) {
		if _, ok := t.Queue(id); id != "" && !ok {
			at(owner, "%s %s %s, which is not a queue", owner, what, id)
		}
	}
	need := func(function, on string, actions ...string) {
		f, _ := t.Function(function)
		for _, action := range actions {
			if f.role != "" && !slices.ContainsFunc(f.Policies, func(p Statement) bool {
				return slices.Contains(p.Actions, action) && slices.Contains(p.Resources, Value(on))
			}) {
				at(function, "%s of %s does not allow Lambda %s on %s", f.role, function, action, on)
			}
		}
	}
	sendsFailures := func(function, queue string) {
		if isQueue(function, queue, "sends failures to"); queue != "" {
			need(function, "${"+queue+".Arn}", "sqs:SendMessage")
		}
	}
	for i := range t.Functions {
		f := &t.Functions[i]
		policies, ok := s.roles[f.role]
		if f.Policies = policies; f.role != "" && !ok {
			at(f.ID, "%s has the role %s, which is not a role", f.ID, f.role)
		}
		sendsFailures(f.ID, f.FailureQueue)
	}
	for i := range t.LogSubscriptions {
		l := &t.LogSubscriptions[i]
		name, ok := s.groups[l.LogGroup]
		if l.GroupName = name; !ok {
			at(l.Function, "%s reads the lines of %s, which is not a log group", l.Function, l.LogGroup)
		}
	}
	for _, m := range t.Streams {
		if table, _ := t.Table(m.Table); table.Definition.StreamSpecification == nil {
			at(m.Function, "%s reads the stream of %s, which has none", m.Function, m.Table)
		}
		need(m.Function, "${"+m.Table+".Arn}/stream/*",
			"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator")
		need(m.Function, "*", "dynamodb:ListStreams")
		sendsFailures(m.Function, m.FailureQueue)
	}
	for _, m := range t.QueueMappings {
		isQueue(m.Function, m.Queue, "reads")
		need(m.Function, "${"+m.Queue+".Arn}", "sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes")
	}
	for _, q := range t.Queues {
		isQueue(q.ID, q.DeadLetters, "sends its dead letters to")
	}
}
