package dynamo_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	type row struct {
		dynamo.Key

		Text string `dynamodbav:"text"`
	}
	got, err := dynamo.Decode[row](dynamo.Item{
		"pk": dynamo.S("p"), "sk": dynamo.S("s"), "text": dynamo.S("x"), "of a later release": dynamo.N(1),
	})
	require.NoError(t, err)
	assert.Equal(t, row{dynamo.Key{PK: "p", SK: "s"}, "x"}, got)

	_, err = dynamo.Decode[note](dynamo.Item{"count": dynamo.S("DE89370400440532013000")})
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "DE89", "errors are logged, and what users store is not")
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	row := dynamo.Item{"pk": dynamo.S("p"), "sk": dynamo.S("s"), "a": dynamo.N(1), "b": dynamo.N(-2)}
	got, err := dynamo.Numbers(row)
	require.NoError(t, err)
	assert.Equal(t, map[string]int64{"a": 1, "b": -2}, got)
	assert.Equal(t, dynamo.Key{PK: "p", SK: "s"}, dynamo.KeyOf(row), "the row is as it was")

	_, err = dynamo.Numbers(dynamo.Item{"a": dynamo.S("1")})
	require.Error(t, err)
}

func TestText(t *testing.T) {
	t.Parallel()
	row := dynamo.Item{"text": dynamo.S("x"), "null": &types.AttributeValueMemberNULL{Value: true}}
	assert.Equal(t, "x", dynamo.Text(row, "text"))
	assert.Empty(t, dynamo.Text(row, "null"))
	assert.Empty(t, dynamo.Text(row, "none"))
}
