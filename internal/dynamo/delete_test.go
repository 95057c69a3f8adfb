package dynamo_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/dynamo"
)

func TestDeletePartition(t *testing.T) {
	t.Parallel()
	table := newTable(t, "IdentityTable")
	put := func(pk, sk string) {
		// Rows of 40 KB, so that a partition is more than the megabyte of a page.
		require.NoError(t, table.Put(t.Context(), dynamo.Key{PK: pk, SK: sk}, note{Text: strings.Repeat("x", 40_000)}))
	}
	for i := range 60 {
		put("one", fmt.Sprintf("A#%02d", i))
	}
	put("one", "B#1")
	put("one more", "A#1")
	count := func(pk, prefix string) int {
		n, err := table.Count(t.Context(), dynamo.Query{Partition: pk, Sort: dynamo.Prefix(prefix)})
		require.NoError(t, err)
		return n
	}
	assert.Equal(t, 60, count("one", "A#"))
	assert.Equal(t, 1, count("one", "B#"))

	odd := func(k dynamo.Key) bool { return strings.HasSuffix(k.SK, "1") }
	require.NoError(t, table.DeleteFound(t.Context(), dynamo.Query{Partition: "one", Sort: dynamo.Prefix("A#")}, odd))
	assert.Equal(t, 54, count("one", "A#"))
	assert.Equal(t, 1, count("one", "B#"))

	for range 2 { // an empty partition is not an error
		require.NoError(t, table.DeletePartition(t.Context(), "one"))
		assert.Zero(t, count("one", "A#"))
		assert.Zero(t, count("one", "B#"))
	}
	assert.Equal(t, 1, count("one more", "A#"))
}

func TestSortRanges(t *testing.T) {
	t.Parallel()
	table := newTable(t, "IdentityTable")
	for _, sk := range []string{"a1", "a2", "b1", "b2"} {
		require.NoError(t, table.Put(t.Context(), key(sk), note{Text: sk}))
	}
	found := func(q dynamo.Query) (all []string) {
		q.Partition = "p"
		for row, err := range table.Query(t.Context(), q) {
			require.NoError(t, err)
			all = append(all, dynamo.Text(row, "sk"))
		}
		return all
	}
	assert.Equal(t, []string{"a1", "a2", "b1", "b2"}, found(dynamo.Query{}))
	assert.Equal(t, []string{"b2", "b1", "a2", "a1"}, found(dynamo.Query{Descending: true, Limit: 1}))
	assert.Equal(t, []string{"a2"}, found(dynamo.Query{Sort: dynamo.Exactly("a2")}))
	assert.Equal(t, []string{"b1", "b2"}, found(dynamo.Query{Sort: dynamo.Prefix("b")}))
	assert.Equal(t, []string{"a2", "b1"}, found(dynamo.Query{Sort: dynamo.Between("a2", "b1")}))
	assert.Equal(t, []string{"b1", "b2"}, found(dynamo.Query{Sort: dynamo.After("a2")}))
	assert.Equal(t, []string{"a1"}, found(dynamo.Query{Sort: dynamo.Before("a2")}))
	assert.Equal(t, []string{"a1", "a2"}, found(dynamo.Query{Sort: dynamo.UpTo("a2")}))
	assert.Equal(t, []string{"b1"}, found(dynamo.Query{Filter: dynamo.Expr("#text = ?", "b1"), Attributes: "sk", Eventual: true}))

	var scanned []string
	for n, err := range dynamo.Each[note](table.Scan(t.Context(),
		dynamo.Query{Filter: dynamo.Expr("begins_with(sk, ?)", "a"), Attributes: "#text"})) {
		require.NoError(t, err)
		scanned = append(scanned, n.Text)
	}
	assert.ElementsMatch(t, []string{"a1", "a2"}, scanned)
}
