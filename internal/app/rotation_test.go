package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/app/identityfn"
	"aviso/internal/app/notificationfn"
	"aviso/internal/app/operatorfn"
	"aviso/internal/app/pfmfn"
	"aviso/internal/dynamo"
	"aviso/internal/identity/identitydb"
	"aviso/internal/notification/notificationdb"
	"aviso/internal/pfm/pfmdb"
	"aviso/internal/secret/keyring"
	"aviso/localstack/stack/provision"
	"aviso/localstack/stack/secrets"
	"aviso/localstack/stack/seed"
	"aviso/localstack/tests/apitest"
	"aviso/localstack/tests/pfmtest"
	"aviso/localstack/tests/testenv"
)

const (
	rootA = "root-a-0123456789abcdefghijklmnopqrstuvwxyz"
	rootB = "root-b-0123456789abcdefghijklmnopqrstuvwxyz"
)

// instance is a function as Lambda runs it, with its own clock for the check
// of its secrets.
type instance struct {
	lambda.Handler
	name string
	now  time.Time
}

// rotation is a service with several instances of each function, and everything its
// partner has ever received.
type rotation struct {
	*testing.T
	env                         map[string]string
	secrets                     *secretsmanager.Client
	identity, pfm, notification []*instance

	tokens, pages, keys, subscriptions []string
	steps                              int
}

func newRotation(t *testing.T) *rotation {
	t.Helper()
	store, err := secrets.Open(filepath.Join(t.TempDir(), "secrets.json"))
	require.NoError(t, err)
	server := httptest.NewServer(store)
	t.Cleanup(server.Close)
	r := &rotation{T: t, secrets: secretsmanager.NewFromConfig(testenv.Config(server.URL)), env: map[string]string{
		"ENVIRONMENT": "local", "BASE_URL": apitest.Base,
	}}
	for variable, table := range map[string]string{
		"IDENTITY_TABLE": "IdentityTable", "IDEMPOTENCY_TABLE": "IdempotencyTable", "PFM_TABLE": "PfmTable",
		"CANCELLATION_TABLE": "CancellationTable", "NOTIFICATION_TABLE": "NotificationTable", "OUTBOX_TABLE": "OutboxTable",
	} {
		r.env[variable] = testenv.Table(t, table)
	}
	arns, err := provision.Secrets(t.Context(), r.secrets, testenv.Template(t))
	require.NoError(t, err)
	r.env["SIGNING_SECRET"], r.env["SEALING_SECRET"] = arns["SigningSecret"], arns["SealingSecret"]
	r.env["WEBHOOK_SECRET"] = arns["WebhookSecret"]
	r.put(`{"current":"` + rootA + `"}`)
	maps.Copy(r.env, map[string]string{
		"AWS_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local",
		"AWS_ENDPOINT_URL_DYNAMODB": *testenv.DynamoDB(t).Options().BaseEndpoint, "AWS_ENDPOINT_URL_SECRETS_MANAGER": server.URL,
	})
	require.NoError(t, seed.Partners(t.Context(), identitydb.New(testenv.DynamoDB(t), r.env["IDENTITY_TABLE"]), "http://localhost:3000"))
	banks := pfmdb.New(testenv.DynamoDB(t), r.env["PFM_TABLE"], r.env["OUTBOX_TABLE"], time.Now, uuid.NewString)
	for i := range 3 {
		bank := pfmtest.Provider()
		bank.ID = pfmtest.ID(i + 1)
		require.NoError(t, banks.PutProvider(t.Context(), bank))
	}
	for i := range 2 {
		r.identity = append(r.identity, r.start(fmt.Sprint("identity ", i), identityfn.Build))
		r.pfm = append(r.pfm, r.start(fmt.Sprint("pfm ", i), pfmfn.Build))
		r.notification = append(r.notification, r.start(fmt.Sprint("notification ", i), notificationfn.Build))
	}
	return r
}

func (r *rotation) start(name string, build keyring.Builder) *instance {
	r.Helper()
	i := &instance{name: name, now: time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)}
	env := func(name string) string { return r.env[name] }
	handler, err := keyring.Reloading(r.Context(), env, func() time.Time { return i.now }, build)
	require.NoError(r, err)
	i.Handler = handler
	return i
}

// put writes all root secrets like an operator.
func (r *rotation) put(text string) {
	r.Helper()
	for _, id := range []string{r.env["SIGNING_SECRET"], r.env["SEALING_SECRET"], r.env["WEBHOOK_SECRET"]} {
		_, err := r.secrets.PutSecretValue(r.Context(), &secretsmanager.PutSecretValueInput{SecretId: &id, SecretString: &text})
		require.NoError(r, err)
	}
}

// renew advances the instance's clock, so that its next invocation checks.
func (r *rotation) renew(i *instance) { i.now = i.now.Add(keyring.CheckInterval) }

func (r *rotation) instances() []*instance { return slices.Concat(r.identity, r.pfm, r.notification) }

func (r *rotation) get(i *instance, path, token string) apitest.Response {
	r.Helper()
	header := map[string]string{"Authorization": "Bearer " + token}
	return apitest.Call(r.T, i, apitest.Request{Method: http.MethodGet, Path: path, Header: header})
}

// post writes something, with an idempotency key if there is one.
func (r *rotation) post(i *instance, path, token, key, body string) apitest.Response {
	r.Helper()
	header := map[string]string{"Authorization": "Bearer " + token, "Content-Type": "application/json"}
	if key != "" {
		header["Idempotency-Key"] = key
	}
	return apitest.Call(r.T, i, apitest.Request{Method: http.MethodPost, Path: path, Header: header, Body: body})
}

func (r *rotation) askToken(i *instance) apitest.Response {
	r.Helper()
	return apitest.Call(r.T, i, apitest.Request{
		Method: http.MethodPost, Path: "/oauth2/token", Header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"},
		Body: "grant_type=client_credentials&client_id=sandbox&client_secret=sandbox-secret",
	})
}

func (r *rotation) token(i *instance) string {
	r.Helper()
	res := r.askToken(i)
	require.Equal(r, http.StatusOK, res.StatusCode, res.Body)
	return res.Text("access_token")
}

// traffic creates something at every instance, and asks every instance for
// everything that any has created so far. No call may be refused.
func (r *rotation) traffic(when string) {
	r.Helper()
	r.steps++
	for n, i := range r.identity {
		r.tokens = append(r.tokens, r.token(i))
		key := fmt.Sprint("key-", r.steps, "-", n)
		made := r.post(i, "/identity/v1/users", r.tokens[len(r.tokens)-1], key, userBody)
		require.Equal(r, http.StatusCreated, made.StatusCode, when)
		require.Empty(r, made.Header("Idempotency-Replayed"))
		r.keys = append(r.keys, key)
	}
	newest := r.tokens[len(r.tokens)-1]
	for _, i := range r.pfm {
		for _, token := range r.tokens {
			res := r.get(i, oneBank, token)
			require.Equal(r, http.StatusOK, res.StatusCode, "%s: a token at %s: %s", when, i.name, res.Body)
			if token == newest {
				r.pages = append(r.pages, res.Text("meta", "pagination", "nextToken"))
			}
		}
		for _, page := range r.pages {
			res := r.get(i, oneBank+"&nextToken="+page, newest)
			require.Equal(r, http.StatusOK, res.StatusCode, "%s: a page token at %s: %s", when, i.name, res.Body)
		}
	}
	for _, i := range r.notification {
		res := r.post(i, subscriptions, newest, "", `{"serverUrl":"https://partner.example/aviso","events":["*"]}`)
		require.Equal(r, http.StatusCreated, res.StatusCode, when)
		r.subscriptions = append(r.subscriptions, res.Text("data", "subscription", "subscriptionId"))
	}
	r.opensSubscriptions(when)
	for _, i := range r.identity {
		for _, key := range r.keys {
			res := r.post(i, "/identity/v1/users", newest, key, userBody)
			require.Equal(r, http.StatusCreated, res.StatusCode, "%s: a stored answer at %s", when, i.name)
			require.Equal(r, "true", res.Header("Idempotency-Replayed"))
		}
	}
}

const (
	userBody      = `{"countryCode":"DE","languageCode":"de"}`
	oneBank       = "/openbanking/v1/providers?limit=1"
	subscriptions = "/webhooks/v1/subscriptions"
)

// opensSubscriptions makes every instance open all webhook signing keys.
func (r *rotation) opensSubscriptions(when string) {
	r.Helper()
	token := r.tokens[len(r.tokens)-1]
	for _, i := range r.notification {
		for _, id := range r.subscriptions {
			res := r.get(i, subscriptions+"/"+id+"/secrets", token)
			require.Equal(r, http.StatusOK, res.StatusCode, "%s: a signing key at %s", when, i.name)
		}
	}
}

// keyIDs returns the IDs in the key set of the first instance.
func (r *rotation) keyIDs() []string {
	r.Helper()
	set := apitest.Call(r.T, r.identity[0], apitest.Request{Method: http.MethodGet, Path: "/.well-known/jwks.json"})
	var ids []string
	for _, k := range set.List("keys") {
		ids = append(ids, k["kid"].(string))
	}
	return ids
}

func TestRotationRefusesNothing(t *testing.T) {
	r := newRotation(t)
	r.traffic("before")
	keyA := r.keyIDs()
	require.Len(t, keyA, 1)

	for step, text := range []string{`{"current":"` + rootA + `","next":"` + rootB + `"}`,
		`{"current":"` + rootB + `","previous":"` + rootA + `"}`} {
		r.put(text)
		order := r.instances()
		if step == 1 { // those behind the tokens' maker last, then first
			slices.Reverse(order)
		}
		for _, i := range order {
			r.renew(i)
			r.traffic(fmt.Sprint("step ", step+1, ", ", i.name, " has looked"))
		}
		assert.Len(t, r.keyIDs(), 2)
	}
	r.tokens = append(r.tokens, r.token(r.identity[0]))

	// Page tokens and stored answers have expired; webhook signing keys never do.
	first := r.reseal()
	assert.Equal(t, len(r.subscriptions), first.Secrets)
	assert.Positive(t, first.Resealed)
	assert.Equal(t, notificationdb.Resealed{Secrets: len(r.subscriptions)}, r.reseal())
	r.put(`{"current":"` + rootB + `"}`)
	for _, i := range r.instances() {
		r.renew(i)
	}
	r.opensSubscriptions("the previous root is gone")
	res := r.get(r.pfm[0], oneBank+"&nextToken="+r.pages[0], r.tokens[len(r.tokens)-1])
	assert.Equal(t, http.StatusBadRequest, res.StatusCode, "values of the previous root can no longer be opened")

	r.withdraw(keyA[0])
	assert.Len(t, r.keyIDs(), 1)
	assert.NotContains(t, r.keyIDs(), keyA[0])
	late := r.start("pfm, later", pfmfn.Build)
	assert.Equal(t, http.StatusUnauthorized, r.get(late, oneBank, r.tokens[0]).StatusCode, "tokens of the withdrawn key are invalid")
	assert.Equal(t, http.StatusOK, r.get(late, oneBank, r.tokens[len(r.tokens)-1]).StatusCode)
}

// reseal runs the operator command that reseals all webhook signing keys.
func (r *rotation) reseal() (done notificationdb.Resealed) {
	r.Helper()
	operator, err := operatorfn.New(r.Context(), func(name string) string {
		if value, ok := r.env[name]; ok || !strings.HasSuffix(name, "_URL") {
			return value
		}
		return "https://sqs.example/" + name // it sends nothing
	})
	require.NoError(r, err)
	out, err := operator.Invoke(r.Context(), []byte(`{"command":"reseal-webhook-keys"}`))
	require.NoError(r, err)
	require.NoError(r, json.Unmarshal(out, &done))
	return done
}

// withdraw does what docs/rotation.md tells operators to do.
func (r *rotation) withdraw(keyID string) {
	r.Helper()
	_, err := testenv.DynamoDB(r).UpdateItem(r.Context(), &dynamodb.UpdateItemInput{
		TableName:                 aws.String(r.env["IDENTITY_TABLE"]),
		Key:                       dynamo.Item{"pk": dynamo.S("SIGNING-KEYS"), "sk": dynamo.S("KEY#" + keyID)},
		UpdateExpression:          aws.String("SET withdrawn = :yes"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":yes": &types.AttributeValueMemberBOOL{Value: true}},
	})
	require.NoError(r, err)
}

// This is why a rotation has a first step.
func TestRotationInOneStepBreaksOtherInstances(t *testing.T) {
	r := newRotation(t)
	r.traffic("before")
	r.put(`{"current":"` + rootB + `","previous":"` + rootA + `"}`)
	ahead, behind := r.pfm[0], r.pfm[1]
	r.renew(ahead)
	next := oneBank + "&nextToken=" + r.get(ahead, oneBank, r.tokens[0]).Text("meta", "pagination", "nextToken")
	assert.Equal(t, http.StatusBadRequest, r.get(behind, next, r.tokens[0]).StatusCode)
	r.renew(behind)
	assert.Equal(t, http.StatusOK, r.get(behind, next, r.tokens[0]).StatusCode)
}

func TestWithdrawnKeyIsNotPublishedAgain(t *testing.T) {
	r := newRotation(t)
	r.tokens = append(r.tokens, r.token(r.identity[0]))
	r.withdraw(r.keyIDs()[0])
	res := r.askToken(r.identity[1]) // has published nothing yet
	assert.Equal(t, http.StatusInternalServerError, res.StatusCode, "no token is issued that every instance would refuse")
	r.put(`{"current":"` + rootB + `"}`)
	r.renew(r.identity[1])
	assert.Equal(t, http.StatusOK, r.get(r.pfm[0], oneBank, r.token(r.identity[1])).StatusCode)
	assert.Len(t, r.keyIDs(), 1)
}
