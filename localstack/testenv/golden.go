package testenv

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Golden items are what a store has written, in testdata/golden.json of its package. They
// pin the names of keys and attributes, which cannot be renamed in production's tables. A
// store has two tests: one writes rows of every kind and compares them with Golden, the
// other reads them back from GoldenTable.

const goldenFile = "testdata/golden.json"

//nolint:gochecknoglobals // flags are known before tests run
var update = flag.Bool("update", false, "rewrite "+goldenFile)

// Golden compares all items of the tables, whose names are given by logical ID, with
// testdata/golden.json. The flag -update writes the file first. Use it for new rows and
// attributes, never to rename one.
func Golden(t testing.TB, tables map[string]string) {
	t.Helper()
	lists := make([]string, 0, len(tables))
	for _, logicalID := range slices.Sorted(maps.Keys(tables)) {
		lists = append(lists, fmt.Sprintf("%q: [\n%s\n]", logicalID, strings.Join(items(t, tables[logicalID]), ",\n")))
	}
	got := "{\n" + strings.Join(lists, ",\n") + "\n}\n"
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(goldenFile), 0o750))
		require.NoError(t, os.WriteFile(goldenFile, []byte(got), 0o600))
	}
	want, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	assert.Equal(t, string(want), got)
}

// GoldenTable creates a table with its items from testdata/golden.json.
func GoldenTable(t testing.TB, logicalID string) string {
	t.Helper()
	text, err := os.ReadFile(goldenFile)
	require.NoError(t, err)
	var golden map[string][]json.RawMessage
	require.NoError(t, json.Unmarshal(text, &golden))
	require.NotEmpty(t, golden[logicalID])
	table := Table(t, logicalID)
	for _, raw := range golden[logicalID] {
		item, err := attributevalue.UnmarshalMapJSON(raw)
		require.NoError(t, err)
		_, err = DynamoDB(t).PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: item})
		require.NoError(t, err)
	}
	return table
}

// items returns all items of a table as JSON, sorted by key, with one attribute per line
// and the key first.
func items(t testing.TB, table string) []string {
	t.Helper()
	var all []string
	pages := dynamodb.NewScanPaginator(DynamoDB(t), &dynamodb.ScanInput{TableName: &table})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		require.NoError(t, err)
		for _, item := range page.Items {
			lines := make([]string, 0, len(item))
			for name, value := range item {
				text, err := attributevalue.MarshalJSON(value)
				require.NoError(t, err)
				var sorted any // by member
				require.NoError(t, json.Unmarshal(text, &sorted))
				text, err = json.Marshal(sorted)
				require.NoError(t, err)
				lines = append(lines, fmt.Sprintf("    %q: %s", name, text))
			}
			slices.SortFunc(lines, func(a, b string) int {
				return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
			})
			all = append(all, "  {\n"+strings.Join(lines, ",\n")+"\n  }")
		}
	}
	slices.Sort(all)
	return all
}

// rank sorts the lines of the key before all others.
func rank(line string) int {
	if strings.HasPrefix(line, `    "pk"`) || strings.HasPrefix(line, `    "sk"`) {
		return 0
	}
	return 1
}
