package template

import (
	"slices"
	"strings"
	"time"
)

// passive are the types (or their beginnings) that change nothing about how the
// service behaves on a laptop: logs, alarms, permissions, addresses.
var passive = []string{
	"AWS::ApiGatewayV2::", "AWS::ApplicationInsights::", "AWS::Budgets::", "AWS::CertificateManager::",
	"AWS::CloudFormation::", "AWS::CloudWatch::", "AWS::IAM::", "AWS::KMS::", "AWS::Lambda::Permission",
	"AWS::Logs::", "AWS::Route53::", "AWS::SES::", "AWS::SNS::", "AWS::SQS::QueuePolicy", "AWS::SSM::Parameter",
	"AWS::WAFv2::",
}

// build reads every resource that exists into t.
func (s *scope) build(t *Template, root object) {
	globals := root.get("Globals").object("Function", "HttpApi").get("Function")
	var mail mailResources
	for _, r := range root.get("Resources").entries() {
		if s.absent[r.key] {
			continue
		}
		kind := r.item.lookup("Type").text()
		properties := r.item.lookup("Properties")
		switch kind {
		case "AWS::Serverless::Function":
			s.function(t, r.key, properties, globals)
		case "AWS::Serverless::HttpApi":
			s.httpAPI(properties)
		case "AWS::DynamoDB::Table":
			t.Tables = append(t.Tables, s.table(r.key, properties))
		case "AWS::SQS::Queue":
			t.Queues = append(t.Queues, s.queue(r.key, properties))
		case "AWS::SecretsManager::Secret":
			t.Secrets = append(t.Secrets, s.secret(r.key, properties))
		case "AWS::SES::ConfigurationSet":
			t.ConfigurationSets = append(t.ConfigurationSets, s.configurationSet(r.key, properties))
		case "AWS::SES::ConfigurationSetEventDestination":
			mail.destinations = append(mail.destinations, properties)
		case "AWS::SES::EmailIdentity":
			mail.identities = append(mail.identities, entry{key: r.key, item: properties})
		default:
			if !slices.ContainsFunc(passive, func(p string) bool { return strings.HasPrefix(kind, p) }) {
				s.fault(r.item.where(), "%s: the local stack has no %s", r.key, kind)
			}
		}
	}
	s.mail(t, mail)
	s.check(t)
}

// check sees to it that what mappings name is what they need.
func (s *scope) check(t *Template) {
	for _, m := range t.Streams {
		if table, ok := t.Table(m.Table); !ok {
			s.fault(s.resources[m.Function], "%s reads the stream of %s, which is no table", m.Function, m.Table)
		} else if table.Stream == "" {
			s.fault(s.resources[m.Function], "%s reads the stream of %s, which has none", m.Function, m.Table)
		}
		if _, ok := t.Queue(m.FailureQueue); m.FailureQueue != "" && !ok {
			s.fault(s.resources[m.Function], "%s sends failures to %s, which is no queue", m.Function, m.FailureQueue)
		}
	}
	for _, f := range t.Functions {
		if _, ok := t.Queue(f.FailureQueue); f.FailureQueue != "" && !ok {
			s.fault(s.resources[f.ID], "%s sends failures to %s, which is no queue", f.ID, f.FailureQueue)
		}
	}
	for _, m := range t.QueueMappings {
		queue, ok := t.Queue(m.Queue)
		if !ok {
			s.fault(s.resources[m.Function], "%s reads %s, which is no queue", m.Function, m.Queue)
			continue
		}
		if function, _ := t.Function(m.Function); queue.VisibilityTimeout < function.Timeout {
			s.fault(s.resources[m.Function], "%s may take longer than the visibility time-out of %s: AWS refuses that", m.Function, m.Queue)
		}
	}
	for _, q := range t.Queues {
		if _, ok := t.Queue(q.DeadLetters); q.DeadLetters != "" && !ok {
			s.fault(s.resources[q.ID], "the dead letters of %s go to %s, which is no queue", q.ID, q.DeadLetters)
		}
	}
}

func (s *scope) httpAPI(properties item) {
	o := properties.object("StageName", "Description", "Name", "DefaultRouteSettings", "RouteSettings",
		"AccessLogSettings", "Tags", "Domain", "DisableExecuteApiEndpoint", "FailOnWarnings")
	if stage := o.text("StageName", "$default"); stage != "$default" {
		s.fault(o.where(), "StageName %s: a named stage puts its name into rawPath; want $default", stage)
	}
}

func (s *scope) table(id string, properties item) Table {
	o := properties.object("AttributeDefinitions", "KeySchema", "LocalSecondaryIndexes",
		"GlobalSecondaryIndexes", "StreamSpecification", "TimeToLiveSpecification",
		// Of no consequence for an emulator.
		"BillingMode", "SSESpecification", "PointInTimeRecoverySpecification",
		"DeletionProtectionEnabled", "Tags", "TableClass", "OnDemandThroughput",
		"ProvisionedThroughput", "WarmThroughput", "ContributorInsightsSpecification", "ResourcePolicy")
	t := Table{ID: id, Attributes: map[string]string{}}
	for _, a := range o.get("AttributeDefinitions").list() {
		d := a.object("AttributeName", "AttributeType")
		t.Attributes[d.want("AttributeName")] = d.want("AttributeType")
	}
	used := map[string]bool{}
	t.Key = s.key(o, t.Attributes, used)
	t.LocalIndexes = s.indexes(o.get("LocalSecondaryIndexes"), t.Attributes, used)
	t.GlobalIndexes = s.indexes(o.get("GlobalSecondaryIndexes"), t.Attributes, used)
	for name := range t.Attributes {
		if !used[name] {
			s.fault(o.where(), "%s: attribute %s is defined but in no key: AWS refuses that", id, name)
		}
	}
	if o.has("StreamSpecification") {
		t.Stream = o.get("StreamSpecification").object("StreamViewType", "ResourcePolicy").want("StreamViewType")
	}
	if ttl := o.get("TimeToLiveSpecification").object("AttributeName", "Enabled"); ttl.bool("Enabled", false) {
		t.TTL = ttl.want("AttributeName")
	}
	return t
}

func (s *scope) key(o object, attributes map[string]string, used map[string]bool) Key {
	var k Key
	for _, part := range o.get("KeySchema").list() {
		d := part.object("AttributeName", "KeyType")
		name := d.want("AttributeName")
		if attributes[name] == "" {
			s.fault(part.where(), "key attribute %s is not in AttributeDefinitions", name)
		}
		used[name] = true
		switch kind := d.want("KeyType"); kind {
		case "HASH":
			k.Hash = name
		case "RANGE":
			k.Range = name
		default:
			s.fault(part.where(), "KeyType %s: want HASH or RANGE", kind)
		}
	}
	if k.Hash == "" {
		s.fault(o.where(), "KeySchema has no HASH")
	}
	return k
}

func (s *scope) indexes(list item, attributes map[string]string, used map[string]bool) []Index {
	var out []Index
	for _, i := range list.list() {
		o := i.object("IndexName", "KeySchema", "Projection",
			"OnDemandThroughput", "ProvisionedThroughput", "WarmThroughput", "ContributorInsightsSpecification")
		p := o.get("Projection").object("ProjectionType", "NonKeyAttributes")
		out = append(out, Index{
			Name:       o.want("IndexName"),
			Key:        s.key(o, attributes, used),
			Projection: p.text("ProjectionType", "ALL"),
			NonKey:     p.get("NonKeyAttributes").texts(),
		})
	}
	return out
}

func (s *scope) queue(id string, properties item) Queue {
	o := properties.object("DelaySeconds", "VisibilityTimeout", "MessageRetentionPeriod",
		"ReceiveMessageWaitTimeSeconds", "RedrivePolicy",
		// Of no consequence for an emulator.
		"MaximumMessageSize", "SqsManagedSseEnabled", "KmsMasterKeyId", "KmsDataKeyReusePeriodSeconds",
		"RedriveAllowPolicy", "Tags")
	q := Queue{
		ID:                id,
		Delay:             o.seconds("DelaySeconds", 0),
		VisibilityTimeout: o.seconds("VisibilityTimeout", 30*time.Second),
		Retention:         o.seconds("MessageRetentionPeriod", 4*24*time.Hour),
		ReceiveWait:       o.seconds("ReceiveMessageWaitTimeSeconds", 0),
	}
	if q.Delay > 15*time.Minute {
		s.fault(o.get("DelaySeconds").where(), "DelaySeconds: SQS allows 900 at most")
	}
	if o.has("RedrivePolicy") {
		r := o.get("RedrivePolicy").object("deadLetterTargetArn", "maxReceiveCount")
		q.DeadLetters = r.resource("deadLetterTargetArn", "Arn")
		q.MaxReceives = r.int("maxReceiveCount", 10)
	}
	return q
}

func (s *scope) secret(id string, properties item) Secret {
	o := properties.object("SecretString", "GenerateSecretString", "Description", "KmsKeyId", "Tags")
	secret := Secret{ID: id, Text: o.text("SecretString", "")}
	if !o.has("GenerateSecretString") {
		return secret
	}
	g := o.get("GenerateSecretString").object("SecretStringTemplate", "GenerateStringKey",
		"PasswordLength", "ExcludePunctuation", "ExcludeCharacters", "ExcludeLowercase",
		"ExcludeUppercase", "ExcludeNumbers", "IncludeSpace")
	alphabet := ""
	for _, class := range []struct{ without, characters string }{
		{"ExcludeLowercase", "abcdefghijklmnopqrstuvwxyz"},
		{"ExcludeUppercase", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
		{"ExcludeNumbers", "0123456789"},
		{"ExcludePunctuation", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"},
	} {
		if !g.bool(class.without, false) {
			alphabet += class.characters
		}
	}
	if g.bool("IncludeSpace", false) {
		alphabet += " "
	}
	excluded := g.text("ExcludeCharacters", "")
	secret.Generate = &Generate{
		Template: g.text("SecretStringTemplate", ""),
		Key:      g.text("GenerateStringKey", ""),
		Length:   g.int("PasswordLength", 32),
		Alphabet: strings.Map(func(r rune) rune {
			if strings.ContainsRune(excluded, r) {
				return -1
			}
			return r
		}, alphabet),
	}
	if secret.Generate.Alphabet == "" {
		s.fault(g.where(), "GenerateSecretString excludes every character")
	}
	if (secret.Generate.Template == "") != (secret.Generate.Key == "") {
		s.fault(g.where(), "SecretStringTemplate and GenerateStringKey go together")
	}
	return secret
}
