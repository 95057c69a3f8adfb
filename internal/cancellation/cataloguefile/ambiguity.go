package cataloguefile

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"
)

// Most engines backtrack: they try the ways to match a text one after another, and a
// text that almost matches makes them try them all. ^(a+)+$ has twice as many ways with
// every additional a. This file therefore compiles a format with package regexp/syntax
// and counts the ways through the program. If the next character, or the end of the
// text, decides which branch to take, there is one way. If both branches are possible,
// their ways add up. A choice inside an unbounded loop is rejected. A text of n
// characters then costs at most n times the number of ways.
const (
	maxSteps = 1000
	maxWays  = 1000
)

// graph is a compiled format. Its nodes are the program's steps.
type graph struct {
	*syntax.Prog
	// steps counts the steps that read a character or branch.
	steps int
	// first caches what can come next at each step.
	first []*firsts
	// counted caches the number of ways from each step to the end; 0 is not counted yet.
	counted       []int
	ambiguousLoop bool
}

// firsts is what can come next: characters, the end of the text, or both.
type firsts struct {
	set []runeRange
	end bool
}

// runeRange is an inclusive range of characters.
type runeRange struct{ from, to rune }

func overlap(a, b []runeRange) bool {
	for _, x := range a {
		for _, y := range b {
			if x.from <= y.to && y.from <= x.to {
				return true
			}
		}
	}
	return false
}

// newGraph compiles the result of rewrite. It reports false if the program is too long.
func newGraph(format string) (*graph, bool) {
	tree, err := syntax.Parse(format, syntax.Perl)
	if err != nil { // after rewrite, this can only mean too many repetitions in total
		return nil, false
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, false
	}
	g := &graph{Prog: prog, first: make([]*firsts, len(prog.Inst)), counted: make([]int, len(prog.Inst))}
	for _, s := range prog.Inst {
		if s.Op == syntax.InstAlt || characters(s) != nil {
			g.steps++
		}
	}
	return g, g.steps <= maxSteps
}

// problem says why a format has too many ways to match a text, or returns "".
func (g *graph) problem() string {
	switch ways := g.count(g.Start); {
	case g.ambiguousLoop:
		return "must not have more than one way to match the next character inside an unbounded repetition"
	case ways > maxWays:
		return fmt.Sprintf("must not have more than %d ways to match a text", maxWays)
	default:
		return ""
	}
}

// characters returns the characters that a step reads, or nil if it reads none.
func characters(s syntax.Inst) []runeRange {
	switch s.Op {
	case syntax.InstRuneAnyNotNL:
		return []runeRange{{0, '\n' - 1}, {'\n' + 1, unicode.MaxRune}}
	case syntax.InstRune1:
		return []runeRange{{s.Rune[0], s.Rune[0]}}
	case syntax.InstRuneAny:
		return []runeRange{{0, unicode.MaxRune}}
	case syntax.InstRune:
		var set []runeRange
		for pair := range slices.Chunk(s.Rune, 2) {
			set = append(set, runeRange{pair[0], pair[len(pair)-1]})
		}
		return set
	default:
		return nil
	}
}

// after returns the steps that may follow a step.
func (g *graph) after(i int) []int {
	switch s := g.Inst[i]; s.Op {
	case syntax.InstMatch, syntax.InstFail:
		return nil
	case syntax.InstAlt:
		return []int{int(s.Out), int(s.Arg)}
	default:
		return []int{int(s.Out)}
	}
}

// counting marks a step whose ways are being counted.
const counting = -1

// count returns the number of ways from a step to the end. A jump back into a loop
// counts as zero: a loop either contains no choices or the format is rejected.
func (g *graph) count(i int) int {
	switch n := g.counted[i]; {
	case n == counting:
		return 0
	case n != 0 || g.ambiguousLoop:
		return n
	}
	g.counted[i] = counting
	n := 1
	switch after := g.after(i); len(after) {
	case 1:
		n = g.count(after[0])
	case 2:
		n = g.countChoice(i, after[0], after[1])
	}
	g.counted[i] = min(n, maxWays+1)
	return g.counted[i]
}

func (g *graph) countChoice(i, a, b int) int {
	x, y := g.firstsOf(a), g.firstsOf(b)
	if x.end && y.end || overlap(x.set, y.set) {
		if g.reaches(i) {
			g.ambiguousLoop = true
			return 0
		}
		return g.count(a) + g.count(b)
	}
	return max(g.count(a), g.count(b))
}

// firstsOf returns what can come next at a step.
func (g *graph) firstsOf(i int) firsts {
	if g.first[i] != nil {
		return *g.first[i]
	}
	f := &firsts{}
	g.walk([]int{i}, func(i int) bool {
		set := characters(g.Inst[i])
		for _, r := range set {
			if !slices.Contains(f.set, r) {
				f.set = append(f.set, r)
			}
		}
		f.end = f.end || g.Inst[i].Op == syntax.InstMatch
		return set == nil
	})
	g.first[i] = f
	return *f
}

// reaches reports whether a step can be reached again from itself.
func (g *graph) reaches(target int) bool {
	found := false
	g.walk(g.after(target), func(i int) bool {
		found = found || i == target
		return !found
	})
	return found
}

// walk visits the open steps and the steps that follow them, each once. It follows
// those for which visit returns true.
func (g *graph) walk(open []int, visit func(i int) bool) {
	seen := map[int]bool{}
	for len(open) > 0 {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		if !seen[i] && visit(i) {
			open = append(open, g.after(i)...)
		}
		seen[i] = true
	}
}
