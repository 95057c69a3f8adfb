package cataloguefile

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A format is a regular expression that partners run in whatever engine they
// have. So it keeps to what RE2, ECMAScript (with and without the flag u) and
// Python's re read alike, and to what is quick in all of them:
//
//   - It begins with ^ and ends with $; neither stands anywhere else.
//   - Between them are characters, classes, the dot, groups ( ) and (?: ),
//     alternatives within a group, and the quantifiers ? * + {n} {n,} {n,m},
//     each after something that it repeats, and only one.
//   - Escapes are \. \d \w \s and, in a class, \-. Any other character with a
//     meaning of its own is written as a class: [(].
//   - A class is no empty one, and holds no [ and no POSIX class. A hyphen in it
//     is first, last, in a range, or escaped.
//   - Characters are visible ones of the Basic Multilingual Plane: engines that
//     count in UTF-16 would take others for two.
//   - It may have no more than 300 characters, no more than 1,000 steps once its
//     repetitions are written out, and no more than 1,000 ways to read a text;
//     see ambiguity.go.
const (
	maxFormat = 300
	maxRepeat = 1000 // as RE2 has it
)

// formatProblem says why a format is not let through; empty where it is.
func formatProblem(format string) string {
	if problem := lineProblem(format, maxFormat); problem != "" {
		return problem
	}
	if strings.ContainsFunc(format, func(r rune) bool { return r > '\uffff' }) {
		return "must not hold characters beyond U+FFFF"
	}
	inner, begins := strings.CutPrefix(format, "^")
	inner, ends := strings.CutSuffix(inner, "$")
	if !begins || !ends {
		return "must begin with ^ and end with $"
	}
	p := &formatParser{rest: inner}
	e, problem := p.concatenation()
	if problem == "" && p.rest != "" { // what ends a group, without one
		problem = "must have alternatives within a group, and its parentheses in pairs"
	}
	if problem == "" {
		problem = readable(e)
	}
	if problem == "" {
		if _, err := regexp.Compile(format); err != nil {
			problem = "must be a regular expression of RE2"
		}
	}
	return problem
}

// expression is one of: a set of characters, parts one after the other,
// alternatives, or a part repeated.
type expression struct {
	kind     expressionKind
	set      []runeRange
	parts    []expression
	min, max int // of a repetition; max is -1 for any number
}

type expressionKind int

const (
	anyOf expressionKind = iota
	sequence
	alternatives
	repetition
)

type formatParser struct {
	rest  string
	depth int
	// narrow: escapes stand for what all engines take them for, and no more.
	narrow bool
}

const maxGroups = 10 // one within the other

// alternatives reads up to the end of a group.
func (p *formatParser) alternatives() (expression, string) {
	e := expression{kind: alternatives}
	for {
		part, problem := p.concatenation()
		if problem != "" {
			return e, problem
		}
		e.parts = append(e.parts, part)
		if !p.skip("|") {
			return e, ""
		}
	}
}

// concatenation reads up to the end of a group or alternative.
func (p *formatParser) concatenation() (expression, string) {
	e := expression{kind: sequence}
	for p.rest != "" && p.rest[0] != '|' && p.rest[0] != ')' {
		part, problem := p.atom()
		if problem == "" {
			part, problem = p.quantified(part)
		}
		if problem != "" {
			return e, problem
		}
		e.parts = append(e.parts, part)
	}
	return e, ""
}

func (p *formatParser) atom() (expression, string) {
	switch r := p.next(); r {
	case '(':
		return p.group()
	case '[':
		return p.class()
	case '\\':
		set, problem := p.escape(false)
		return expression{kind: anyOf, set: set}, problem
	case '.':
		return expression{kind: anyOf, set: complement([]runeRange{{'\n', '\n'}})}, ""
	case '^', '$':
		return expression{}, "must have ^ and $ at its ends only; elsewhere write a class such as [$]"
	case '*', '+', '?', '{':
		return expression{}, "must have quantifiers after what they repeat only, and one each; a class such as [+] means the character"
	case ']', '}':
		return expression{}, "must have ] and } at the end of a class or quantifier only; elsewhere write a class such as [}]"
	default:
		return expression{kind: anyOf, set: []runeRange{{r, r}}}, ""
	}
}

func (p *formatParser) group() (expression, string) {
	if strings.HasPrefix(p.rest, "?") && !p.skip("?:") {
		return expression{}, "must have groups of the forms ( ) and (?: ) only"
	}
	if p.depth++; p.depth > maxGroups {
		return expression{}, fmt.Sprintf("must not have more than %d groups one within the other", maxGroups)
	}
	e, problem := p.alternatives()
	p.depth--
	if problem == "" && !p.skip(")") {
		problem = "must have its parentheses in pairs"
	}
	return e, problem
}

var quantifier = regexp.MustCompile(`^(?:[?*+]|\{(\d{1,4})(,(\d{0,4}))?\})`)

// quantified reads the quantifier behind e, if there is one.
func (p *formatParser) quantified(e expression) (expression, string) {
	found := quantifier.FindStringSubmatch(p.rest)
	if found == nil {
		return e, ""
	}
	p.rest = p.rest[len(found[0]):]
	r := expression{kind: repetition, parts: []expression{e}, max: -1}
	switch found[0] {
	case "?":
		r.max = 1
	case "*":
	case "+":
		r.min = 1
	default:
		r.min = number(found[1])
		if found[2] == "" {
			r.max = r.min
		} else if found[3] != "" {
			r.max = number(found[3])
		}
		if r.min > maxRepeat || r.max > maxRepeat || (r.max >= 0 && r.max < r.min) {
			return r, fmt.Sprintf("must have quantifiers that go up and not beyond %d", maxRepeat)
		}
	}
	return r, ""
}

// number reads digits that a pattern has found.
func number(digits string) int {
	n := 0
	for _, d := range digits {
		n = 10*n + int(d-'0')
	}
	return n
}

// next takes the next character.
func (p *formatParser) next() rune {
	r, size := utf8.DecodeRuneInString(p.rest)
	p.rest = p.rest[size:]
	return r
}

func (p *formatParser) skip(prefix string) bool {
	rest, found := strings.CutPrefix(p.rest, prefix)
	if found {
		p.rest = rest
	}
	return found
}
