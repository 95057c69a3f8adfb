package dynamo_test

import (
	"context"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"aviso/internal/dynamo"
	"aviso/internal/owner"
	"aviso/localstack/stack/memdb"
	"aviso/localstack/tests/clocktest"
	"aviso/localstack/tests/testenv"
)

func TestDisabledPartners(t *testing.T) {
	t.Parallel()
	name, clock, reads, broken := testenv.Table(t, "IdentityTable"), clocktest.New(), 0, error(nil)
	table := dynamo.NewTable(testenv.DynamoDB(t), name)
	counted := dynamodb.New(testenv.DynamoDB(t).Options(), func(o *dynamodb.Options) {
		o.APIOptions = append(o.APIOptions, memdb.Intercept(
			func(ctx context.Context, in any, next func(context.Context) (any, error)) (any, error) {
				reads++
				if broken != nil {
					return nil, broken
				}
				require.True(t, *in.(*dynamodb.QueryInput).ConsistentRead)
				return next(ctx)
			}))
	})
	disabled := dynamo.DisabledIn(dynamo.NewTable(counted, name), clock.Now)
	says := func(partner owner.PartnerID) bool {
		t.Helper()
		shut, err := disabled(t.Context(), partner)
		require.NoError(t, err)
		return shut
	}
	set := func(partner owner.PartnerID, yes bool) {
		t.Helper()
		require.NoError(t, table.Put(t.Context(), dynamo.DisabledKey(partner), dynamo.DisabledRow{Disabled: yes}))
	}

	assert.False(t, says("a"))
	set("a", true)
	clock.Advance(time.Minute - time.Millisecond)
	var all errgroup.Group
	for range 20 { // an instance may work for many partners at once
		all.Go(func() error {
			_, err := disabled(t.Context(), "b")
			return err
		})
	}
	require.NoError(t, all.Wait())
	assert.Equal(t, 1, reads, "one read a minute, however many partners and calls")
	clock.Advance(time.Millisecond)
	assert.True(t, says("a"), "never later than a minute")
	assert.False(t, says("b"), "only that one")
	assert.Equal(t, 2, reads)

	set("a", false)
	set("b", true)
	clock.Advance(time.Minute)
	assert.False(t, says("a"), "and back")
	assert.True(t, says("b"))

	clock.Advance(time.Minute)
	broken = context.DeadlineExceeded
	for range 2 {
		_, err := disabled(t.Context(), "a")
		require.ErrorIs(t, err, broken, "an old answer may be wrong by now")
	}
	broken = nil
	assert.False(t, says("a"))

	shut, err := owner.Disabled(nil).Has(t.Context(), "b")
	require.NoError(t, err)
	assert.False(t, shut)
}
