package userrow_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/internal/dynamo/outcome"
	"aviso/internal/dynamo/owner"
	"aviso/internal/dynamo/userrow"
	"aviso/localstack/testenv"
)

func TestGuard(t *testing.T) {
	users := dynamo.NewTable(testenv.DynamoDB(t), testenv.Table(t, "IdentityTable"))
	table := dynamo.NewTable(testenv.DynamoDB(t), testenv.Table(t, "PfmTable"))
	user, key := owner.User{Partner: "p", ID: "u"}, dynamo.Key{PK: "p", SK: "row"}
	put := func(g userrow.Guard, conditions ...dynamo.Expression) error {
		var x dynamo.Transaction
		x.Put(table, key, dynamo.Item{}, conditions...)
		return g.Commit(t.Context(), &x, user)
	}
	guard := userrow.In(users)

	require.ErrorIs(t, put(guard), outcome.ErrNotFound)
	require.NoError(t, users.Put(t.Context(), userrow.Key(owner.User{Partner: "q", ID: user.ID}), dynamo.Item{}))
	require.ErrorIs(t, put(guard), outcome.ErrNotFound, "a user of another partner")
	_, err := table.Row(t.Context(), key)
	require.ErrorIs(t, err, outcome.ErrNotFound, "nothing is written")

	require.NoError(t, users.Put(t.Context(), userrow.Key(user), dynamo.Item{}))
	require.NoError(t, put(guard, dynamo.IfNew))
	require.ErrorIs(t, put(guard, dynamo.IfNew), outcome.ErrChanged, "another condition is not met")

	require.NoError(t, users.Delete(t.Context(), userrow.Key(user)))
	err = put(guard, dynamo.IfNew)
	require.ErrorIs(t, err, outcome.ErrNotFound)
	assert.NotErrorIs(t, err, outcome.ErrChanged)
	require.NoError(t, put(userrow.Guard{}), "the zero guard checks nothing")
}
