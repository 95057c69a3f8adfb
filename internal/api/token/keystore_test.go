package token_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/token"
	"aviso/internal/aws/config"
	"aviso/internal/observe"
	"aviso/localstack/tests/testenv"
)

func TestSigningKeys(t *testing.T) {
	store := token.NewKeyStore(testenv.DynamoDB(t), testenv.Table(t, "IdentityTable"))
	empty, err := store.PublicKeys(t.Context())
	require.NoError(t, err)
	assert.Empty(t, empty)

	ids := map[string]bool{}
	for _, root := range []string{"first root of the signing keys, 32+", "second root of the signing keys, 32+"} {
		key, err := token.NewSigningKey(root)
		require.NoError(t, err)
		for range 2 { // publishing again changes nothing
			require.NoError(t, store.PublishKey(t.Context(), key.Public()))
		}
		ids[key.ID] = true
	}
	keys, err := store.PublicKeys(t.Context())
	require.NoError(t, err)
	require.Len(t, keys, 2)
	for _, k := range keys {
		assert.True(t, ids[k.KeyID])
		assert.True(t, k.IsPublic())
		assert.Equal(t, "ES256", k.Algorithm)
	}
}

func TestWithdrawnSigningKey(t *testing.T) {
	db, table := testenv.DynamoDB(t), testenv.Table(t, "IdentityTable")
	store := token.NewKeyStore(db, table)
	keys := make([]token.SigningKey, 2)
	for i, root := range []string{"first root of the signing keys, 32+", "second root of the signing keys, 32+"} {
		var err error
		keys[i], err = token.NewSigningKey(root)
		require.NoError(t, err)
		require.NoError(t, store.PublishKey(t.Context(), keys[i].Public()))
	}
	_, err := db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{ // as in docs/rotation.md
		TableName:        &table,
		UpdateExpression: aws.String("SET withdrawn = :yes"),
		Key: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: "SIGNING-KEYS"},
			"sk": &types.AttributeValueMemberS{Value: "KEY#" + keys[0].ID},
		},
		ExpressionAttributeValues: map[string]types.AttributeValue{":yes": &types.AttributeValueMemberBOOL{Value: true}},
	})
	require.NoError(t, err)
	require.Error(t, store.PublishKey(t.Context(), keys[0].Public()), "an instance that still has it cannot publish it again")
	require.NoError(t, store.PublishKey(t.Context(), keys[1].Public()))
	held, err := store.PublicKeys(t.Context())
	require.NoError(t, err)
	require.Len(t, held, 1)
	assert.Equal(t, keys[1].ID, held[0].KeyID)
}

// Whoever may publish a key of evidence must not be able to publish one of access tokens.
func TestKeysOfEvidenceAreApart(t *testing.T) {
	db, table := testenv.DynamoDB(t), testenv.Table(t, "IdentityTable")
	key, err := token.NewSigningKey("first root of the signing keys, 32+")
	require.NoError(t, err)
	require.NoError(t, token.NewEvidenceKeyStore(db, table).PublishKey(t.Context(), key.Public()))
	keys, err := token.NewKeyStore(db, table).PublicKeys(t.Context())
	require.NoError(t, err)
	assert.Empty(t, keys)
	keys, err = token.NewEvidenceKeyStore(db, table).PublicKeys(t.Context())
	require.NoError(t, err)
	assert.Len(t, keys, 1)
}

// A verifier reads the keys while a request waits, so one call must be enough.
func TestKeysAreReadWithinTheirBudget(t *testing.T) {
	db := dynamodb.New(testenv.DynamoDB(t).Options(), func(o *dynamodb.Options) { o.APIOptions = append(o.APIOptions, config.CountCalls) })
	ctx, calls := observe.CountCalls(t.Context())
	_, err := token.NewKeyStore(db, testenv.Table(t, "IdentityTable")).PublicKeys(ctx)
	require.NoError(t, err)
	assert.EqualValues(t, 1, calls.Count())
}
