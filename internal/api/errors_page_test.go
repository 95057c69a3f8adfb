package api

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/internal/api/apierror"
)

// TestErrorsPageListsEveryCode compares docs/errors.md with the table of codes: the
// status and the title of each, in the order of the statuses.
func TestErrorsPageListsEveryCode(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/errors.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| (\\d{3}) \\| `([a-z_]+)` \\| ([^|]+) \\| [^|]+ \\|$").FindAllStringSubmatch(string(page), -1)

	listed, statuses := map[apierror.Code]meaning{}, []int{}
	for _, row := range rows {
		status, err := strconv.Atoi(row[1])
		require.NoError(t, err)
		statuses = append(statuses, status)
		assert.NotContains(t, listed, apierror.Code(row[2]), "listed twice")
		listed[apierror.Code(row[2])] = meaning{status: status, title: row[3]}
	}
	for _, code := range slices.Sorted(maps.Keys(meanings)) {
		m := meanings[code]
		assert.Equal(t, m, listed[code], "docs/errors.md wants %s with %d and the title %q", code, m.status, m.title)
	}
	assert.Len(t, listed, len(meanings), "codes that do not exist")
	assert.True(t, slices.IsSorted(statuses), "order")
}
