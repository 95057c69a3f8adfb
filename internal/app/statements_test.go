package app_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each statement of the interface has a test that exists, or says why nobody can see it here.
func TestEveryStatementHasItsTest(t *testing.T) {
	t.Parallel()
	file, err := os.Open(root + "/localstack/tests/blackbox/testdata/statements.tsv")
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	table := csv.NewReader(file)
	table.Comma = '\t'
	rows, err := table.ReadAll()
	require.NoError(t, err)
	require.Equal(t, 237, len(rows)-1)
	for i, row := range rows[1:] {
		assert.Equal(t, strconv.Itoa(i+1), row[0])
		if reason, unseen := strings.CutPrefix(row[3], "not visible locally: "); unseen {
			assert.NotEmpty(t, reason, row[0])
			continue
		}
		path, test, _ := strings.Cut(row[3], ":")
		require.True(t, strings.HasSuffix(path, "_test.go") && strings.HasPrefix(test, "Test"), row)
		assert.Contains(t, declarations(t, filepath.Join(root, path)), test, row)
	}
}
