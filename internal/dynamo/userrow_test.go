package dynamo_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
	"aviso/internal/outcome"
	"aviso/internal/owner"
	"aviso/localstack/tests/testenv"
)

func TestGuard(t *testing.T) {
	users := dynamo.NewTable(testenv.DynamoDB(t), testenv.Table(t, "IdentityTable"))
	table := dynamo.NewTable(testenv.DynamoDB(t), testenv.Table(t, "PfmTable"))
	user, key := owner.User{Partner: "p", ID: "u"}, dynamo.Key{PK: "p", SK: "row"}
	put := func(g dynamo.Guard, conditions ...dynamo.Expression) error {
		var x dynamo.Transaction
		x.Put(table, key, dynamo.Item{}, conditions...)
		return g.Commit(t.Context(), &x, user)
	}
	guard := dynamo.GuardIn(users)

	require.ErrorIs(t, put(guard), outcome.ErrNotFound)
	require.NoError(t, users.Put(t.Context(), dynamo.UserKey(owner.User{Partner: "q", ID: user.ID}), dynamo.Item{}))
	require.ErrorIs(t, put(guard), outcome.ErrNotFound, "a user of another partner")
	_, err := table.Row(t.Context(), key)
	require.ErrorIs(t, err, outcome.ErrNotFound, "nothing is written")

	require.NoError(t, users.Put(t.Context(), dynamo.UserKey(user), dynamo.Item{}))
	require.NoError(t, put(guard, dynamo.IfNew))
	require.ErrorIs(t, put(guard, dynamo.IfNew), outcome.ErrChanged, "another condition is not met")

	require.NoError(t, users.Delete(t.Context(), dynamo.UserKey(user)))
	err = put(guard, dynamo.IfNew)
	require.ErrorIs(t, err, outcome.ErrNotFound)
	assert.NotErrorIs(t, err, outcome.ErrChanged)
	require.NoError(t, put(dynamo.Guard{}), "the zero guard checks nothing")
}
