package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

const snippets = checkout + "/docs/snippets"

// samples returns the operations in an order in which each sample finds what it needs.
func samples(t *testing.T) []string {
	t.Helper()
	file, err := os.ReadFile(snippets + "/order.txt")
	require.NoError(t, err)
	var operations []string
	for line := range strings.Lines(string(file)) {
		operations = append(operations, strings.Fields(line)[0])
	}
	return operations
}

// afterSample has shell commands that follow a sample. They take from its answer what later
// samples need.
func afterSample(operation string) string {
	return map[string]string{
		"createToken":               `TOKEN=$(answer access_token)`,
		"createUser":                `USER_ID=$(answer data.user.userId)`,
		"acceptTerms":               otherTerms,
		"listProviders":             `PROVIDER_ID=$(answer 'data.providers[0].id')`,
		"createConnection":          approval,
		"listAccounts":              `ACCOUNT_ID=$(answer 'data.accounts[0].accountId')`,
		"listTransactions":          `TRANSACTION_ID=$(answer 'data.transactions[0].id')`,
		"listRecurringContracts":    `SUBSCRIPTION_ID=$(answer 'data.subscriptions[0].subscriptionId')`,
		"searchCatalogue":           `ORGANIZATION_ID=$(answer 'data.organizations[0].id')`,
		"listProducts":              `PRODUCT_ID=$(answer 'data.products[0].productId')`,
		"createCancellation":        `CANCELLATION_ID=$(answer data.cancellation.cancellationId)`,
		"getCancellationLetter":     `head -c 5 letter.pdf`,
		"createWebhookSubscription": `SUBSCRIPTION_ID=$(answer data.subscription.subscriptionId)`,
		"listWebhookSecrets":        `SECRET_ID=$(answer 'data.secrets[0].secretId')`,
		"listReplies":               `REPLY_ID=$(answer 'data.replies[0].replyId')`,
		"getClock":                  ready,
		"createExport":              `EXPORT_ID=$(answer data.export.exportId)`,
		"deleteUser":                `ERASURE_ID=$(answer data.erasure.erasureId)`,
	}[operation]
}

const (
	// beforeSamples makes curl fail on every answer that is not 2xx.
	beforeSamples = `
CLIENT_ID=sandbox-2 CLIENT_SECRET=sandbox-2-secret
answer() { node -p "JSON.parse(require('fs').readFileSync('answer')).$1"; }
curl() { command curl -sS --fail-with-body "$@"; }
`
	otherTerms = `
for TERMS in BankingSupplier CancellationProvider; do
  curl -o accepted "$BASE_URL/identity/v1/users/$USER_ID/terms-acceptances" -H "Authorization: Bearer $TOKEN" \
    -H "Content-Type: application/json" -d "{\"termsType\": \"$TERMS\", \"version\": \"2026-01\"}"
done
`
	// approval is what the user does at the bank, and the wait for the first read.
	approval = `
CONNECTION_ID=$(answer data.connectionId)
PAGE=$(curl -c jar -o page -w '%{redirect_url}' "$(answer data.redirectUrl)")
BACK=$(curl -o page -w '%{redirect_url}' -d persona=anna -d 'account[]=current' -d decision=approve "$PAGE")
curl -b jar -o page "$BACK"
for i in $(seq 60); do
  curl "$BASE_URL/openbanking/v1/connections/$CONNECTION_ID" -H "Authorization: Bearer $TOKEN" \
    -H "X-User-Id: $USER_ID" >answer
  case $(answer data.connection.lastSuccessAt) in 0001-*) sleep 0.5 ;; *) break ;; esac
done
`
	// ready waits until the user's clock has been advanced.
	ready = `
for i in $(seq 120); do
  case $(answer data.clock.status) in Advancing) sleep 0.5 ;; *) break ;; esac
  run >answer
done
`
)

// samplesScript returns a script that runs every sample of curl. The letter may be gone before it
// is withdrawn.
func samplesScript(t *testing.T, url string) string {
	t.Helper()
	var script strings.Builder
	script.WriteString("BASE_URL=" + url + beforeSamples)
	for _, operation := range samples(t) {
		code, err := os.ReadFile(filepath.Join(snippets, "curl", operation+".sh"))
		require.NoError(t, err)
		script.WriteString("echo '" + operation + "'\nrun() {\n" + string(code) + "}\n" +
			"run >answer || grep -E 'cancellation_not_withdrawable|problems/conflict' answer\n" + afterSample(operation) + "\n")
	}
	return script.String()
}

func TestEveryOperationHasASample(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile(checkout + "/docs/openapi.yaml")
	require.NoError(t, err)
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string `yaml:"operationId"`
		}
	}
	require.NoError(t, yaml.Unmarshal(file, &document))
	var want []string
	for _, item := range document.Paths {
		for _, o := range item {
			want = append(want, o.OperationID)
		}
	}
	assert.ElementsMatch(t, want, samples(t), "samples that run")
	files, err := filepath.Glob(snippets + "/*/*")
	require.NoError(t, err)
	have := map[string][]string{}
	for _, file := range files {
		language, name := filepath.Base(filepath.Dir(file)), filepath.Base(file)
		have[language] = append(have[language], strings.TrimSuffix(name, filepath.Ext(name)))
	}
	require.Contains(t, have, "curl")
	for language, operations := range have {
		assert.ElementsMatch(t, want, operations, "samples in docs/snippets/%s", language)
	}
}
