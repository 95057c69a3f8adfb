package template_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Where AWS documents its limits.
const (
	docs           = "https://docs.aws.amazon.com/"
	formationDocs  = docs + "AWSCloudFormation/latest/UserGuide/"
	stackLimits    = formationDocs + "cloudformation-limits.html"
	nameTypes      = formationDocs + "aws-properties-name.html"
	deletionPolicy = formationDocs + "aws-attribute-deletionpolicy.html"
	iamDocs        = docs + "IAM/latest/UserGuide/"
	iamLimits      = iamDocs + "reference_iam-quotas.html"
	iamResources   = iamDocs + "reference_policies_elements_resource.html"
	lambdaDocs     = docs + "lambda/latest/dg/"
	lambdaLimits   = lambdaDocs + "gettingstarted-limits.html"
	lambdaReserved = lambdaDocs + "configuration-concurrency.html"
	lambdaQueues   = lambdaDocs + "services-sqs-configure.html"
	lambdaFilters  = lambdaDocs + "invocation-eventfiltering.html"
	queueNames     = docs + "AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html"
	tableLimits    = docs + "amazondynamodb/latest/developerguide/ServiceQuotas.html"
	alarmLimits    = docs + "AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html"
	scheduleNames  = docs + "scheduler/latest/APIReference/API_CreateSchedule.html"
	ruleLimits     = docs + "eventbridge/latest/userguide/eb-quota.html"
	gatewayLimits  = docs + "apigateway/latest/developerguide/http-api-quotas.html"
	logNames       = docs + "AmazonCloudWatchLogs/latest/APIReference/API_CreateLogGroup.html"
)

// limit is a documented limit that cfn-lint does not know from AWS's schemas. find returns what breaks it; spoil
// puts in what breaks it.
type limit struct {
	what, source string
	find         func(s *stack) []string
	spoil        func(template map[string]any)
}

// each checks every resource of a type.
func each(kind string, check func(p map[string]any) string) func(*stack) []string {
	return func(s *stack) []string {
		var found []string
		for id, p := range s.of(kind) {
			if wrong := check(p); wrong != "" {
				found = append(found, s.name+" "+id+": "+wrong)
			}
		}
		return found
	}
}

// longest checks the length of a text or the number of members.
func longest(kind string, most int, path ...string) func(*stack) []string {
	return each(kind, func(p map[string]any) string {
		length := 0
		switch v := at(p, path...).(type) {
		case string:
			length = len(v)
		case []any:
			length = len(v)
		case map[string]any:
			length = len(v)
		}
		if length > most {
			return fmt.Sprintf("%s has %d of %d", strings.Join(path, "."), length, most)
		}
		return ""
	})
}

func number(value any) (float64, bool) {
	switch v := value.(type) {
	case float64:
		return v, true
	case string:
		n, err := strconv.ParseFloat(v, 64)
		return n, err == nil
	}
	return 0, false
}

func size(value any) int {
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return len(encoded)
}

// assign gives a property to the first resource of a type.
func assign(kind string, value any, path ...string) func(map[string]any) {
	return func(template map[string]any) {
		resources := template["Resources"].(map[string]any)
		for _, id := range slices.Sorted(maps.Keys(resources)) {
			if at(resources[id], "Type") != kind {
				continue
			}
			inner := at(resources[id], append([]string{"Properties"}, path[:len(path)-1]...)...).(map[string]any)
			inner[path[len(path)-1]] = value
			return
		}
		panic("there is no " + kind)
	}
}

// many returns a list of n values.
func many(n int, value any) []any { return slices.Repeat([]any{value}, n) }

// oversized adds entries to a part of the template.
func oversized(part string, n int, value any) func(map[string]any) {
	return func(template map[string]any) {
		for i := range n {
			template[part].(map[string]any)["Extra"+strconv.Itoa(i)] = value
		}
	}
}

// emptyParts returns what a role's statements lack: a resource or an action.
func emptyParts(p map[string]any) string {
	policies, _ := p["Policies"].([]any)
	for _, policy := range policies {
		for _, statement := range list(at(policy, "PolicyDocument", "Statement")) {
			for _, part := range []string{"Action", "Resource"} {
				value := at(statement, part)
				if members, ok := value.([]any); value == nil || value == "" || ok && len(members) == 0 {
					return fmt.Sprintf("%v has no %s", at(policy, "PolicyName"), part)
				}
			}
		}
	}
	return ""
}

func policySize(p map[string]any) string {
	total := 0
	for _, policy := range list(p["Policies"]) {
		total += size(at(policy, "PolicyDocument"))
	}
	if total > 10240 {
		return fmt.Sprintf("its inline policies have %d characters", total)
	}
	return ""
}

// watchedFor returns alarms that look back further than CloudWatch allows.
func watchedFor(p map[string]any) string {
	periods, _ := number(p["EvaluationPeriods"])
	enough, given := number(p["DatapointsToAlarm"])
	longest, _ := number(p["Period"])
	for _, m := range list(p["Metrics"]) {
		if period, ok := number(at(m, "MetricStat", "Period")); ok {
			longest = max(longest, period)
		}
	}
	most := 86400.0
	if longest >= 3600 {
		most = 7 * 86400
	}
	switch {
	case given && enough > periods:
		return "more datapoints to alarm than periods"
	case longest*periods > most:
		return fmt.Sprintf("looks back %v s", longest*periods)
	case longest > 30 && int(longest)%60 != 0:
		return fmt.Sprintf("a period of %v s", longest)
	}
	return ""
}

// shortVisibility returns queues whose messages come back while a function still works.
func shortVisibility(s *stack) []string {
	var found []string
	for id, mapping := range s.of("AWS::Lambda::EventSourceMapping") {
		for queue, p := range s.of("AWS::SQS::Queue") {
			if !strings.Contains(fmt.Sprint(mapping["EventSourceArn"]), "-"+queue+"-") {
				continue
			}
			for name, f := range s.of("AWS::Lambda::Function") {
				timeout, _ := number(f["Timeout"])
				visible, given := number(p["VisibilityTimeout"])
				if !given {
					visible = 30
				}
				called := strings.Replace(fmt.Sprint(mapping["FunctionName"]), "Aliaslive-", "-", 1)
				if strings.Contains(called, "-"+name+"-") && visible < timeout {
					found = append(found, fmt.Sprintf("%s %s: %v s of %v", s.name, id, visible, timeout))
				}
			}
		}
	}
	return found
}

func protectedWhileCreated(s *stack) []string {
	var found []string
	for id, p := range s.of("AWS::DynamoDB::Table") {
		if p["DeletionProtectionEnabled"] == true && s.resources[id]["DeletionPolicy"] != "Retain" {
			found = append(found, s.name+" "+id)
		}
	}
	return found
}

var limits = []limit{
	{"parameters of 4,096 bytes", stackLimits, func(s *stack) []string {
		var found []string
		for name, value := range s.parameters {
			if len(value) > 4096 {
				found = append(found, name)
			}
		}
		return found
	}, oversized("Parameters", 1, map[string]any{"Type": "String", "Default": strings.Repeat("x", 4097)})},

	{"each statement has an action and a resource", iamResources, each("AWS::IAM::Role", emptyParts),
		func(template map[string]any) {
			none := map[string]any{"Ref": "AWS::NoValue"}
			only := map[string]any{"Fn::If": []any{"HasSandbox", map[string]any{"Ref": "CarrierSecret"}, none}}
			read := map[string]any{"Effect": "Allow", "Action": "secretsmanager:GetSecretValue", "Resource": []any{only}}
			policy := map[string]any{"PolicyName": "carriers", "PolicyDocument": map[string]any{"Statement": []any{read}}}
			assign("AWS::IAM::Role", []any{policy}, "Policies")(template)
		}},
	{"10,240 characters of inline policies in a role", iamLimits, each("AWS::IAM::Role", policySize),
		assign("AWS::IAM::Role", []any{map[string]any{"PolicyDocument": strings.Repeat("x", 10240)}}, "Policies")},
	{"10 managed policies in a role", iamLimits, longest("AWS::IAM::Role", 10, "ManagedPolicyArns"),
		assign("AWS::IAM::Role", many(11, "arn"), "ManagedPolicyArns")},
	{"role names of 64 characters", iamLimits, longest("AWS::IAM::Role", 64, "RoleName"),
		assign("AWS::IAM::Role", strings.Repeat("r", 65), "RoleName")},

	{"4 KB of environment variables", lambdaLimits, each("AWS::Lambda::Function", func(p map[string]any) string {
		if n := size(at(p, "Environment", "Variables")); n > 4096 {
			return fmt.Sprintf("%d bytes", n)
		}
		return ""
	}), assign("AWS::Lambda::Function", strings.Repeat("x", 4096), "Environment", "Variables", "LONG")},
	{"a queue hides a message as long as its function may work", lambdaQueues, shortVisibility,
		func(template map[string]any) {
			for _, r := range template["Resources"].(map[string]any) {
				if at(r, "Type") == "AWS::SQS::Queue" {
					at(r, "Properties").(map[string]any)["VisibilityTimeout"] = 5.0
				}
			}
		}},
	{"5 filters for an event source", lambdaFilters,
		longest("AWS::Lambda::EventSourceMapping", 5, "FilterCriteria", "Filters"),
		assign("AWS::Lambda::EventSourceMapping", map[string]any{"Filters": many(6, map[string]any{})}, "FilterCriteria")},

	{"queue names of 80 characters", queueNames, longest("AWS::SQS::Queue", 80, "QueueName"),
		assign("AWS::SQS::Queue", map[string]any{"Fn::Sub": "${AWS::StackName}-" + strings.Repeat("q", 70)}, "QueueName")},

	{"5 local indexes", tableLimits, longest("AWS::DynamoDB::Table", 5, "LocalSecondaryIndexes"),
		assign("AWS::DynamoDB::Table", many(6, map[string]any{}), "LocalSecondaryIndexes")},
	{"20 global indexes", tableLimits, longest("AWS::DynamoDB::Table", 20, "GlobalSecondaryIndexes"),
		assign("AWS::DynamoDB::Table", many(21, map[string]any{}), "GlobalSecondaryIndexes")},
	{"a table is protected only once it has been created", deletionPolicy, protectedWhileCreated,
		assign("AWS::DynamoDB::Table", true, "DeletionProtectionEnabled")},

	{"how far an alarm looks back", alarmLimits, each("AWS::CloudWatch::Alarm", watchedFor),
		assign("AWS::CloudWatch::Alarm", 1441.0, "EvaluationPeriods")},
	{"5 actions of an alarm", alarmLimits, longest("AWS::CloudWatch::Alarm", 5, "AlarmActions"),
		assign("AWS::CloudWatch::Alarm", many(6, "arn"), "AlarmActions")},
	{"30 dimensions of a metric", alarmLimits, longest("AWS::CloudWatch::Alarm", 30, "Dimensions"),
		assign("AWS::CloudWatch::Alarm", many(31, map[string]any{}), "Dimensions")},
	{"20 metrics in an alarm", alarmLimits, longest("AWS::CloudWatch::Alarm", 20, "Metrics"),
		assign("AWS::CloudWatch::Alarm", many(21, map[string]any{}), "Metrics")},
	{"alarm descriptions of 1,024 characters", alarmLimits, longest("AWS::CloudWatch::Alarm", 1024, "AlarmDescription"),
		assign("AWS::CloudWatch::Alarm", strings.Repeat("x", 1025), "AlarmDescription")},

	{"schedule names of 64 characters", scheduleNames, longest("AWS::Scheduler::Schedule", 64, "Name"),
		assign("AWS::Scheduler::Schedule", strings.Repeat("s", 65), "Name")},
	{"5 targets of a rule", ruleLimits, longest("AWS::Events::Rule", 5, "Targets"),
		assign("AWS::Events::Rule", many(6, map[string]any{}), "Targets")},
	{"300 routes", gatewayLimits, longest("AWS::ApiGatewayV2::Api", 300, "Body", "paths"),
		func(template map[string]any) {
			paths := map[string]any{}
			for i := range 301 {
				paths["/"+strconv.Itoa(i)] = map[string]any{}
			}
			assign("AWS::ApiGatewayV2::Api", paths, "Body", "paths")(template)
		}},
	{"names of log groups of 512 characters", logNames, longest("AWS::Logs::LogGroup", 512, "LogGroupName"),
		assign("AWS::Logs::LogGroup", strings.Repeat("l", 513), "LogGroupName")},
}

func TestTheStacksStayWithinAWSsLimits(t *testing.T) {
	t.Parallel()
	for _, l := range limits {
		t.Run(l.what, func(t *testing.T) {
			t.Parallel()
			for _, s := range stacks(t, func(map[string]any) {}) {
				assert.Empty(t, l.find(s), "%s: %s", s.name, l.source)
			}
			found := 0
			for _, s := range stacks(t, l.spoil) {
				found += len(l.find(s))
			}
			assert.NotZero(t, found, "the check does not see what breaks it")
		})
	}
}

// nameOf lists the properties that name a thing in an account and region.
var nameOf = map[string]string{
	"AWS::ApiGatewayV2::DomainName": "DomainName",
	"AWS::CloudWatch::Alarm":        "AlarmName",
	"AWS::CloudWatch::Dashboard":    "DashboardName",
	"AWS::DynamoDB::Table":          "TableName",
	"AWS::Events::Rule":             "Name",
	"AWS::IAM::ManagedPolicy":       "ManagedPolicyName",
	"AWS::IAM::Role":                "RoleName",
	"AWS::Lambda::Function":         "FunctionName",
	"AWS::Logs::LogGroup":           "LogGroupName",
	"AWS::S3::Bucket":               "BucketName",
	"AWS::SES::ConfigurationSet":    "Name",
	"AWS::SES::EmailIdentity":       "EmailIdentity",
	"AWS::SNS::Topic":               "TopicName",
	"AWS::SQS::Queue":               "QueueName",
	"AWS::Scheduler::Schedule":      "Name",
	"AWS::SecretsManager::Secret":   "Name",
}

// twice returns the names that more than one stack gives.
func twice(all []*stack) []string {
	owners := map[string][]string{}
	for _, s := range all {
		for id, r := range s.resources {
			kind, _ := r["Type"].(string)
			if name, ok := at(r, "Properties", nameOf[kind]).(string); ok {
				owners[kind+" "+name] = append(owners[kind+" "+name], s.name+" "+id)
			}
		}
	}
	var found []string
	for name, who := range owners {
		if len(who) > 1 {
			found = append(found, fmt.Sprintf("%s: %v (%s)", name, who, nameTypes))
		}
	}
	return found
}

// overReserved returns what all stacks of an account reserve, if Lambda would refuse it.
func overReserved(all []*stack) []string {
	const account, unreserved = 1000, 100
	total := 0.0
	for _, s := range all {
		for _, p := range s.of("AWS::Lambda::Function") {
			n, _ := number(p["ReservedConcurrentExecutions"])
			total += n
		}
	}
	if total > account-unreserved {
		return []string{fmt.Sprintf("%v of %d reserved (%s)", total, account, lambdaReserved)}
	}
	return nil
}

func TestTheStacksFitIntoOneAccount(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		what  string
		find  func([]*stack) []string
		spoil func(template map[string]any)
	}{
		{"a schedule's name", twice, assign("AWS::Scheduler::Schedule", "HousekeepingFunctionEveryMinute", "Name")},
		{"a sender of mail", twice, func(template map[string]any) {
			template["Resources"].(map[string]any)["Sender"] = map[string]any{
				"Type": "AWS::SES::EmailIdentity", "Properties": map[string]any{"EmailIdentity": "letters@example.com"},
			}
		}},
		{"reserved concurrency", overReserved, func(template map[string]any) {
			for _, r := range template["Resources"].(map[string]any) {
				if at(r, "Type") == "AWS::Lambda::Function" {
					at(r, "Properties").(map[string]any)["ReservedConcurrentExecutions"] = 50.0
				}
			}
		}},
	} {
		t.Run(test.what, func(t *testing.T) {
			t.Parallel()
			assert.Empty(t, test.find(stacks(t, func(map[string]any) {})))
			assert.NotEmpty(t, test.find(stacks(t, test.spoil)), "the check does not see what breaks it")
		})
	}
}
