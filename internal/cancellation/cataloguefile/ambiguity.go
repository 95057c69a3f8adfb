package cataloguefile

import (
	"regexp/syntax"
	"slices"
)

// Most engines backtrack: they try the ways to match a text one after another, and a text that almost matches makes
// them try all. ^(a{1,9}){1,9}$ has very many. So this file compiles a format with package regexp/syntax and counts
// the ways through the program. The program has no loops, because repetitions are bounded. If the next character, or
// the end of the text, decides between two branches, there is one way. If both are possible, their ways add up. A
// text of n characters costs at most n times the number of ways.
const (
	maxSteps = 1000
	maxWays  = 1000
)

// graph is a compiled format. Its nodes are the program's steps.
type graph struct {
	*syntax.Prog
	// first caches the result of firsts for each step.
	first []*firsts
	// counted caches the number of ways from each step to the end; 0 means not counted yet.
	counted []int
}

// firsts are the possible next inputs: characters, the end of the text, or both.
type firsts struct {
	set []runeRange
	end bool
}

// runeRange is an inclusive range of characters.
type runeRange struct{ from, to rune }

// overlap reports whether both have a common next input.
func (f *firsts) overlap(other *firsts) bool {
	for _, x := range f.set {
		if slices.ContainsFunc(other.set, func(y runeRange) bool { return x.from <= y.to && y.from <= x.to }) {
			return true
		}
	}
	return f.end && other.end
}

// newGraph compiles the result of rewrite. It returns false if the program is too long.
func newGraph(format string) (*graph, bool) {
	tree, err := syntax.Parse(format, syntax.Perl)
	if err != nil { // after rewrite, this can only mean too many repetitions in total
		return nil, false
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, false
	}
	steps := 0 // steps that read a character or branch
	for _, s := range prog.Inst {
		if s.Op == syntax.InstAlt || len(s.Rune) > 0 {
			steps++
		}
	}
	return &graph{prog, make([]*firsts, len(prog.Inst)), make([]int, len(prog.Inst))}, steps <= maxSteps
}

// ways returns the number of ways from a step to the end, but at most maxWays+1.
func (g *graph) ways(i uint32) int {
	if g.counted[i] != 0 {
		return g.counted[i]
	}
	n := 1
	switch s := g.Inst[i]; s.Op {
	case syntax.InstMatch, syntax.InstFail:
	case syntax.InstAlt:
		if a, b := g.ways(s.Out), g.ways(s.Arg); g.firsts(s.Out).overlap(g.firsts(s.Arg)) {
			n = a + b
		} else {
			n = max(a, b)
		}
	default:
		n = g.ways(s.Out)
	}
	g.counted[i] = min(n, maxWays+1)
	return g.counted[i]
}

// firsts returns the possible next inputs at a step.
func (g *graph) firsts(i uint32) *firsts {
	if g.first[i] != nil {
		return g.first[i]
	}
	f := &firsts{}
	switch s := g.Inst[i]; {
	case s.Op == syntax.InstMatch, s.Op == syntax.InstFail:
		f.end = s.Op == syntax.InstMatch
	case s.Op == syntax.InstAlt:
		a, b := g.firsts(s.Out), g.firsts(s.Arg)
		f.end = a.end || b.end
		f.set = slices.Clone(a.set)
		for _, r := range b.set {
			if !slices.Contains(f.set, r) {
				f.set = append(f.set, r)
			}
		}
	case len(s.Rune) > 0: // one character, or the first and last of each range
		for pair := range slices.Chunk(s.Rune, 2) {
			f.set = append(f.set, runeRange{pair[0], pair[len(pair)-1]})
		}
	default:
		f = g.firsts(s.Out)
	}
	g.first[i] = f
	return f
}
