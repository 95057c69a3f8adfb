package provision_test

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	secrettypes "github.com/aws/aws-sdk-go-v2/service/secretsmanager/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/stack/provision"
	"aviso/localstack/stack/secrets"
	"aviso/localstack/template"
	"aviso/localstack/tests/testenv"
)

func unique() string { return uuid.NewString()[:8] + "-" }

func TestTables(t *testing.T) {
	t.Parallel()
	client, tpl := testenv.Emulator(t), testenv.Template(t)

	t.Run("a second run keeps the data", func(t *testing.T) {
		prefix := unique()
		names, err := provision.Tables(t.Context(), client, tpl, prefix)
		require.NoError(t, err)
		assert.Len(t, names, len(tpl.Tables))
		table := names["OutboxTable"]
		assert.Equal(t, prefix+"OutboxTable", table)
		key := map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "x"}}
		_, err = client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: key})
		require.NoError(t, err)

		again, err := provision.Tables(t.Context(), client, tpl, prefix)
		require.NoError(t, err)
		assert.Equal(t, names, again)
		out, err := client.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &table, Key: key})
		require.NoError(t, err)
		assert.NotEmpty(t, out.Item)
	})

	t.Run("the time to live is set", func(t *testing.T) {
		table := testenv.EmulatorTable(t, "IdempotencyTable")
		out, err := client.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: &table})
		require.NoError(t, err)
		assert.Equal(t, "expiresAt", aws.ToString(out.TimeToLiveDescription.AttributeName))
	})

	t.Run("a table that differs is an error that says how", func(t *testing.T) {
		name := unique() + "T"
		key := func(name string) []types.KeySchemaElement {
			return []types.KeySchemaElement{{AttributeName: &name, KeyType: types.KeyTypeHash}}
		}
		defined := func(projection types.ProjectionType, stream *types.StreamSpecification) template.Table {
			return template.Table{ID: "T", Definition: dynamodb.CreateTableInput{
				BillingMode: types.BillingModePayPerRequest, KeySchema: key("pk"), StreamSpecification: stream,
				AttributeDefinitions: []types.AttributeDefinition{
					{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
					{AttributeName: aws.String("due"), AttributeType: types.ScalarAttributeTypeS},
				},
				GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
					IndexName: aws.String("byDue"), KeySchema: key("due"), Projection: &types.Projection{ProjectionType: projection},
				}},
			}}
		}
		require.NoError(t, provision.Table(t.Context(), client, defined(types.ProjectionTypeKeysOnly, nil), name))
		wants := defined(types.ProjectionTypeAll, &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage,
		})
		err := provision.Table(t.Context(), client, wants, name)
		require.ErrorContains(t, err, `has ["byDue( due ) KEYS_ONLY[]" "due is S" "key( pk )" "pk is S"], but`)
		require.ErrorContains(t, err, `the template has ["byDue( due ) ALL[]" "due is S" "key( pk )" "pk is S" "stream of NEW_IMAGE"]`)
		require.ErrorContains(t, err, "remove the data folder")
	})
}

func TestQueues(t *testing.T) {
	t.Parallel()
	client, tpl, prefix := testenv.SQS(t), testenv.Template(t), unique()
	urls, err := provision.Queues(t.Context(), client, tpl, prefix)
	require.NoError(t, err)
	again, err := provision.Queues(t.Context(), client, tpl, prefix)
	require.NoError(t, err)
	assert.Equal(t, urls, again)

	attributes := func() map[string]string {
		out, err := client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{
			QueueUrl: aws.String(urls["SyncQueue"]), AttributeNames: []sqstypes.QueueAttributeName{sqstypes.QueueAttributeNameAll},
		})
		require.NoError(t, err)
		return out.Attributes
	}
	assert.Equal(t, "722", attributes()["VisibilityTimeout"])
	assert.JSONEq(t, `{"deadLetterTargetArn":"arn:aws:sqs:eu-central-1:000000000000:`+prefix+`SyncDeadLetters","maxReceiveCount":5}`,
		attributes()["RedrivePolicy"])

	changed := *tpl
	changed.Queues = append([]template.Queue(nil), tpl.Queues...)
	for i := range changed.Queues {
		changed.Queues[i].VisibilityTimeout *= 2
	}
	_, err = provision.Queues(t.Context(), client, &changed, prefix)
	require.NoError(t, err)
	assert.Equal(t, "1444", attributes()["VisibilityTimeout"], "a queue takes the template's new values")
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secrets.json")
	open := func() *secretsmanager.Client {
		store, err := secrets.Open(path)
		require.NoError(t, err)
		server := httptest.NewServer(store)
		t.Cleanup(server.Close)
		return secretsmanager.NewFromConfig(testenv.Config(server.URL))
	}
	value := func(client *secretsmanager.Client, id string) string {
		out, err := client.GetSecretValue(t.Context(), &secretsmanager.GetSecretValueInput{SecretId: &id})
		require.NoError(t, err)
		return aws.ToString(out.SecretString)
	}
	tpl, client := testenv.Template(t), open()
	arns, err := provision.Secrets(t.Context(), client, tpl)
	require.NoError(t, err)

	t.Run("a value is made as the template says, and found by ARN and by name", func(t *testing.T) {
		first := value(client, arns["SigningSecret"])
		var members map[string]string
		require.NoError(t, json.Unmarshal([]byte(first), &members))
		assert.Regexp(t, `^[0-9A-Za-z]{64}$`, members["current"])
		assert.Equal(t, first, value(client, "SigningSecret"))
		assert.NotEqual(t, first, value(client, "SealingSecret"))
	})

	t.Run("a restart keeps the values", func(t *testing.T) {
		before, restarted := value(client, "SigningSecret"), open()
		again, err := provision.Secrets(t.Context(), restarted, tpl)
		require.NoError(t, err)
		assert.Equal(t, arns, again)
		assert.Equal(t, before, value(restarted, "SigningSecret"))
	})

	t.Run("an unknown secret is AWS's own error", func(t *testing.T) {
		_, err := client.GetSecretValue(t.Context(), &secretsmanager.GetSecretValueInput{SecretId: aws.String("other")})
		var notFound *secrettypes.ResourceNotFoundException
		require.ErrorAs(t, err, &notFound)
	})

	t.Run("a value is replaced, by ARN or by name, and stays so", func(t *testing.T) {
		for _, id := range []string{arns["SealingSecret"], "SealingSecret"} {
			_, err := client.PutSecretValue(t.Context(),
				&secretsmanager.PutSecretValueInput{SecretId: &id, SecretString: aws.String("new by " + id)})
			require.NoError(t, err)
			assert.Equal(t, "new by "+id, value(open(), "SealingSecret"))
		}
		_, err := client.PutSecretValue(t.Context(),
			&secretsmanager.PutSecretValueInput{SecretId: aws.String("other"), SecretString: aws.String("x")})
		var notFound *secrettypes.ResourceNotFoundException
		require.ErrorAs(t, err, &notFound)
	})

	t.Run("nobody else may read the file", func(t *testing.T) {
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	})
}
