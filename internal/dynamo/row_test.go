package dynamo_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/internal/money"
)

func TestRow(t *testing.T) {
	t.Parallel()
	item := dynamo.Item{
		"s": dynamo.S("text"), "n": dynamo.N(-7), "b": &types.AttributeValueMemberBOOL{Value: true}, "m": dynamo.S("1.50"), "l": &types.AttributeValueMemberL{Value: []types.AttributeValue{dynamo.S("x"), dynamo.S("")}}, "map": &types.AttributeValueMemberM{Value: dynamo.Item{"k": dynamo.S("v")}},
		"no": &types.AttributeValueMemberNULL{Value: true}, "mixed": &types.AttributeValueMemberL{Value: []types.AttributeValue{dynamo.S("x"), dynamo.N(1)}},
		"numbers": &types.AttributeValueMemberM{Value: dynamo.Item{"k": dynamo.N(1)}},
		"half":    &types.AttributeValueMemberN{Value: "0.5"},
	}
	t.Run("reads attributes by their types", func(t *testing.T) {
		r := dynamo.NewRow(item)
		var amount money.Amount
		r.Into("m", &amount)
		assert.Equal(t, "text", r.Text("s"))
		assert.Equal(t, int64(-7), r.Int("n"))
		assert.True(t, r.Bool("b"))
		assert.True(t, r.Has("b"))
		assert.Equal(t, []string{"x", ""}, r.Texts("l"))
		assert.Equal(t, map[string]string{"k": "v"}, r.TextsByName("map"))
		assert.Equal(t, money.MustParse("1.50"), amount)
		require.NoError(t, r.Err())
	})
	t.Run("what is not there is zero", func(t *testing.T) {
		r := dynamo.NewRow(item)
		var amount money.Amount
		r.Into("none", &amount)
		assert.Empty(t, r.Text("none"))
		assert.Zero(t, r.Int("none"))
		assert.False(t, r.Bool("none"))
		assert.False(t, r.Has("none"))
		for _, name := range []string{"none", "no"} {
			assert.Nil(t, r.Texts(name))
			assert.Nil(t, r.TextsByName(name))
		}
		assert.Zero(t, amount)
		require.NoError(t, r.Err())
	})
	for name, read := range map[string]func(*dynamo.Row){
		"a number for a text":         func(r *dynamo.Row) { r.Text("n") },
		"a text for a number":         func(r *dynamo.Row) { r.Int("s") },
		"a fraction for a number":     func(r *dynamo.Row) { r.Int("half") },
		"a text for a boolean":        func(r *dynamo.Row) { r.Bool("s") },
		"a text that is no amount":    func(r *dynamo.Row) { r.Into("s", &money.Amount{}) },
		"a text for a list":           func(r *dynamo.Row) { r.Texts("s") },
		"a text for a map":            func(r *dynamo.Row) { r.TextsByName("s") },
		"a number among texts":        func(r *dynamo.Row) { r.Texts("mixed") },
		"a number among named texts":  func(r *dynamo.Row) { r.TextsByName("numbers") },
		"a boolean, the first fault,": func(r *dynamo.Row) { r.Text("b"); r.Text("s") },
	} {
		t.Run(name+" is an error without the value", func(t *testing.T) {
			r := dynamo.NewRow(item)
			read(r)
			require.Error(t, r.Err())
			assert.NotContains(t, r.Err().Error(), "0.5")
		})
	}
}
