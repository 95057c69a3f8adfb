package cataloguefile

import (
	"fmt"
	"slices"
)

// Most engines try the ways to read a text one after the other, and a text that
// almost matches makes them try all: of ^(a+)+$ there are twice as many with
// every further a. A format is therefore written out as a graph of steps, and
// the ways through it are counted. Where the next character, or the end of the
// text, decides how to go on, there is one way; where it leaves a choice, the
// ways of all choices add up; and a choice that can come again, in a loop
// without a bound, is not let through at all. Then no text of n characters costs
// more than n times the number of ways.
const (
	maxSteps = 1000
	maxWays  = 1000
)

// step is one of the graph: a character of a set, then next; or a choice of
// ways; or neither, which is the end of the text.
type step struct {
	set  []runeRange
	next int
	ways []int
}

// readable says why a format has too many ways to read a text.
func readable(e expression) string {
	g := &graph{steps: []step{{}}} // the end of the text
	start := g.add(e, 0)
	if len(g.steps) > maxSteps {
		return fmt.Sprintf("must not have more than %d steps once repetitions are written out", maxSteps)
	}
	g.first = make([]*firsts, len(g.steps))
	g.counted = make([]int, len(g.steps))
	if g.count(start); g.ambiguousLoop {
		return "must let the next character decide how to go on within a repetition without a bound"
	}
	if g.counted[start] > maxWays {
		return fmt.Sprintf("must not have more than %d ways to read a text", maxWays)
	}
	return ""
}

type graph struct {
	steps []step
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

// add writes e out before the step next and gives its first step. Beyond
// maxSteps it stops.
func (g *graph) add(e expression, next int) int {
	if len(g.steps) > maxSteps {
		return next
	}
	switch e.kind {
	case sequence:
		for i := len(e.parts) - 1; i >= 0; i-- {
			next = g.add(e.parts[i], next)
		}
		return next
	case alternatives:
		ways := make([]int, len(e.parts))
		for i, part := range e.parts {
			ways[i] = g.add(part, next)
		}
		return g.append(step{ways: ways})
	case repetition:
		return g.addRepetition(e, next)
	default:
		return g.append(step{set: e.set, next: next})
	}
}

func (g *graph) addRepetition(e expression, next int) int {
	tail := next
	if e.max < 0 {
		tail = g.append(step{})
		body := g.add(e.parts[0], tail)
		g.steps[tail].ways = []int{body, next}
	}
	for range e.max - e.min {
		tail = g.append(step{ways: []int{g.add(e.parts[0], tail), next}})
	}
	for range e.min {
		tail = g.add(e.parts[0], tail)
	}
	return tail
}

func (g *graph) append(s step) int {
	g.steps = append(g.steps, s)
	return len(g.steps) - 1
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
	s := g.steps[i]
	n := 1
	switch {
	case s.ways != nil:
		n = g.countChoice(i)
	case i != 0:
		n = g.count(s.next)
	}
	g.counted[i] = min(n, maxWays+1)
	return g.counted[i]
}

func (g *graph) countChoice(i int) int {
	ways := g.steps[i].ways
	ambiguous := false
	for a := range ways {
		for b := range a {
			x, y := g.firstsOf(ways[a]), g.firstsOf(ways[b])
			ambiguous = ambiguous || (x.end && y.end) || overlap(x.set, y.set)
		}
	}
	if ambiguous && g.reaches(ways, i) {
		g.ambiguousLoop = true
		return 0
	}
	n := 0
	for _, way := range ways {
		if c := g.count(way); ambiguous {
			n = min(n+c, maxWays+1)
		} else {
			n = max(n, c)
		}
	}
	return n
}

// firstsOf looks for what can come next.
func (g *graph) firstsOf(i int) firsts {
	if g.first[i] == nil {
		f := &firsts{}
		g.collect(i, f, map[int]bool{})
		g.first[i] = f
	}
	return *g.first[i]
}

func (g *graph) collect(i int, f *firsts, seen map[int]bool) {
	if seen[i] {
		return
	}
	seen[i] = true
	s := g.steps[i]
	switch {
	case s.ways != nil:
		for _, way := range s.ways {
			g.collect(way, f, seen)
		}
	case i == 0:
		f.end = true
	default:
		for _, r := range s.set {
			if !slices.Contains(f.set, r) {
				f.set = append(f.set, r)
			}
		}
	}
}

// reaches tells whether one of the ways leads back to a step.
func (g *graph) reaches(ways []int, target int) bool {
	seen := map[int]bool{}
	for open := ways; len(open) > 0; {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		if i == target {
			return true
		}
		if seen[i] {
			continue
		}
		seen[i] = true
		s := g.steps[i]
		switch {
		case s.ways != nil:
			open = append(open[:len(open):len(open)], s.ways...)
		case i != 0:
			open = append(open[:len(open):len(open)], s.next)
		}
	}
	return false
}
