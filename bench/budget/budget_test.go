package budget

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/localstack/stack/emulator"
)

func TestBudgets(t *testing.T) {
	t.Parallel()
	t.Run("a figure may exceed its budget by the slack", func(t *testing.T) {
		t.Parallel()
		b := Budget{Of: "pfm", What: "init, ms", AtMost: 10, Slack: 0.05, Because: "b"}
		require.NoError(t, b.Check(10.5))
		assert.ErrorContains(t, b.Check(10.6), "pfm, init, ms: 10.6, at most 10")
	})
	t.Run("without slack, a budget is exact", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, Budget{AtMost: 13}.Check(13))
		require.Error(t, Budget{AtMost: 13}.Check(13.01))
	})
	t.Run("a budget has a reason", func(t *testing.T) {
		t.Parallel()
		_, err := parse([]byte(`[{"of":"pfm","what":"binary, MB","atMost":13}]`))
		assert.ErrorContains(t, err, "no reason")
	})
}

// failures collects what a test reports.
type failures struct {
	testing.TB
	name  string
	found []string
}

func (f *failures) Name() string      { return f.name }
func (f *failures) Error(args ...any) { f.found = append(f.found, fmt.Sprint(args...)) }
func (f *failures) Errorf(format string, args ...any) {
	f.found = append(f.found, fmt.Sprintf(format, args...))
}

// The budgets of this test are those of a sync.
func TestHold(t *testing.T) {
	t.Parallel()
	met := map[string]float64{
		"a first sync, 2,000 rows, WRU a row": 1, "a first sync, 2,000 rows, RRU a row": 0.1,
		"a first sync, 2,000 rows, AWS calls": 1, "a daily sync without news, AWS calls": 1,
		"a daily sync without news, RRU and WRU": 12,
	}
	hold := func() []string {
		f := &failures{TB: t, name: "TestWhatASyncCosts"}
		Hold(f, met)
		return f.found
	}
	assert.Empty(t, hold())
	met["a daily sync without news, RRU and WRU"] = 12.5
	assert.Len(t, hold(), 1, "over its budget")
	delete(met, "a daily sync without news, RRU and WRU")
	met["else"] = 1
	assert.Equal(t, []string{
		"a daily sync without news, RRU and WRU: a budget without such a figure", "else: a figure without a budget",
	}, hold())
}

// A budget whose test is gone would hold nothing.
func TestTheProjectsBudgets(t *testing.T) {
	t.Parallel()
	folder, err := emulator.Folder()
	require.NoError(t, err)
	checkout := filepath.Dir(folder)
	list, err := Own()
	require.NoError(t, err)
	holders := map[string]bool{}
	for _, b := range list {
		if b.Test != "" {
			holders[b.Test] = true
		}
	}
	assert.NotEmpty(t, holders)
	for _, code := range []string{"internal", "localstack"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(checkout, code), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			for test := range holders {
				if strings.Contains(string(source), "func "+test+"(") && strings.Contains(string(source), "budget.Hold(") {
					delete(holders, test)
				}
			}
			return err
		}))
	}
	checks, err := os.ReadFile(filepath.Join(checkout, ".ci", "run"))
	require.NoError(t, err)
	if strings.Contains(string(checks), "./bench hold ") {
		delete(holders, ".ci/run")
	}
	assert.Empty(t, holders, "tests that hold budgets")
}
