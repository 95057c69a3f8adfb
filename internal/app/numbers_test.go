package app_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"aviso/bench/budget"
	"aviso/internal/cancellation/cataloguefile"
	"aviso/internal/sandbox"
	"aviso/internal/sandbox/bank"
	"aviso/internal/sandbox/persona"
)

// TestPagesCountRight counts what pages give numbers for. In a sentence below, # stands for
// the number, in digits or as a word.
func TestPagesCountRight(t *testing.T) {
	t.Parallel()
	edition, err := cataloguefile.Parse(bytes.NewReader(sandbox.Catalogue()))
	require.NoError(t, err)
	stored, listed := len(edition.Entries), 0
	for _, e := range edition.Entries {
		if !e.Organization.Inactive {
			listed++
		}
	}
	banks := len(bank.Catalogue()) + 1 // one is at the aggregator
	for _, claim := range []struct {
		page, sentence string
		count          int
	}{
		{"README.md", "with # partners,", len(sandbox.LocalPartners())},
		{"README.md", ", # sandbox banks and", banks},
		{"docs/guides/first-hour.md", "partners, # sandbox banks,", banks},
		{"README.md", " and # invented organizations.", listed},
		{"docs/data-model.md", " RRU for # organizations |", stored},
		{"docs/development.md", "It seeds # partners,", len(sandbox.LocalPartners())},
		{"docs/development.md", "The last # log in and approve", len(persona.All()) - healthy()},
	} {
		t.Run(claim.page+" "+claim.sentence, func(t *testing.T) {
			t.Parallel()
			page, err := os.ReadFile(filepath.Join(root, claim.page))
			require.NoError(t, err)
			text := strings.Join(strings.Fields(string(page)), " ")
			before, after, _ := strings.Cut(claim.sentence, "#")
			pattern := regexp.QuoteMeta(strings.TrimSpace(before)) + ` ([\w,]+)` + regexp.QuoteMeta(after)
			said := regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1)
			require.Len(t, said, 1, pattern)
			assert.Contains(t, spellings(claim.count), said[0][1])
		})
	}
}

// TestPerformancePageHasTheBudgets compares what the page says that things cost at most.
func TestPerformancePageHasTheBudgets(t *testing.T) {
	t.Parallel()
	list, err := budget.Own()
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, "docs", "performance.md"))
	require.NoError(t, err)
	const first, event = "a first sync, 2,000 rows", "an event to one quick receiver"
	for _, c := range []struct {
		row, of string
		whats   []string
	}{
		{"| A first sync: WRU for each row | %v |", first, []string{"WRU a row"}},
		{"| A first sync: RRU for each row | %v |", first, []string{"RRU a row"}},
		{"| A first sync: calls of DynamoDB | %v |", first, []string{"AWS calls"}},
		{
			"| A later sync without news: calls; units | %v; %v |", "a daily sync without news",
			[]string{"AWS calls", "RRU and WRU"},
		},
		{
			"| Event to one quick receiver, at most, with the console | %v | %v | %v |", event,
			[]string{"DynamoDB calls", "WRU", "RRU"},
		},
	} {
		var figures []any
		for _, what := range c.whats {
			i := slices.IndexFunc(list, func(b budget.Budget) bool { return b.Of == c.of && b.What == what })
			require.NotEqual(t, -1, i, what)
			figures = append(figures, list[i].AtMost)
		}
		assert.Contains(t, string(page), fmt.Sprintf(c.row, figures...))
	}
}

// spellings returns a number in digits and, if it is small, as a word.
func spellings(n int) []string {
	words := strings.Fields("no one two three four five six seven eight nine ten eleven twelve thirteen fourteen " +
		"fifteen sixteen seventeen eighteen nineteen twenty")
	all := []string{fmt.Sprint(n), fmt.Sprintf("%d,%03d", n/1000, n%1000)}
	if n < len(words) {
		all = append(all, words[n])
	}
	return all
}

func healthy() int {
	n := 0
	for _, p := range persona.All() {
		if p.Behaviour == persona.Healthy {
			n++
		}
	}
	return n
}

// TestPagesNameEveryPersona compares the sandbox's page with its people.
func TestPagesNameEveryPersona(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs", "development.md"))
	require.NoError(t, err)
	for _, p := range persona.All() {
		assert.Contains(t, string(page), "| `"+p.ID+"` | "+p.Name+" |")
	}
}
