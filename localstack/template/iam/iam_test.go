package iam_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/template"
	"aviso/localstack/template/iam"
)

const arn = "arn:aws:dynamodb:eu-central-1:000000000000:table/"

func account() *iam.Guard {
	return &iam.Guard{
		PartitionKeys: map[string]string{"T": "pk", "U": "pk"}, Identities: []template.EmailIdentity{{Name: "b.c"}},
	}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		target, body string
		want         []string
	}{
		"one item":         {"DynamoDB_20120810.GetItem", `{"TableName":"T","Key":{"pk":{"S":"a"}}}`, []string{"dynamodb:GetItem on " + arn + "T"}},
		"an index":         {"DynamoDB_20120810.Query", `{"TableName":"T","IndexName":"due"}`, []string{"dynamodb:Query on " + arn + "T/index/due"}},
		"a batch":          {"DynamoDB_20120810.BatchWriteItem", `{"RequestItems":{"T":[]}}`, []string{"dynamodb:BatchWriteItem on " + arn + "T"}},
		"a check":          {"DynamoDB_20120810.TransactWriteItems", `{"TransactItems":[{"ConditionCheck":{"TableName":"T"}}]}`, []string{"dynamodb:ConditionCheckItem on " + arn + "T"}},
		"two writes":       {"DynamoDB_20120810.TransactWriteItems", `{"TransactItems":[{"Put":{"TableName":"T"}},{"Delete":{"TableName":"U"}}]}`, []string{"dynamodb:PutItem on " + arn + "T", "dynamodb:DeleteItem on " + arn + "U"}},
		"a message":        {"AmazonSQS.SendMessageBatch", `{"QueueUrl":"http://127.0.0.1/000000000000/Q"}`, []string{"sqs:SendMessage on arn:aws:sqs:eu-central-1:000000000000:Q"}},
		"a secret":         {"secretsmanager.GetSecretValue", `{"SecretId":"arn:x"}`, []string{"secretsmanager:GetSecretValue on arn:x"}},
		"a secret by name": {"secretsmanager.GetSecretValue", `{"SecretId":"banks/x"}`, []string{"secretsmanager:GetSecretValue on arn:aws:secretsmanager:eu-central-1:000000000000:secret:banks/x-000000"}},
		"a mail": {"", `{"ConfigurationSetName":"set","Content":{"Raw":{"Data":"RnJvbTogQSA8YUBiLmM+DQoNCg=="}}}`, []string{
			"ses:SendRawEmail on arn:aws:ses:eu-central-1:000000000000:identity/b.c", "ses:SendRawEmail on arn:aws:ses:eu-central-1:000000000000:configuration-set/set",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodPost, "/v2/email/outbound-emails", nil)
			if c.target != "" {
				r.Header.Set("X-Amz-Target", c.target)
			}
			requests, err := account().Requests(r, []byte(c.body))
			require.NoError(t, err)
			var got []string
			for _, request := range requests {
				got = append(got, request.String())
			}
			assert.Equal(t, c.want, got)
		})
	}
	_, err := account().Requests(httptest.NewRequest(http.MethodGet, "/elsewhere", nil), []byte("{}"))
	require.ErrorContains(t, err, "does not know which permissions")
}

func TestAllowed(t *testing.T) {
	t.Parallel()
	statements := []template.Statement{
		{Actions: []string{"dynamodb:GetItem", "dynamodb:Query"}, Resources: []template.Value{arn + "T"}},
		{
			Actions:     []string{"dynamodb:BatchGetItem", "dynamodb:Query"},
			Resources:   []template.Value{arn + "U", arn + "U/index/*"},
			LeadingKeys: []string{"ORGANIZATION#*", "CATALOGUE"},
		},
	}
	for name, c := range map[string]struct {
		target, body string
		want         bool
	}{
		"the named table":             {"GetItem", `{"TableName":"T"}`, true},
		"no index":                    {"Query", `{"TableName":"T","IndexName":"","Key":null}`, true},
		"another action":              {"PutItem", `{"TableName":"T"}`, false},
		"another table":               {"GetItem", `{"TableName":"TT"}`, false},
		"an index of the table":       {"Query", `{"TableName":"T","IndexName":"due"}`, false},
		"any index of the other":      {"Query", `{"TableName":"U","IndexName":"due"}`, true},
		"the keys of the condition":   {"BatchGetItem", `{"RequestItems":{"U":{"Keys":[{"pk":{"S":"ORGANIZATION#1"}},{"pk":{"S":"CATALOGUE"}}]}}}`, true},
		"one key that does not match": {"BatchGetItem", `{"RequestItems":{"U":{"Keys":[{"pk":{"S":"ORGANIZATION#1"}},{"pk":{"S":"P#acme"}}]}}}`, false},
		"a query of such a key": {"Query", `{"TableName":"U","KeyConditionExpression":"#0 = :0 AND begins_with(sk, :1)",
			"ExpressionAttributeNames":{"#0":"pk"},"ExpressionAttributeValues":{":0":{"S":"CATALOGUE"},":1":{"S":"x"}}}`, true},
		"a query of another": {"Query", `{"TableName":"U","KeyConditionExpression":"#0 = :0",
			"ExpressionAttributeNames":{"#0":"pk"},"ExpressionAttributeValues":{":0":{"S":"P#acme"}}}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodPost, "/", nil)
			r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+c.target)
			requests, err := account().Requests(r, []byte(c.body))
			require.NoError(t, err)
			require.Len(t, requests, 1)
			assert.Equal(t, c.want, iam.Allowed(statements, requests[0]))
		})
	}
}

func TestGuard(t *testing.T) {
	t.Parallel()
	signed := ""
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		signed = r.Header.Get("Authorization")
		_, _ = io.Copy(w, r.Body)
	}))
	defer service.Close()
	var denied []string
	mayRead := []template.Statement{{Actions: []string{"dynamodb:GetItem"}, Resources: []template.Value{arn + "T"}}}
	guard := account()
	guard.Policies = map[string][]template.Statement{"reader": mayRead, "bank-sync": mayRead}
	guard.Denied = func(reason string) { denied = append(denied, reason) }
	client := guard.Client(http.DefaultClient)
	call := func(key, operation string) (status int, errorType, body string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, service.URL, strings.NewReader(`{"TableName":"T"}`))
		require.NoError(t, err)
		r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
		if key != "" {
			r.Header.Set(
				"Authorization",
				"AWS4-HMAC-SHA256 Credential="+key+"/20260302/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
			)
		}
		answer, err := client.Do(r)
		require.NoError(t, err)
		defer func() { _ = answer.Body.Close() }()
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, answer.Header.Get("X-Amzn-Errortype"), string(text)
	}
	refuses := func(key, operation string) {
		t.Helper()
		status, errorType, _ := call(key, operation)
		assert.Equal(t, http.StatusForbidden, status)
		assert.Equal(t, "AccessDeniedException", errorType)
	}
	for _, name := range []string{"reader", "bank-sync"} {
		status, _, body := call(name, "GetItem")
		assert.Equal(t, http.StatusOK, status)
		assert.JSONEq(t, `{"TableName":"T"}`, body, "the call as it came")
	}
	assert.Contains(t, signed, "Credential=banksync/20260302/", "DynamoDB Local wants letters and digits")
	assert.Empty(t, denied)

	refuses("reader", "Scan")
	refuses("stranger", "GetItem")
	refuses("", "GetItem")
	assert.Equal(t, []string{
		"the policies of reader in template.yaml do not allow dynamodb:Scan on " + arn + "T",
		`there is no function "stranger"`, "the call is not signed",
	}, denied)
}
