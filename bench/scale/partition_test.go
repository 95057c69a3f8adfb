package main

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/template"
)

// The shards of index due are partition keys, which DynamoDB puts into the partitions that the
// index has by their hashes. A new index has four partitions, and of 16 shards five in one of them
// are more than it takes.
func TestAWarmIndexSpreadsItsShards(t *testing.T) {
	t.Parallel()
	given, err := template.Preset("../..", "large")
	require.NoError(t, err)
	given["Environment"] = "production"
	tpl, err := template.Load("../../template.yaml", func(name string) (string, bool) {
		value, ok := given[name]
		return value, ok
	})
	require.NoError(t, err)
	table, ok := tpl.Table("PfmTable")
	require.True(t, ok)
	for _, index := range table.Definition.GlobalSecondaryIndexes {
		require.NotNil(t, index.WarmThroughput, *index.IndexName)
		if *index.IndexName == "due" {
			assert.Less(t, tooFull(int(*index.WarmThroughput.WriteUnitsPerSecond)/keyWrites), 0.005)
		}
	}
	assert.InDelta(t, 0.985, tooFull(newWrites/keyWrites), 0.01, "which is why it is warmed")
}

// keyWrites is what a partition takes, in units a second.
const keyWrites = 1000

// tooFull returns in what share of draws some partition has five of 16 shards or more: at 10⁷
// users each takes 207 units a second (docs/scale.md).
func tooFull(partitions int) float64 {
	const draws, shards, most = 20_000, 16, 4
	random, bad := rand.New(rand.NewPCG(1, 2)), 0
	for range draws {
		in := make([]int, partitions)
		for range shards {
			in[random.IntN(partitions)]++
		}
		for _, n := range in {
			if n > most {
				bad++
				break
			}
		}
	}
	return float64(bad) / draws
}
