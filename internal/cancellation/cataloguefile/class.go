package cataloguefile

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

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

// complement is every character but those of set.
func complement(set []runeRange) []runeRange {
	sorted := slices.SortedFunc(slices.Values(set), func(a, b runeRange) int { return cmp.Compare(a.from, b.from) })
	var out []runeRange
	next := rune(0)
	for _, r := range sorted {
		if r.from > next {
			out = append(out, runeRange{next, r.from - 1})
		}
		next = max(next, r.to+1)
	}
	if next <= unicode.MaxRune {
		out = append(out, runeRange{next, unicode.MaxRune})
	}
	return out
}

const classProblem = "must have classes that are not empty, in which a hyphen is first, last, in a range or escaped, and [ and doubled & | ~ and - do not stand"

// class reads a class from behind its bracket.
func (p *formatParser) class() (expression, string) {
	end := classEnd(p.rest)
	if end < 0 {
		return expression{}, classProblem
	}
	inner, negated := strings.CutPrefix(p.rest[:end], "^")
	p.rest = p.rest[end+1:]
	// Doubled, these are set operations in some engines, or warned of.
	if inner == "" || strings.ContainsAny(inner, "[") || slices.ContainsFunc([]string{"&&", "||", "~~", "--"}, func(s string) bool { return strings.Contains(inner, s) }) {
		return expression{}, classProblem
	}
	c := &formatParser{rest: inner, narrow: negated}
	var set []runeRange
	for first := true; c.rest != ""; first = false {
		part, problem := c.element(first)
		if problem != "" {
			return expression{}, problem
		}
		set = append(set, part...)
	}
	if negated {
		set = complement(set)
	}
	return expression{kind: anyOf, set: set}, ""
}

// classEnd is where the bracket is that ends a class; -1 where there is none.
func classEnd(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ']':
			return i
		}
	}
	return -1
}

// element reads a character, a range or an escape of a class.
func (p *formatParser) element(first bool) ([]runeRange, string) {
	from := p.next()
	switch {
	case from == '\\':
		set, problem := p.escape(true)
		if problem == "" && len(p.rest) > 1 && p.rest[0] == '-' {
			problem = classProblem
		}
		return set, problem
	case from == '-' && !first && p.rest != "":
		return nil, classProblem
	case len(p.rest) < 2 || p.rest[0] != '-':
		return []runeRange{{from, from}}, ""
	}
	p.skip("-")
	to := p.next()
	if from == '-' || to == '\\' || to < from {
		return nil, classProblem
	}
	return []runeRange{{from, to}}, ""
}

// escape reads what follows a backslash. Engines do not agree whether \d, \w and
// \s hold digits, letters and spaces beyond ASCII. To tell whether two choices
// overlap, they do, but not where a class leaves them out.
func (p *formatParser) escape(inClass bool) ([]runeRange, string) {
	var set []runeRange
	switch r := p.next(); {
	case r == '.':
		return []runeRange{{'.', '.'}}, ""
	case r == '-' && inClass:
		return []runeRange{{'-', '-'}}, ""
	case r == 'd':
		set = []runeRange{{'0', '9'}}
	case r == 'w':
		set = []runeRange{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	case r == 's':
		set = []runeRange{{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}}
	default:
		return nil, `must have no other escapes than \. \d \w \s and, in a class, \-`
	}
	if !p.narrow {
		set = append(set, runeRange{'\v', '\v'}, runeRange{unicode.MaxASCII + 1, unicode.MaxRune})
	}
	return set, ""
}
