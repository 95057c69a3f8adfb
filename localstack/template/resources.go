package template

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// passive are types, or prefixes of types, that make no difference on a laptop: logs,
// alarms, permissions, addresses.
var passive = []string{
	"AWS::ApiGatewayV2::", "AWS::ApplicationInsights::", "AWS::Backup::", "AWS::Budgets::", "AWS::CertificateManager::",
	"AWS::CloudFormation::", "AWS::CloudWatch::", "AWS::KMS::", "AWS::Lambda::Permission",
	"AWS::Logs::", "AWS::Route53::", "AWS::SES::", "AWS::SNS::", "AWS::SQS::QueuePolicy", "AWS::SSM::Parameter",
	"AWS::WAFv2::",
}

// resource is a resource of a template.
type resource struct {
	Type       string
	Properties *yaml.Node
	_          ignored `cfn:"Condition,Metadata,DependsOn,DeletionPolicy,UpdateReplacePolicy,UpdatePolicy,CreationPolicy"`
}

// build reads every resource that exists into t.
func (s *scope) build(t *Template, root root) {
	// Resources that refer to a configuration set are read after it.
	var later []func()
	roles, groups := map[string][]Statement{}, map[string]string{}
	for _, m := range s.members(root.Resources) {
		if s.absent[m.key] {
			continue
		}
		var r resource
		s.read(m.value, m.value, &r)
		switch r.Type {
		case "AWS::Serverless::Function":
			s.function(t, m.key, root.Globals.Function, r.Properties, m.value)
		case "AWS::Serverless::HttpApi":
			s.httpAPI(r.Properties, m.value)
		case "AWS::IAM::Role":
			roles[m.key] = s.role(r.Properties, m.value)
		case "AWS::DynamoDB::Table":
			t.Tables = append(t.Tables, s.table(m, r.Properties))
		case "AWS::SQS::Queue":
			t.Queues = append(t.Queues, s.queue(m, r.Properties))
		case "AWS::Logs::LogGroup":
			groups[m.key] = s.logGroup(r.Properties, m.value)
		case "AWS::SecretsManager::Secret":
			t.Secrets = append(t.Secrets, s.secret(m, r.Properties))
		case "AWS::SES::ConfigurationSet":
			t.ConfigurationSets = append(t.ConfigurationSets, s.configurationSet(m, r.Properties))
		case "AWS::SES::ConfigurationSetEventDestination":
			later = append(later, func() { s.eventDestination(t, r.Properties, m.value) })
		case "AWS::SES::EmailIdentity":
			later = append(later, func() { s.emailIdentity(t, m, r.Properties) })
		default:
			if !slices.ContainsFunc(passive, func(p string) bool { return strings.HasPrefix(r.Type, p) }) {
				s.fault(m.value, "%s: the local stack does not support %s", m.key, r.Type)
			}
		}
	}
	for _, read := range later {
		read()
	}
	for i := range t.Functions {
		f := &t.Functions[i]
		f.Policies = roles[f.role]
		if _, ok := roles[f.role]; f.role != "" && !ok {
			s.fault(s.resources[f.ID], "%s has the role %s, which is not a role", f.ID, f.role)
		}
	}
	for i := range t.LogSubscriptions {
		t.LogSubscriptions[i].GroupName = groups[t.LogSubscriptions[i].LogGroup]
	}
	s.check(t)
}

// check checks that mappings refer to resources of the right kind.
func (s *scope) check(t *Template) {
	isQueue := func(owner, id, what string) {
		if _, ok := t.Queue(id); id != "" && !ok {
			s.fault(s.resources[owner], "%s %s %s, which is not a queue", owner, what, id)
		}
	}
	for _, m := range t.Streams {
		if table, ok := t.Table(m.Table); !ok {
			s.fault(s.resources[m.Function], "%s reads the stream of %s, which is not a table", m.Function, m.Table)
		} else if table.Stream == "" {
			s.fault(s.resources[m.Function], "%s reads the stream of %s, which has none", m.Function, m.Table)
		}
		isQueue(m.Function, m.FailureQueue, "sends failures to")
	}
	for _, f := range t.Functions {
		isQueue(f.ID, f.FailureQueue, "sends failures to")
	}
	for _, m := range t.QueueMappings {
		isQueue(m.Function, m.Queue, "reads")
		queue, ok := t.Queue(m.Queue)
		if function, _ := t.Function(m.Function); ok && queue.VisibilityTimeout < function.Timeout {
			s.fault(s.resources[m.Function], "%s may take longer than the visibility timeout of %s, which AWS rejects",
				m.Function, m.Queue)
		}
	}
	for _, l := range t.LogSubscriptions {
		if l.GroupName == "" {
			s.fault(s.resources[l.Function], "%s reads the lines of %s, which is not a log group", l.Function, l.LogGroup)
		}
	}
	for _, q := range t.Queues {
		isQueue(q.ID, q.DeadLetters, "sends its dead letters to")
	}
	s.checkRights(t)
}

// checkRights checks that roles allow what Lambda does with them: read event sources and
// send failures.
func (s *scope) checkRights(t *Template) {
	need := func(function string, on Value, actions ...string) {
		f, _ := t.Function(function)
		for _, action := range actions {
			if f.role != "" && !slices.ContainsFunc(f.Policies, func(p Statement) bool {
				return slices.Contains(p.Actions, action) &&
					slices.ContainsFunc(p.Resources, func(v Value) bool { return slices.Equal(v, on) })
			}) {
				s.fault(s.resources[function], "%s of %s does not allow Lambda %s on %s", f.role, function, action,
					cmp.Or(on[0].Resource, on[0].Text))
			}
		}
	}
	arn := func(id string) Value { return Value{{Resource: id, Attribute: "Arn"}} }
	for _, m := range t.QueueMappings {
		need(m.Function, arn(m.Queue), "sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes")
	}
	for _, m := range t.Streams {
		need(m.Function, append(arn(m.Table), Part{Text: "/stream/*"}),
			"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator")
		need(m.Function, Value{{Text: "*"}}, "dynamodb:ListStreams")
		if m.FailureQueue != "" {
			need(m.Function, arn(m.FailureQueue), "sqs:SendMessage")
		}
	}
	for _, f := range t.Functions {
		if f.FailureQueue != "" {
			need(f.ID, arn(f.FailureQueue), "sqs:SendMessage")
		}
	}
}

func (s *scope) httpAPI(properties, around *yaml.Node) {
	p := struct {
		StageName string
		_         ignored `cfn:"Description,Name,DefaultRouteSettings,RouteSettings,AccessLogSettings,Tags,Domain"`
		_         ignored `cfn:"DisableExecuteApiEndpoint,FailOnWarnings"`
	}{StageName: "$default"}
	s.read(properties, around, &p)
	if p.StageName != "$default" {
		s.fault(around, "StageName is %s, but must be $default: other names appear in rawPath", p.StageName)
	}
}

// keyPart is an element of a KeySchema.
type keyPart struct {
	AttributeName string `required:"true"`
	KeyType       string `required:"true"`
}

// index is a secondary index of a table.
type index struct {
	IndexName  string `required:"true"`
	KeySchema  []keyPart
	Projection struct {
		ProjectionType   string
		NonKeyAttributes []string
	}
	_ ignored `cfn:"OnDemandThroughput,ProvisionedThroughput,WarmThroughput,ContributorInsightsSpecification"`
}

func (s *scope) table(m member, properties *yaml.Node) Table {
	p := struct {
		AttributeDefinitions []struct {
			AttributeName string `required:"true"`
			AttributeType string `required:"true"`
		}
		KeySchema               []keyPart
		LocalSecondaryIndexes   []index
		GlobalSecondaryIndexes  []index
		StreamSpecification     *streamSpecification
		TimeToLiveSpecification struct {
			AttributeName string
			Enabled       bool
		}
		_              ignored `cfn:"BillingMode,SSESpecification,PointInTimeRecoverySpecification,DeletionProtectionEnabled,Tags"`
		WarmThroughput Throughput
		_              ignored `cfn:"TableClass,OnDemandThroughput,ProvisionedThroughput,ResourcePolicy"`
		_              ignored `cfn:"ContributorInsightsSpecification"`
	}{}
	s.read(properties, m.value, &p)
	t := Table{ID: m.key, Attributes: map[string]string{}, Warm: p.WarmThroughput}
	for _, a := range p.AttributeDefinitions {
		t.Attributes[a.AttributeName] = a.AttributeType
	}
	used := map[string]bool{}
	t.Key = s.key(p.KeySchema, t.Attributes, used, m.value)
	t.LocalIndexes = s.indexes(p.LocalSecondaryIndexes, t.Attributes, used)
	t.GlobalIndexes = s.indexes(p.GlobalSecondaryIndexes, t.Attributes, used)
	for name := range t.Attributes {
		if !used[name] {
			s.fault(m.value, "%s: attribute %s is defined but not in any key, which AWS rejects", m.key, name)
		}
	}
	if p.StreamSpecification != nil {
		t.Stream = p.StreamSpecification.StreamViewType
	}
	if ttl := p.TimeToLiveSpecification; ttl.Enabled {
		t.TTL = ttl.AttributeName
	}
	return t
}

type streamSpecification struct {
	StreamViewType string  `required:"true"`
	_              ignored `cfn:"ResourcePolicy"`
}

func (s *scope) key(parts []keyPart, attributes map[string]string, used map[string]bool, around *yaml.Node) (k Key) {
	for i := range parts {
		name, place := parts[i].AttributeName, s.places[&parts[i]]
		if attributes[name] == "" {
			s.fault(place, "key attribute %s is not in AttributeDefinitions", name)
		}
		used[name] = true
		switch kind := parts[i].KeyType; kind {
		case "HASH":
			k.Hash = name
		case "RANGE":
			k.Range = name
		default:
			s.fault(place, "KeyType is %s, but must be HASH or RANGE", kind)
		}
	}
	if k.Hash == "" {
		s.fault(around, "KeySchema has no HASH")
	}
	return k
}

func (s *scope) indexes(list []index, attributes map[string]string, used map[string]bool) []Index {
	var out []Index
	for i := range list {
		from := &list[i]
		out = append(out, Index{
			Name: from.IndexName, Key: s.key(from.KeySchema, attributes, used, s.places[from]),
			Projection: cmp.Or(from.Projection.ProjectionType, "ALL"), NonKey: from.Projection.NonKeyAttributes,
		})
	}
	return out
}

// logGroup returns the group's name.
func (s *scope) logGroup(properties, around *yaml.Node) string {
	p := struct {
		LogGroupName string  `required:"true"`
		_            ignored `cfn:"DataProtectionPolicy,KmsKeyId,LogGroupClass,RetentionInDays,Tags"`
	}{}
	s.read(properties, around, &p)
	return p.LogGroupName
}

func (s *scope) queue(m member, properties *yaml.Node) Queue {
	p := struct {
		Delay             time.Duration `cfn:"DelaySeconds"`
		VisibilityTimeout time.Duration
		Retention         time.Duration `cfn:"MessageRetentionPeriod"`
		ReceiveWait       time.Duration `cfn:"ReceiveMessageWaitTimeSeconds"`
		RedrivePolicy     struct {
			Queue    string `cfn:"deadLetterTargetArn" attribute:"Arn"`
			Receives int    `cfn:"maxReceiveCount"`
		}
		_ ignored `cfn:"MaximumMessageSize,SqsManagedSseEnabled,KmsMasterKeyId,KmsDataKeyReusePeriodSeconds"`
		_ ignored `cfn:"RedriveAllowPolicy,Tags"`
	}{VisibilityTimeout: 30 * time.Second, Retention: 4 * 24 * time.Hour}
	s.read(properties, m.value, &p)
	if p.Delay > 15*time.Minute {
		s.fault(s.places[&p.Delay], "DelaySeconds must be at most 900")
	}
	return Queue{
		ID: m.key, Delay: p.Delay, VisibilityTimeout: p.VisibilityTimeout,
		Retention: p.Retention, ReceiveWait: p.ReceiveWait,
		DeadLetters: p.RedrivePolicy.Queue, MaxReceives: p.RedrivePolicy.Receives,
	}
}

func (s *scope) secret(m member, properties *yaml.Node) Secret {
	type generate struct {
		SecretStringTemplate, GenerateStringKey, ExcludeCharacters                           string
		PasswordLength                                                                       int
		ExcludePunctuation, ExcludeLowercase, ExcludeUppercase, ExcludeNumbers, IncludeSpace bool
	}
	p := struct {
		SecretString         string
		GenerateSecretString *generate
		_                    ignored `cfn:"Description,KmsKeyId,Tags"`
	}{}
	s.read(properties, m.value, &p)
	secret := Secret{ID: m.key, Text: p.SecretString}
	g := p.GenerateSecretString
	if g == nil {
		return secret
	}
	var alphabet strings.Builder
	for _, class := range []struct {
		without    bool
		characters string
	}{
		{g.ExcludeLowercase, "abcdefghijklmnopqrstuvwxyz"},
		{g.ExcludeUppercase, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
		{g.ExcludeNumbers, "0123456789"},
		{g.ExcludePunctuation, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"},
		{!g.IncludeSpace, " "},
	} {
		if !class.without {
			alphabet.WriteString(class.characters)
		}
	}
	secret.Generate = &Generate{
		Template: g.SecretStringTemplate, Key: g.GenerateStringKey, Length: cmp.Or(g.PasswordLength, 32),
		Alphabet: strings.Map(func(r rune) rune {
			if strings.ContainsRune(g.ExcludeCharacters, r) {
				return -1
			}
			return r
		}, alphabet.String()),
	}
	if secret.Generate.Alphabet == "" {
		s.fault(s.places[g], "GenerateSecretString excludes every character")
	}
	if (g.SecretStringTemplate == "") != (g.GenerateStringKey == "") {
		s.fault(s.places[g], "SecretStringTemplate and GenerateStringKey go together")
	}
	return secret
}

// eventTypes are SES's event types, as its API spells them. CloudFormation also accepts
// them in lower camel case.
var eventTypes = []string{
	"SEND", "REJECT", "BOUNCE", "COMPLAINT", "DELIVERY", "OPEN", "CLICK",
	"RENDERING_FAILURE", "DELIVERY_DELAY", "SUBSCRIPTION",
}

func (s *scope) configurationSet(m member, properties *yaml.Node) ConfigurationSet {
	p := struct {
		Name string
		_    ignored `cfn:"ArchivingOptions,DeliveryOptions,ReputationOptions,SuppressionOptions,Tags"`
		_    ignored `cfn:"TrackingOptions,VdmOptions"`
	}{Name: m.key}
	s.read(properties, m.value, &p)
	return ConfigurationSet{ID: m.key, Name: p.Name}
}

func (s *scope) emailIdentity(t *Template, m member, properties *yaml.Node) {
	p := struct {
		EmailIdentity              string `required:"true"`
		ConfigurationSetAttributes *struct{ ConfigurationSetName Value }
		_                          ignored `cfn:"DkimAttributes,DkimSigningAttributes,FeedbackAttributes,Tags"`
		_                          ignored `cfn:"MailFromAttributes"`
	}{}
	s.read(properties, m.value, &p)
	identity := EmailIdentity{ID: m.key, Name: p.EmailIdentity}
	if a := p.ConfigurationSetAttributes; a != nil {
		if set := s.namedSet(t, a.ConfigurationSetName, s.places[a]); set != nil {
			identity.ConfigurationSet = set.Name
		}
	}
	t.EmailIdentities = append(t.EmailIdentities, identity)
}

func (s *scope) eventDestination(t *Template, properties, around *yaml.Node) {
	p := struct {
		ConfigurationSetName Value
		EventDestination     struct {
			Enabled                bool
			MatchingEventTypes     []string
			EventBridgeDestination *struct {
				EventBusArn string `required:"true"`
			}
			// CloudWatch destinations are metrics, which nobody reads locally.
			_ ignored `cfn:"Name,CloudWatchDestination"`
		}
	}{}
	s.read(properties, around, &p)
	set := s.namedSet(t, p.ConfigurationSetName, s.place(&p, around))
	d := &p.EventDestination
	if !d.Enabled || d.EventBridgeDestination == nil {
		return
	}
	if arn := d.EventBridgeDestination.EventBusArn; !strings.HasSuffix(arn, ":event-bus/default") {
		s.fault(s.places[d], "EventBusArn %s: SES supports only the default bus", arn)
	}
	for _, name := range d.MatchingEventTypes {
		i := slices.IndexFunc(eventTypes, func(kind string) bool {
			return strings.EqualFold(kind, name) || strings.EqualFold(strings.ReplaceAll(kind, "_", ""), name)
		})
		if i < 0 {
			s.fault(s.places[d], "MatchingEventTypes: %s is unknown", name)
		} else if set != nil && !slices.Contains(set.Events, eventTypes[i]) {
			set.Events = append(set.Events, eventTypes[i])
		}
	}
}

// namedSet returns the configuration set in a value, which is a reference or a name.
func (s *scope) namedSet(t *Template, name Value, around *yaml.Node) *ConfigurationSet {
	id, attribute, isReference := name.resource()
	text, _ := name.fixed()
	i := slices.IndexFunc(t.ConfigurationSets, func(set ConfigurationSet) bool {
		return isReference && attribute == "" && set.ID == id || !isReference && set.Name == text
	})
	if i < 0 {
		s.fault(around, "ConfigurationSetName must be a configuration set of this template")
		return nil
	}
	return &t.ConfigurationSets[i]
}
