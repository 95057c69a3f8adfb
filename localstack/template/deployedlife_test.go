package template_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"
)

// When a creation is rolled back, CloudFormation deletes what has RetainExceptOnCreate.
// It cannot delete a protected table, so the first deployment protects none.
func TestAFailedFirstDeploymentLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for id, r := range d.resources {
		assert.Contains(t, []any{nil, "Delete", "RetainExceptOnCreate"}, r["DeletionPolicy"], id)
	}
	assert.Equal(t, map[string]any{"Fn::And": []any{
		map[string]any{"Condition": "IsDurable"},
		map[string]any{"Fn::Equals": []any{map[string]any{"Ref": "DeletionProtection"}, "true"}},
	}}, d.conditions["IsProtected"])
}

// The carriers of the sandbox go with the stack, and so does their secret.
var disposableSecrets = []string{"CarrierSecret"}

// Tables that outlive their stack can be read only with the secrets that seal their rows.
func TestSecretsAreKeptWithTheTables(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for id, s := range d.ofType("AWS::SecretsManager::Secret") {
		if slices.Contains(disposableSecrets, id) {
			assert.Equal(t, "HasSandbox", s["Condition"], id)
			continue
		}
		assert.Equal(t, "RetainExceptOnCreate", s["DeletionPolicy"], id)
		assert.Equal(t, "Retain", s["UpdateReplacePolicy"], id)
	}
}

// What outlives its stack, no update may replace or delete either. A mail identity has no
// data.
func TestTheStackPolicyCoversWhatIsKept(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../ops/stack-policy.json")
	require.NoError(t, err)
	covered := gjson.GetBytes(text, `Statement.#(Effect=="Deny").Condition.StringEquals.ResourceType`).String()
	kept := 0
	for id, r := range readDeployed(t).resources {
		if r["DeletionPolicy"] == "RetainExceptOnCreate" && r["Type"] != "AWS::SES::EmailIdentity" {
			kept++
			assert.Contains(t, covered, `"`+r["Type"].(string)+`"`, id)
		}
	}
	assert.Greater(t, kept, 7)
}

func TestThePartnersAddressIsTheOutput(t *testing.T) {
	t.Parallel()
	choice, _ := at(readDeployed(t).outputs["ApiUrl"], "Value", "Fn::If").([]any)
	require.Len(t, choice, 3, "with a domain, API Gateway's own address is closed, or leads past what is in front of it")
	assert.Equal(t, []any{"HasBaseUrl", map[string]any{"Ref": "BaseUrl"}}, choice[:2])
}

// The operators' own secrets may have a key of their own.
func TestSecretsUnderACustomerKeyCanBeRead(t *testing.T) {
	t.Parallel()
	d := readDeployed(t)
	for id := range d.ofType("AWS::Serverless::Function") {
		foreign, decrypts := false, false
		for _, s := range d.statements(id) {
			resources := named(s["Resource"])
			if slices.Contains(list(s["Action"]), any("secretsmanager:GetSecretValue")) {
				foreign = foreign || slices.ContainsFunc(resources, func(name string) bool {
					return slices.Contains([]string{"PostCredentials", "EvidenceKey", "ConsoleSignIn", "Environment"}, name)
				})
			}
			if slices.Contains(list(s["Action"]), any("kms:Decrypt")) {
				decrypts = true
				assert.Equal(t, []string{"SecretsKeyArn"}, resources, id)
				via, _ := at(s, "Condition", "StringEquals", "kms:ViaService", "Fn::Sub").(string)
				assert.Equal(t, "secretsmanager.${AWS::Region}.amazonaws.com", via, id)
			}
		}
		assert.Equal(t, foreign, decrypts, id)
	}
}

// The command line waits 60 s for an answer and then calls again, unless told otherwise.
func TestOperatorsWaitAsLongAsTheirFunction(t *testing.T) {
	t.Parallel()
	timeout := readDeployed(t).property("OperatorFunction", "Timeout")
	invoke := regexp.MustCompile(`(?m)^.*aws lambda invoke --function-name .{0,14}(?i:operator)(?:.*\\\n)*.*$`)
	for _, page := range []string{"runbook", "rotation", "operator"} {
		text, err := os.ReadFile("../../docs/" + page + ".md")
		require.NoError(t, err)
		calls := invoke.FindAllString(string(text), -1)
		assert.NotEmpty(t, calls, page)
		for _, call := range calls {
			assert.Contains(t, call, "AWS_MAX_ATTEMPTS=1 aws", "%s: a command must not run twice", page)
			wait := regexp.MustCompile(`--cli-read-timeout (\d+)`).FindStringSubmatch(call)
			require.NotNil(t, wait, call)
			seconds, err := strconv.Atoi(wait[1])
			require.NoError(t, err)
			assert.Greater(t, seconds, timeout, page)
		}
	}
}
