package pfmdb

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"aviso/internal/dynamo"
)

func TestProviderRowsAreReadAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	// It draws every field there is, so that one that is added is in the test, too.
	rows := rapid.Make[providerRow]()
	rapid.Check(t, func(t *rapid.T) {
		row := rows.Draw(t, "row")
		delete(row.Meta, "") // attributevalue refuses to write it
		item, err := dynamo.Marshal("pk", "sk", row)
		require.NoError(t, err)
		var want providerRow
		require.NoError(t, dynamo.Unmarshal(item, &want))
		got, err := readProviderRow(dynamo.NewRow(item))
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}
