package template_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/template"
)

// set overrides some parameters.
func set(values map[string]string) template.Override {
	return func(parameter string) (string, bool) {
		value, ok := values[parameter]
		return value, ok
	}
}

func parse(t *testing.T, src string, values map[string]string) *template.Template {
	t.Helper()
	tpl, err := template.Parse([]byte(src), "t.yaml", set(values))
	require.NoError(t, err)
	return tpl
}

func names(name string) (string, error) { return "<" + name + ">", nil }

func variable(t *testing.T, tpl *template.Template, function, name string) string {
	t.Helper()
	f, ok := tpl.Function(function)
	require.True(t, ok)
	require.Contains(t, f.Environment, name)
	text, err := f.Environment[name].Resolve(names)
	require.NoError(t, err)
	return text
}

// keys is the schema of a key.
func keys(hash, sort string) []types.KeySchemaElement {
	return []types.KeySchemaElement{
		{AttributeName: &hash, KeyType: types.KeyTypeHash}, {AttributeName: &sort, KeyType: types.KeyTypeRange},
	}
}

func TestTheServiceTemplate(t *testing.T) {
	load := func(t *testing.T, environment string) *template.Template {
		t.Helper()
		tpl, err := template.Load("../../template.yaml", set(map[string]string{
			"Environment": environment, "BaseUrl": "http://localhost:3000", "RateLimitPerMinute": "7",
		}))
		require.NoError(t, err)
		return tpl
	}

	t.Run("a function has its folder, timeout and variables", func(t *testing.T) {
		tpl := load(t, "local")
		f, ok := tpl.Function("BankSyncFunction")
		require.True(t, ok)
		assert.Equal(t, "bank-sync", f.Name)
		assert.Equal(t, 120*time.Second, f.Timeout)
		assert.Equal(t, "local", variable(t, tpl, "BankSyncFunction", "ENVIRONMENT"), "from Globals")
		assert.Equal(t, "<PfmTable>", variable(t, tpl, "BankSyncFunction", "PFM_TABLE"))
		assert.Equal(t, "http://localhost:3000", variable(t, tpl, "IdentityFunction", "BASE_URL"))
		assert.Equal(t, "7", variable(t, tpl, "IdentityFunction", "RATE_LIMIT_PER_MINUTE"))
	})

	t.Run("a table has all its keys and indexes", func(t *testing.T) {
		table, ok := load(t, "local").Table("PfmTable")
		require.True(t, ok)
		d := table.Definition
		assert.Equal(t, keys("pk", "sk"), d.KeySchema)
		all := &types.Projection{ProjectionType: types.ProjectionTypeAll}
		assert.Contains(t, d.LocalSecondaryIndexes, types.LocalSecondaryIndex{
			IndexName: aws.String("byAccount"), KeySchema: keys("pk", "accountSort"), Projection: all,
		})
		assert.Len(t, d.LocalSecondaryIndexes, 5, "as many as a table may have")
		projections := map[string]types.ProjectionType{}
		for _, index := range d.GlobalSecondaryIndexes {
			projections[*index.IndexName] = index.Projection.ProjectionType
		}
		assert.Equal(t, map[string]types.ProjectionType{"due": types.ProjectionTypeKeysOnly, "byId": types.ProjectionTypeAll}, projections)
		assert.Equal(t, "expiresAt", table.TTL)
	})

	t.Run("connects the outbox to its relay", func(t *testing.T) {
		streams := load(t, "local").Streams
		i := slices.IndexFunc(streams, func(m template.StreamMapping) bool { return m.Function == "OutboxRelayFunction" })
		require.GreaterOrEqual(t, i, 0)
		m := streams[i]
		assert.Equal(t, "OutboxTable", m.Table)
		assert.Equal(t, "RelayDeadLetters", m.FailureQueue)
		assert.True(t, m.Bisect)
		assert.True(t, m.ReportsFailures)
		require.Len(t, m.Filters, 1)
		assert.JSONEq(t, `{"eventName":["INSERT"]}`, string(m.Filters[0]))
	})

	t.Run("the console hears of requests, events and attempts, where there is one", func(t *testing.T) {
		tpl := load(t, "local")
		var heard []string
		for _, m := range tpl.Streams {
			if m.Function == "ConsoleFunction" {
				assert.True(t, m.ReportsFailures)
				require.Len(t, m.Filters, 1)
				heard = append(heard, m.Table+" "+string(m.Filters[0]))
			}
		}
		for _, l := range tpl.LogSubscriptions {
			heard = append(heard, l.GroupName+" "+l.Pattern)
		}
		assert.ElementsMatch(t, []string{
			`OutboxTable {"eventName":["INSERT"],"dynamodb":{"NewImage":{"queue":{"S":["events"]}}}}`,
			`/aviso-local/identity { $.msg = "request" }`, `/aviso-local/pfm { $.msg = "request" }`,
			`/aviso-local/cancellation { $.msg = "request" }`, `/aviso-local/search { $.msg = "request" }`,
			`/aviso-local/notification { $.msg = "request" }`, `/aviso-local/webhook-delivery { $.msg = "attempt" }`,
		}, heard)
		production := load(t, "production")
		assert.Empty(t, production.LogSubscriptions)
		for _, m := range production.Streams {
			assert.NotEqual(t, "ConsoleFunction", m.Function)
		}
		table, ok := production.Table("NotificationTable")
		require.True(t, ok)
		assert.Nil(t, table.Definition.StreamSpecification)
	})

	t.Run("production has no sandbox", func(t *testing.T) {
		tpl := load(t, "production")
		_, ok := tpl.Function("SandboxFunction")
		assert.False(t, ok)
		_, ok = tpl.Table("SandboxTable")
		assert.False(t, ok)
		_, ok = tpl.Function("ClockFunction")
		assert.False(t, ok)
		for _, r := range tpl.Routes {
			// An event has no condition. The functions serve nothing there in production.
			if !strings.HasPrefix(r.Path, "/sandbox/v1/") {
				assert.NotContains(t, r.Path, "/sandbox")
			}
		}
	})

	t.Run("people get pages where there is a sandbox, and only there", func(t *testing.T) {
		pages := func(environment string) (paths []string) {
			for _, r := range load(t, environment).Routes {
				if r.Path == "/" || r.Path == "/sandbox" || r.Path == "/favicon.ico" {
					assert.Equal(t, "SandboxFunction", r.Function)
					paths = append(paths, r.Path)
				}
			}
			return paths
		}
		for _, environment := range []string{"local", "test", "acceptance"} {
			assert.ElementsMatch(t, []string{"/", "/sandbox", "/favicon.ico"}, pages(environment), environment)
		}
		assert.Empty(t, pages("production"))
	})

	t.Run("the console is a choice", func(t *testing.T) {
		for _, test := range []struct {
			environment, console string
			want                 bool
		}{
			{"local", "auto", true}, {"test", "auto", true}, {"acceptance", "auto", true}, {"production", "auto", false},
			{"production", "on", true}, {"test", "off", false}, {"local", "off", false},
		} {
			parameters := map[string]string{"Environment": test.environment, "Console": test.console}
			tpl, err := template.Load("../../template.yaml", set(parameters))
			require.NoError(t, err)
			_, function := tpl.Function("ConsoleFunction")
			_, table := tpl.Table("ConsoleTable")
			routed := slices.ContainsFunc(tpl.Routes, func(r template.Route) bool { return strings.HasPrefix(r.Path, "/console") })
			assert.Equal(t, []bool{test.want, test.want}, []bool{function, routed}, "%v", test)
			assert.True(t, table, "an update that turns the console off may delete no table: %v", test)
		}
	})

	t.Run("rejects an unknown environment", func(t *testing.T) {
		_, err := template.Load("../../template.yaml", set(map[string]string{"Environment": "staging"}))
		assert.ErrorContains(t, err, `parameter Environment is "staging"`)
	})
}

func TestIntrinsicFunctions(t *testing.T) {
	const src = `
Parameters:
  Stage: { Type: String, Default: test }
Conditions:
  IsTest: !Equals [!Ref Stage, test]
  IsLive: !Not [!Condition IsTest]
  Either: !Or [!Condition IsLive, !Condition IsTest]
  Both: !And [!Condition IsLive, !Condition IsTest]
Resources:
  Q: { Type: AWS::SQS::Queue }
  OnlyLive: { Type: AWS::SQS::Queue, Condition: IsLive }
  AFunction:
    Type: AWS::Serverless::Function
    Properties:
      Environment:
        Variables:
          SUB: !Sub "x-${Stage}-${Q}-${Q.Arn}-${AWS::Region}"
          IF: !If [IsTest, yes, no]
          EITHER: !If [Either, yes, no]
          BOTH: !If [Both, yes, no]
          NONE: !If [IsLive, x, !Ref AWS::NoValue]
          GETATT: !GetAtt Q.QueueName
`
	tpl := parse(t, src, nil)
	for name, want := range map[string]string{
		"SUB":    "x-test-<Q>-<Q.Arn>-eu-central-1",
		"IF":     "yes",
		"EITHER": "yes",
		"BOTH":   "no",
		"GETATT": "<Q.QueueName>",
	} {
		assert.Equal(t, want, variable(t, tpl, "AFunction", name), name)
	}
	assert.NotContains(t, tpl.Functions[0].Environment, "NONE", "AWS::NoValue leaves a variable out")
	_, there := tpl.Queue("OnlyLive")
	assert.False(t, there)
	_, there = parse(t, src, map[string]string{"Stage": "live"}).Queue("OnlyLive")
	assert.True(t, there)
}

func TestFaultsHaveTheirLine(t *testing.T) {
	for name, tc := range map[string]struct{ src, want string }{
		"an unknown resource type": {
			"Resources:\n  T: { Type: AWS::Kinesis::Stream }", "t.yaml:2: T: the local stack does not support AWS::Kinesis::Stream",
		},
		"an unknown property": {
			"Resources:\n  Q:\n    Type: AWS::SQS::Queue\n    Properties:\n      FifoQueue: true",
			"t.yaml:5: the local stack does not support FifoQueue",
		},
		"an unknown intrinsic function": {
			"Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Environment:\n        Variables:\n          A: !ImportValue x",
			"t.yaml:7: the local stack does not support !ImportValue",
		},
		"a joined list": {
			"Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Environment:\n        Variables:\n          A: !Join [x, [a, b]]",
			"t.yaml:7: the local stack does not support !Join",
		},
		"a long form": {
			"Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Environment:\n        Variables:\n          A: { Fn::Sub: x }",
			"t.yaml:7: A has a value of the wrong kind",
		},
		"a function that conditions do not have": {
			"Conditions:\n  A: !Select [0, [a]]\nResources:\n  Q: { Type: AWS::SQS::Queue, Condition: A }",
			"t.yaml:2: the local stack does not support !Select in a condition",
		},
		"a cron expression": {
			"Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Events:\n        E:\n          Type: ScheduleV2\n          Properties:\n            ScheduleExpression: cron(0 3 * * ? *)",
			"t.yaml:9: schedule cron(0 3 * * ? *) must be rate(",
		},
		"a schedule whose name another stack would have, too": {
			"Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Events:\n" +
				"        E: { Type: ScheduleV2, Properties: { ScheduleExpression: rate(1 hour) } }",
			"t.yaml:6: E: without OmitName SAM gives the schedule the same name in every stack",
		},
		"policies without a role": {
			"Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Policies: []",
			"t.yaml:5: the local stack does not support Policies",
		},
		"a managed policy": {
			"Resources:\n  R:\n    Type: AWS::IAM::Role\n    Properties:\n      ManagedPolicyArns: [a]",
			"t.yaml:5: the local stack does not support ManagedPolicyArns",
		},
		"a role that may not read the function's queue": {
			"Resources:\n  Q: { Type: AWS::SQS::Queue }\n  R: { Type: AWS::IAM::Role, Properties: { Policies: [{ PolicyDocument: { Statement: [" +
				"{ Effect: Allow, Action: [sqs:ReceiveMessage, sqs:GetQueueAttributes], Resource: !GetAtt Q.Arn }] } }] } }\n" +
				"  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Role: !GetAtt R.Arn\n      Timeout: 30\n      Events:\n" +
				"        E: { Type: SQS, Properties: { Queue: !GetAtt Q.Arn } }",
			"t.yaml:4: R of F does not allow Lambda sqs:DeleteMessage on ${Q.Arn}",
		},
		"another condition of a role": {
			"Resources:\n  R: { Type: AWS::IAM::Role, Properties: { Policies: [{ PolicyDocument: { Statement: [\n" +
				"{ Effect: Allow, Action: a, Resource: b, Condition: { Bool: { aws:SecureTransport: true } } }] } }] } }",
			"t.yaml:3: the local stack does not support the condition Bool on aws:SecureTransport",
		},
		"a role that is something else": {
			"Resources:\n  Q: { Type: AWS::SQS::Queue }\n  F: { Type: AWS::Serverless::Function, Properties: { Role: !GetAtt Q.Arn } }",
			"t.yaml:3: F has the role Q, which is not a role",
		},
		"an unknown reference": {
			"Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Environment:\n        Variables:\n          A: !Ref Nothing",
			"t.yaml:7: there is no parameter or resource Nothing",
		},
		"a reference to a resource whose condition is false": {
			"Conditions:\n  Never: !Equals [a, b]\nResources:\n  Q: { Type: AWS::SQS::Queue, Condition: Never }\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Environment:\n        Variables:\n          A: !Ref Q",
			"t.yaml:10: Q does not exist: its condition is false",
		},
		"a condition that refers to itself": {
			"Conditions:\n  A: !Not [!Condition A]\nResources:\n  Q: { Type: AWS::SQS::Queue, Condition: A }",
			"t.yaml:2: condition A refers to itself",
		},
		"a parameter without a value": {
			"Parameters:\n  SomeKey: { Type: String }\nResources: {}", "t.yaml:2: parameter SomeKey has no value: set it in the environment as SOME_KEY",
		},
		"an unsupported event type": {
			"Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Events:\n        E: { Type: S3 }",
			"t.yaml:6: E: the local stack does not support events of type S3",
		},
		"the stream of a table without a stream": {
			"Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n    Properties:\n      AttributeDefinitions: [{ AttributeName: pk, AttributeType: S }]\n      KeySchema: [{ AttributeName: pk, KeyType: HASH }]\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Events:\n        E: { Type: DynamoDB, Properties: { Stream: !GetAtt T.StreamArn, StartingPosition: TRIM_HORIZON } }",
			"t.yaml:7: F reads the stream of T, which has none",
		},
		"another event bus": {
			"Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Events:\n        E:\n          Type: EventBridgeRule\n          Properties:\n            EventBusName: own\n            Pattern: { source: [x] }",
			"t.yaml:9: the local stack does not support EventBusName",
		},
		"more retries than Lambda allows": {
			"Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      EventInvokeConfig: { MaximumRetryAttempts: 3 }",
			"t.yaml:5: MaximumRetryAttempts must be 0 to 2",
		},
		"a failure queue that is not a queue": {
			"Resources:\n  T: { Type: AWS::SecretsManager::Secret }\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      EventInvokeConfig: { DestinationConfig: { OnFailure: { Destination: !GetAtt T.Arn } } }",
			"t.yaml:3: F sends failures to T, which is not a queue",
		},
		"an unknown configuration set": {
			"Resources:\n  D:\n    Type: AWS::SES::ConfigurationSetEventDestination\n    Properties: { ConfigurationSetName: other }",
			"t.yaml:4: ConfigurationSetName must be a configuration set of this template",
		},
		"mail events for another bus": {
			"Resources:\n  C: { Type: AWS::SES::ConfigurationSet }\n  D:\n    Type: AWS::SES::ConfigurationSetEventDestination\n    Properties:\n      ConfigurationSetName: !Ref C\n      EventDestination: { Enabled: true, EventBridgeDestination: { EventBusArn: 'arn:aws:events:eu-central-1:000000000000:event-bus/own' } }",
			"SES supports only the default bus",
		},
		"mail events of an unknown type": {
			"Resources:\n  C: { Type: AWS::SES::ConfigurationSet }\n  D:\n    Type: AWS::SES::ConfigurationSetEventDestination\n    Properties:\n      ConfigurationSetName: !Ref C\n      EventDestination: { Enabled: true, MatchingEventTypes: [lost], EventBridgeDestination: { EventBusArn: 'arn:aws:events:eu-central-1:000000000000:event-bus/default' } }",
			"MatchingEventTypes: lost is unknown",
		},
		"mail events for a topic": {
			"Resources:\n  C: { Type: AWS::SES::ConfigurationSet }\n  D:\n    Type: AWS::SES::ConfigurationSetEventDestination\n    Properties:\n      ConfigurationSetName: !Ref C\n      EventDestination:\n        SnsDestination: { TopicARN: x }",
			"t.yaml:8: the local stack does not support SnsDestination",
		},
		"a named stage": {
			"Resources:\n  A:\n    Type: AWS::Serverless::HttpApi\n    Properties: { StageName: v1 }", "must be $default",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := template.Parse([]byte(tc.src), "t.yaml", nil)
			assert.ErrorContains(t, err, tc.want)
		})
	}
}

func TestSecretsAndRules(t *testing.T) {
	tpl := parse(t, `
Resources:
  S:
    Type: AWS::SecretsManager::Secret
    Properties:
      GenerateSecretString: { PasswordLength: 8, ExcludePunctuation: true }
  F:
    Type: AWS::Serverless::Function
    Properties:
      Events:
        Mail: { Type: EventBridgeRule, Properties: { Pattern: { source: [aws.ses], detail-type: [Email Bounced] } } }
        Hourly: { Type: ScheduleV2, Properties: { OmitName: true, ScheduleExpression: rate(1 hour), Input: '{"a":1}' } }
`, nil)
	require.Len(t, tpl.Secrets, 1)
	assert.Equal(t, template.Generate{Length: 8}, tpl.Secrets[0].Generate)
	require.Len(t, tpl.Rules, 1)
	assert.JSONEq(t, `{"source":["aws.ses"],"detail-type":["Email Bounced"]}`, string(tpl.Rules[0].Pattern))
	require.Len(t, tpl.Schedules, 1)
	assert.Equal(t, `{"a":1}`, tpl.Schedules[0].Input)
	assert.Equal(t, time.Hour, tpl.Schedules[0].Every)
}

func TestAsynchronousCalls(t *testing.T) {
	tpl := parse(t, `
Resources:
  Dead: { Type: AWS::SQS::Queue }
  F: { Type: AWS::Serverless::Function }
  G:
    Type: AWS::Serverless::Function
    Properties:
      EventInvokeConfig: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60, DestinationConfig: { OnFailure: { Type: SQS, Destination: !GetAtt Dead.Arn } } }
`, nil)
	assert.Equal(t, 2, tpl.Functions[0].AsyncRetries, "as Lambda does without a word about it")
	assert.Empty(t, tpl.Functions[0].FailureQueue)
	assert.Equal(t, 0, tpl.Functions[1].AsyncRetries)
	assert.Equal(t, "Dead", tpl.Functions[1].FailureQueue)
}

func TestUpperSnake(t *testing.T) {
	assert.Equal(t, "RATE_LIMIT_PER_MINUTE", template.UpperSnake("RateLimitPerMinute"))
}

func TestMissingMembersAreReportedWhereTheyBelong(t *testing.T) {
	src := "Resources:\n  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Events:\n        E:\n          Type: SQS\n"
	_, err := template.Parse([]byte(src), "t.yaml", nil)
	assert.ErrorContains(t, err, "t.yaml:6: Queue is missing")
}
