package cataloguefile

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// tries is a backtracking engine. It counts the characters that it looks at, up to a
// limit.
type tries struct {
	*graph
	n, limit int
}

func (g *tries) match(i uint32, text []rune, open map[uint32]bool) bool {
	s := g.Inst[i]
	if len(s.Rune) == 0 {
		if s.Op == syntax.InstMatch {
			return len(text) == 0
		}
		if open[i] || s.Op == syntax.InstFail { // engines leave a loop that has read nothing
			return false
		}
		open[i] = true
		if g.match(s.Out, text, open) || s.Op == syntax.InstAlt && g.match(s.Arg, text, open) {
			return true
		}
		delete(open, i)
		return false
	}
	if g.n++; g.n > g.limit {
		return false
	}
	return len(text) > 0 && s.MatchRune(text[0]) && g.match(s.Out, text[1:], map[uint32]bool{})
}

func graphOf(format string) (*graph, bool) {
	plain, problem := rewrite(format[1 : len(format)-1])
	if problem != "" {
		return nil, false
	}
	return newGraph(plain)
}

// patterns generates regular expressions over a few letters, most of them ambiguous.
func patterns() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string { return `^` + drawPattern(t, 3) + `$` })
}

func drawPattern(t *rapid.T, depth int) string {
	atoms := []string{"a", "b", "c", "[ab]", "[^a]", "."}
	var b strings.Builder
	for range rapid.IntRange(1, 3).Draw(t, "length") {
		if depth > 0 && rapid.Bool().Draw(t, "group") {
			b.WriteString("(" + drawPattern(t, depth-1))
			for range rapid.IntRange(0, 2).Draw(t, "alternatives") {
				b.WriteString("|" + drawPattern(t, depth-1))
			}
			b.WriteString(")")
		} else {
			b.WriteString(rapid.SampledFrom(atoms).Draw(t, "atom"))
		}
		b.WriteString(rapid.SampledFrom([]string{"", "", "?", "*", "+", "{2}", "{0,3}", "{1,}"}).Draw(t, "quantifier"))
	}
	return b.String()
}

// This compares the bound that ambiguity.go claims with a backtracking engine.
func TestBacktrackingStaysWithinTheCountedWays(t *testing.T) {
	t.Parallel()
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		format := patterns().Draw(t, "format")
		if formatProblem(format) != "" {
			return
		}
		accepted++
		g, ok := graphOf(format)
		require.True(t, ok)
		ways := g.ways(uint32(g.Start))
		text := []rune(rapid.StringOfN(rapid.RuneFrom([]rune("abcx")), 0, 60, -1).Draw(t, "text"))
		run := &tries{graph: g, limit: 1 << 22}
		matched := run.match(uint32(g.Start), text, map[uint32]bool{})
		// At each character, the engine tries every branch open to it at that step.
		// There are no more branches than steps.
		assert.LessOrEqual(t, run.n, ways*(len(text)+1)*(len(g.Inst)+1))
		assert.Equal(t, regexp.MustCompile(format).MatchString(string(text)), matched, "must match what RE2 matches")
	})
	assert.Positive(t, accepted)
}

func TestRejectedFormatsDoTakeExponentialTime(t *testing.T) {
	t.Parallel()
	for _, format := range []string{`^(a+)+$`, `^(a|a)*$`, `^(a|aa)+$`, `^(a?){30}a{30}$`} {
		g, ok := graphOf(format)
		require.True(t, ok)
		run := &tries{graph: g, limit: 1_000_000}
		assert.False(t, run.match(uint32(g.Start), []rune(strings.Repeat("a", 29)+"b"), map[uint32]bool{}))
		assert.Greater(t, run.n, run.limit, format)
	}
}
