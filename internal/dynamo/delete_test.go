package dynamo_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/localstack/testenv"
)

func TestDeletePartition(t *testing.T) {
	t.Parallel()
	db, table := testenv.DynamoDB(t), testenv.Table(t, "IdentityTable")
	// Rows of 40 KB, so that a partition is more than the megabyte of a page.
	put := func(pk, sk string) {
		item, err := dynamo.Marshal(pk, sk, note{Text: strings.Repeat("x", 40_000)})
		require.NoError(t, err)
		_, err = db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
		require.NoError(t, err)
	}
	for i := range 60 {
		put("one", fmt.Sprintf("A#%02d", i))
	}
	put("one", "B#1")
	put("one more", "A#1")
	count := func(pk, prefix string) int {
		n, err := dynamo.LegacyCount(t.Context(), db, table, pk, prefix)
		require.NoError(t, err)
		return n
	}
	assert.Equal(t, 60, count("one", "A#"))
	assert.Equal(t, 1, count("one", "B#"))
	for range 2 { // a partition that is empty is no error
		require.NoError(t, dynamo.LegacyDeletePartition(t.Context(), db, table, "one"))
		assert.Zero(t, count("one", "A#"))
		assert.Zero(t, count("one", "B#"))
	}
	assert.Equal(t, 1, count("one more", "A#"))
}
