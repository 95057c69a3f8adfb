package token_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/token"
	"aviso/internal/dynamo"
	"aviso/localstack/tests/testenv"
)

// goldenKeys returns a valid key and a withdrawn one; see testenv.Golden.
func goldenKeys(t *testing.T) [2]token.SigningKey {
	t.Helper()
	var keys [2]token.SigningKey
	for i, root := range []string{"first root of the golden keys, 32+", "second root of the golden keys, 32+"} {
		var err error
		keys[i], err = token.NewSigningKey(root)
		require.NoError(t, err)
	}
	return keys
}

func TestGoldenItemsAreWritten(t *testing.T) {
	db, table := testenv.DynamoDB(t), testenv.Table(t, "IdentityTable")
	keys := goldenKeys(t)
	for _, key := range keys {
		require.NoError(t, token.NewKeyStore(db, table).PublishKey(t.Context(), key.Public()))
	}
	require.NoError(t, token.NewEvidenceKeyStore(db, table).PublishKey(t.Context(), keys[0].Public()))
	_, err := dynamo.NewTable(db, table).Update(t.Context(), // by hand, as docs/rotation.md has it
		dynamo.Key{PK: "SIGNING-KEYS", SK: "KEY#" + keys[1].ID}, dynamo.Expr("SET withdrawn = ?", true))
	require.NoError(t, err)
	testenv.Golden(t, map[string]string{"IdentityTable": table})
}

func TestGoldenItemsAreRead(t *testing.T) {
	db, table, keys := testenv.DynamoDB(t), testenv.GoldenTable(t, "IdentityTable"), goldenKeys(t)
	store := token.NewKeyStore(db, table)
	for _, s := range []*token.KeyStore{store, token.NewEvidenceKeyStore(db, table)} {
		held, err := s.PublicKeys(t.Context())
		require.NoError(t, err)
		require.Len(t, held, 1)
		assert.Equal(t, keys[0].ID, held[0].KeyID)
		assert.Equal(t, keys[0].Public().Key, held[0].Key)
	}
	require.NoError(t, store.PublishKey(t.Context(), keys[0].Public()))
	require.Error(t, store.PublishKey(t.Context(), keys[1].Public()), "it is withdrawn")
}
