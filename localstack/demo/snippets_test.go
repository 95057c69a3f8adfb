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

const snippets = checkout + "/docs/snippets/curl"

// sample is a sample of docs/snippets, and what follows it: shell commands that take from its
// answer what later samples need.
type sample struct{ operation, then string }

// samples lists the samples in an order in which each finds what it needs.
func samples() []sample {
	return []sample{
		{"createToken", `TOKEN=$(answer access_token)`},
		{"getKeySet", ""},
		{"getAuthorizationServerMetadata", ""},
		{"getDocument", ""},
		{"listTerms", ""},
		{"createUser", `USER_ID=$(answer data.user.userId)`},
		{"findUser", ""},
		{"getUser", ""},
		{"updateUser", ""},
		{"acceptTerms", otherTerms},
		{"listTermsAcceptances", ""},
		{"listProviderCountries", ""},
		{"listProviders", `PROVIDER_ID=$(answer 'data.providers[0].id')`},
		{"getProvider", ""},
		{"createOpenBankingClient", ""},
		{"createConnection", approval},
		{"listConnections", ""},
		{"getConnection", ""},
		{"listAccounts", `ACCOUNT_ID=$(answer 'data.accounts[0].accountId')`},
		{"listTransactions", `TRANSACTION_ID=$(answer 'data.transactions[0].id')`},
		{"getTransaction", ""},
		{"listTransactionChanges", ""},
		{"listTransactionCategories", ""},
		{"updateTransaction", ""},
		{"deleteTransactionCategory", ""},
		{"listCategoryInsights", ""},
		{"listMerchantInsights", ""},
		{"listRecurringContracts", ""},
		{"createTestTransactions", ""},
		{"refreshConnection", ""},
		{"reconnectConnection", ""},
		{"deleteConnection", ""},
		{"listCancellationCategories", ""},
		{"listOrganizations", ""},
		{"searchCatalogue", `ORGANIZATION_ID=$(answer 'data.organizations[0].id')`},
		{"getOrganization", ""},
		{"listProducts", `PRODUCT_ID=$(answer 'data.products[0].productId')`},
		{"getProduct", ""},
		{"createCancellation", `CANCELLATION_ID=$(answer data.cancellation.cancellationId)`},
		{"withdrawCancellation", ""},
		{"getCancellation", ""},
		{"listCancellations", ""},
		{"getCancellationLetter", `head -c 5 letter.pdf`},
		{"listEventTypes", ""},
		{"createWebhookSubscription", `SUBSCRIPTION_ID=$(answer data.subscription.subscriptionId)
SECRET_ID=$(answer data.secret.secretId)`},
		{"simulateEvent", ""},
		{"listDeliveryAttempts", ""},
		{"listWebhookSubscriptions", ""},
		{"getWebhookSubscription", ""},
		{"updateWebhookSubscription", ""},
		{"createWebhookSecret", ""},
		{"listWebhookSecrets", ""},
		{"deleteWebhookSecret", ""},
		{"updateWebhookSubscriptionStatus", ""},
		{"deleteWebhookSubscription", ""},
		{"deleteUser", `ERASURE_ID=$(answer data.erasure.erasureId)`},
		{"getErasure", ""},
	}
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
)

// samplesScript returns a script that runs every sample. The letter may be gone before it is
// withdrawn.
func samplesScript(t *testing.T, url string) string {
	t.Helper()
	var script strings.Builder
	script.WriteString("BASE_URL=" + url + beforeSamples)
	for _, s := range samples() {
		code, err := os.ReadFile(filepath.Join(snippets, s.operation+".sh"))
		require.NoError(t, err)
		script.WriteString("echo '" + s.operation + "'\nrun() {\n" + string(code) + "}\n" +
			"run >answer || grep cancellation_not_withdrawable answer\n" + s.then + "\n")
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
	var want, have, run []string
	for _, item := range document.Paths {
		for _, o := range item {
			want = append(want, o.OperationID)
		}
	}
	files, err := filepath.Glob(snippets + "/*.sh")
	require.NoError(t, err)
	for _, file := range files {
		have = append(have, strings.TrimSuffix(filepath.Base(file), ".sh"))
	}
	for _, s := range samples() {
		run = append(run, s.operation)
	}
	assert.ElementsMatch(t, want, have, "samples in docs/snippets/curl")
	assert.ElementsMatch(t, want, run, "samples that run")
}
