package cataloguefile

import (
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"
)

// Most engines try the ways to read a text one after the other, and a text that
// almost matches makes them try all: of ^(a+)+$ there are twice as many with
// every further a. A format is therefore written out as the program that package
// regexp/syntax makes of it, and the ways through that are counted. Where the next
// character, or the end of the text, decides how to go on, there is one way; where it
// leaves a choice, the ways of both add up; and a choice that can come again, in a
// loop without a bound, is not let through at all. Then no text of n characters costs
// more than n times the number of ways.
const (
	maxSteps = 1000
	maxWays  = 1000
)

// graph is a program, the steps of which lead to one another.
type graph struct {
	*syntax.Prog
	// steps are those that read a character or leave a choice.
	steps int
	// first are what can come next at each step, once looked for.
	first []*firsts
	// counted are the ways from each step on; 0 is not counted yet.
	counted       []int
	ambiguousLoop bool
}

// firsts is with which characters a text may go on, or that it may end.
type firsts struct {
	set []runeRange
	end bool
}

// runeRange is the characters from one to another.
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

// newGraph writes out a format that rewrite has made; not if it is too long.
func newGraph(format string) (*graph, bool) {
	tree, err := syntax.Parse(format, syntax.Perl)
	if err != nil { // rewrite leaves nothing but repetitions that are too many together
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

// problem says why a format has too many ways to read a text.
func (g *graph) problem() string {
	switch ways := g.count(g.Start); {
	case g.ambiguousLoop:
		return "must let the next character decide how to go on within a repetition without a bound"
	case ways > maxWays:
		return fmt.Sprintf("must not have more than %d ways to read a text", maxWays)
	default:
		return ""
	}
}

// characters are those that a step reads; nil if it reads none.
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

// after are the steps that may follow one.
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

// count is how many ways lead from a step to the end. A way back into a loop
// counts for none: within loops there are no choices, or the format is refused.
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

// firstsOf looks for what can come next.
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

// reaches reports whether a step can come again.
func (g *graph) reaches(target int) bool {
	found := false
	g.walk(g.after(target), func(i int) bool {
		found = found || i == target
		return !found
	})
	return found
}

// walk visits every step that the open ones lead to, once, and goes on from those
// for which visit says so.
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
