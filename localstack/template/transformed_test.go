package template_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// transformed returns the resources that CloudFormation gets: template.yaml after SAM's
// own transform, with everything that SAM adds.
func transformed() (map[string]map[string]any, error) {
	source, err := afterTransform["true"]()
	if err != nil {
		return nil, err
	}
	var template struct {
		Resources map[string]map[string]any `json:"Resources"`
	}
	return template.Resources, json.Unmarshal(source, &template)
}

// roles returns the roles after the transform, by logical ID.
func roles(t *testing.T) map[string]map[string]any {
	t.Helper()
	resources, err := transformed()
	require.NoError(t, err)
	found := map[string]map[string]any{}
	for id, r := range resources {
		if r["Type"] == "AWS::IAM::Role" {
			found[id] = r
		}
	}
	return found
}

// SAM gives a function without a role one with managed policies, some of which allow
// their actions on everything in the account. The local stack would not see them.
func TestSAMAddsNoRights(t *testing.T) {
	t.Parallel()
	written := slices.Collect(maps.Keys(readDeployed(t).ofType("AWS::IAM::Role")))
	added := map[string][]string{}
	for _, schedule := range []string{"EveryMinute", "EveryMinute1", "EveryMinute2", "EveryMinute3"} {
		added["HousekeepingFunction"+schedule+"Role"] = []string{"lambda:InvokeFunction on HousekeepingFunction"}
	}
	for id, role := range roles(t) {
		if slices.Contains(written, id) {
			continue
		}
		want, known := added[id]
		if !assert.True(t, known, "SAM adds %s", id) {
			continue
		}
		var rights []string
		for _, s := range roleStatements(role) {
			rights = append(rights, fmt.Sprintf("%v on %s", s["Action"], strings.Join(attributeOwners(s["Resource"]), ", ")))
		}
		assert.Equal(t, want, rights, id)
	}
}

// attributeOwners returns the resources in Fn::GetAtt, in its long form.
func attributeOwners(value any) []string {
	var owners []string
	for _, v := range list(value) {
		if attribute, ok := at(v, "Fn::GetAtt").([]any); ok {
			owners = append(owners, fmt.Sprint(attribute[0]))
		}
	}
	return owners
}

// roleStatements returns the statements of a role's policies.
func roleStatements(role map[string]any) []map[string]any {
	var all []map[string]any
	policies, _ := at(role, "Properties", "Policies").([]any)
	for _, p := range policies {
		for _, s := range at(p, "PolicyDocument", "Statement").([]any) {
			if choice, ok := at(s, "Fn::If").([]any); ok {
				s = choice[1]
			}
			all = append(all, s.(map[string]any))
		}
	}
	return all
}

// wild are the rights on resources that the template cannot name.
var wild = map[string]string{
	"xray:PutTraceSegments *":                         "X-Ray knows no resource for it",
	"xray:PutTelemetryRecords *":                      "X-Ray knows no resource for it",
	"secretsmanager:GetSecretValue":                   "operators create the certificates for banks, below one name",
	"dynamodb:DescribeStream":                         "a stream's name is the time of its creation",
	"dynamodb:GetRecords":                             "a stream's name is the time of its creation",
	"dynamodb:GetShardIterator":                       "a stream's name is the time of its creation",
	"lambda:GetProvisionedConcurrencyConfig":          "CodeDeploy asks for a version, whose number is not known",
	"s3:GetObject":                                    "SES names the objects",
	"s3:DeleteObject":                                 "SES names the objects",
	"cloudwatch:DescribeAlarms":                       "it cannot be limited to some alarms",
	"lambda:GetAlias":                                 "letter-dispatch needs the API, which needs aliases that the role moves",
	"lambda:UpdateAlias":                              "the same",
	"lambda:InvokeFunction":                           "the same",
	"codedeploy:PutLifecycleEventHookExecutionStatus": "a deployment group needs the function, whose role this is",
	"ses:SendEmail":                                   "while SES is asked for the recipient's identity, which nobody knows before",
	"ses:SendRawEmail":                                "the same",
	"dynamodb:ListStreams *":                          "it lists the names of streams, and has no resource",
}

func TestRightsAreForNamedResources(t *testing.T) {
	t.Parallel()
	for id, role := range roles(t) {
		assert.Empty(t, at(role, "Properties", "ManagedPolicyArns"), "%s: what a managed policy allows is not in the template", id)
		for _, s := range roleStatements(role) {
			for _, action := range list(s["Action"]) {
				assert.NotContains(t, action, "*", id)
				for _, resource := range list(s["Resource"]) {
					text, isText := resource.(string)
					if sub, ok := at(resource, "Fn::Sub").(string); ok {
						text, isText = strings.TrimPrefix(sub, "arn:"), true
					}
					switch {
					case isText && text == "*":
						assert.Contains(t, wild, fmt.Sprint(action, " *"), "%s: %v on everything", id, action)
					case id == "RestoreRole" && strings.Contains(text, "*"):
						assert.True(t, strings.HasSuffix(text, ":table/${AWS::StackName}-*"), "%s: what it restores has a new name", id)
					case isText && strings.Contains(text, "*"):
						assert.Contains(t, wild, action, "%s: %v on %s", id, action, text)
						assert.Regexp(t, `:secret:aviso/\$\{Environment\}/banks/\*$|^\$\{(Outbox|Notification)Table\.Arn\}/stream/\*$|`+
							`:function:\$\{AWS::StackName\}-\*$|:cloudwatch:.*:alarm:\*$|^\$\{MailBucket\.Arn\}/mail/\*$|`+
							`:identity/\*$|-LetterDispatchFunction-\*$|:deploymentgroup:\$\{AWS::StackName\}-\*/\*$`, text, id)
					}
				}
			}
		}
	}
}

// The role in each function is the one that the local stack checks.
func TestEveryFunctionHasItsOwnRole(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	resources, err := transformed()
	require.NoError(t, err)
	owner := map[string]string{}
	for id, f := range d.ofType("AWS::Serverless::Function") {
		want := strings.TrimSuffix(id, "Function") + "Role"
		assert.Equal(t, map[string]any{"Fn::GetAtt": want + ".Arn"}, at(f, "Properties", "Role"), id)
		assert.Equal(t, f["Condition"], d.resources[want]["Condition"], id)
		assert.Nil(t, at(f, "Properties", "Policies"), "%s: SAM ignores them next to a role", id)
		after, _ := at(resources[id], "Properties", "Role", "Fn::GetAtt").([]any)
		if assert.NotEmpty(t, after, id) {
			role := fmt.Sprint(after[0])
			assert.Equal(t, want, role)
			assert.Empty(t, owner[role], "%s and %s share a role", id, owner[role])
			owner[role] = id
		}
	}
}
