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

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// add adds a resource to t. What a struct here has as any makes no difference locally.
func (s *scope) add(t *Template, m member, globals *yaml.Node) {
	var kind string
	properties := &yaml.Node{Kind: yaml.MappingNode, Line: m.node.Line}
	for _, r := range s.members(m.value) {
		switch r.key {
		case "Type":
			kind = r.value.Value
		case "Properties":
			properties = r.value
		}
	}
	m.value = properties
	switch kind {
	case "AWS::Serverless::Function":
		s.function(t, m, globals)
	case "AWS::Serverless::HttpApi":
		var p struct {
			StageName string

			Description, AccessLogSettings, DefaultRouteSettings, RouteSettings, Domain, DisableExecuteApiEndpoint any //nolint:revive // as SAM has it
		}
		s.read(m.value, &p)
		if p.StageName != "" && p.StageName != "$default" {
			s.fault(s.child(m.value, "StageName"), "StageName is %s, but must be $default: other names appear in rawPath", p.StageName)
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

			RetentionInDays, Tags any
		}
		s.read(m.value, &p)
		s.groups[m.key] = p.LogGroupName
	case "AWS::SecretsManager::Secret":
		s.secret(t, m)
	case "AWS::SES::ConfigurationSet":
		p := struct {
			Name string

			DeliveryOptions, ReputationOptions, SuppressionOptions, Tags any
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

type keySchema []struct{ AttributeName, KeyType string }

type secondaryIndex struct {
	IndexName  string
	KeySchema  keySchema
	Projection struct {
		ProjectionType   string
		NonKeyAttributes []string
	}
}

func (s *scope) table(t *Template, m member) {
	var p struct {
		AttributeDefinitions                          []struct{ AttributeName, AttributeType string }
		KeySchema                                     keySchema
		LocalSecondaryIndexes, GlobalSecondaryIndexes []secondaryIndex
		StreamSpecification                           struct{ StreamViewType string }
		TimeToLiveSpecification                       struct {
			AttributeName string
			Enabled       bool
		}
		WarmThroughput Throughput

		BillingMode, SSESpecification, PointInTimeRecoverySpecification, DeletionProtectionEnabled, Tags any
	}
	s.read(m.value, &p)
	attributes, used := map[string]string{}, map[string]bool{}
	for _, a := range p.AttributeDefinitions {
		attributes[a.AttributeName] = a.AttributeType
	}
	key := func(schema keySchema) (k Key) {
		for _, part := range schema {
			if attributes[part.AttributeName] == "" {
				s.fault(m.node, "key attribute %s is not in AttributeDefinitions", part.AttributeName)
			}
			used[part.AttributeName] = true
			switch part.KeyType {
			case "HASH":
				k.Hash = part.AttributeName
			case "RANGE":
				k.Range = part.AttributeName
			default:
				s.fault(m.node, "KeyType is %s, but must be HASH or RANGE", part.KeyType)
			}
		}
		if k.Hash == "" {
			s.fault(m.node, "KeySchema has no HASH")
		}
		return k
	}
	indexes := func(list []secondaryIndex) (all []Index) {
		for _, i := range list {
			all = append(all, Index{
				Name: i.IndexName, Key: key(i.KeySchema),
				Projection: cmp.Or(i.Projection.ProjectionType, "ALL"), NonKey: i.Projection.NonKeyAttributes,
			})
		}
		return all
	}
	table := Table{
		ID: m.key, Attributes: attributes, Key: key(p.KeySchema),
		LocalIndexes: indexes(p.LocalSecondaryIndexes), GlobalIndexes: indexes(p.GlobalSecondaryIndexes),
		Stream: p.StreamSpecification.StreamViewType, Warm: p.WarmThroughput,
	}
	if p.TimeToLiveSpecification.Enabled {
		table.TTL = p.TimeToLiveSpecification.AttributeName
	}
	for name := range attributes {
		if !used[name] {
			s.fault(m.node, "%s: attribute %s is defined but not in any key, which AWS rejects", m.key, name)
		}
	}
	t.Tables = append(t.Tables, table)
}

func (s *scope) queue(t *Template, m member) {
	p := struct {
		DelaySeconds, VisibilityTimeout, MessageRetentionPeriod, ReceiveMessageWaitTimeSeconds int
		RedrivePolicy                                                                          struct {
			DeadLetters Value `json:"deadLetterTargetArn"`
			MaxReceives int   `json:"maxReceiveCount"`
		}

		SqsManagedSseEnabled, RedriveAllowPolicy any
	}{VisibilityTimeout: 30, MessageRetentionPeriod: 4 * 24 * 60 * 60}
	s.read(m.value, &p)
	if p.DelaySeconds > 15*60 {
		s.fault(s.child(m.value, "DelaySeconds"), "DelaySeconds must be at most 900")
	}
	t.Queues = append(t.Queues, Queue{
		ID: m.key, Delay: seconds(p.DelaySeconds), VisibilityTimeout: seconds(p.VisibilityTimeout),
		Retention: seconds(p.MessageRetentionPeriod), ReceiveWait: seconds(p.ReceiveMessageWaitTimeSeconds),
		DeadLetters: s.resource(m.node, p.RedrivePolicy.DeadLetters, "Arn"), MaxReceives: p.RedrivePolicy.MaxReceives,
	})
}

func (s *scope) secret(t *Template, m member) {
	var p struct {
		SecretString         string
		GenerateSecretString *struct {
			Generate
			ExcludePunctuation bool
		}
		Description, KmsKeyId any //nolint:revive // as AWS spells it
	}
	s.read(m.value, &p)
	secret := Secret{ID: m.key, Text: p.SecretString}
	if g := p.GenerateSecretString; g != nil {
		if !g.ExcludePunctuation || g.Length > MaxSecret {
			s.fault(m.node, "GenerateSecretString must have ExcludePunctuation, and a PasswordLength up to %d", MaxSecret)
		}
		if (g.Template == "") != (g.Key == "") {
			s.fault(m.node, "SecretStringTemplate and GenerateStringKey go together")
		}
		secret.Generate = &g.Generate
	}
	t.Secrets = append(t.Secrets, secret)
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
			// CloudWatch destinations are metrics, which nobody reads locally.
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
