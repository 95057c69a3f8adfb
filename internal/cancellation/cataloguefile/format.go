package cataloguefile

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"aviso/internal/jsonlines"
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
//
// Package regexp/syntax reads it. What that package takes and others read
// differently is found before, token by token.
const (
	maxFormat = 300
	maxRepeat = 1000 // as RE2 has it
	maxGroups = 10   // one within the other
)

const (
	insideProblem     = "must have ^ and $ at its ends only; elsewhere write a class such as [$]"
	escapeProblem     = `must have no other escapes than \. \d \w \s and, in a class, \-`
	groupProblem      = "must have groups of the forms ( ) and (?: ) only"
	pairProblem       = "must have its parentheses in pairs"
	withinProblem     = "must have alternatives within a group, and its parentheses in pairs"
	closingProblem    = "must have ] and } at the end of a class or quantifier only; elsewhere write a class such as [}]"
	quantifierProblem = "must have quantifiers after what they repeat only, and one each; " +
		"a class such as [+] means the character"
	classProblem = "must have classes that are not empty, in which a hyphen is first, last, in a range or escaped, " +
		"and [ and doubled & | ~ and - do not stand"
)

// formatProblem says why a format is not let through; empty where it is.
func formatProblem(format string) string {
	if n := utf8.RuneCountInString(format); n == 0 || n > maxFormat {
		return fmt.Sprintf("must have 1 to %d characters", maxFormat)
	}
	if problem := jsonlines.OneLine(format); problem != "" {
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
	plain, problem := rewrite(inner)
	if problem != "" {
		return problem
	}
	g, ok := newGraph(plain)
	if !ok {
		return fmt.Sprintf("must not have more than %d steps once repetitions are written out", maxSteps)
	}
	return g.problem()
}

// tokenPattern is one token: an escape, a class, the beginning of a group, a
// quantifier or a character.
var tokenPattern = regexp.MustCompile(`^(?:\\.|\[(?:\\.|[^\]\\])*\]|\(\?:|[?*+]|\{\d{1,4}(?:,\d{0,4})?\}|.)`)

// rewrite checks a format token by token, and gives it such as package
// regexp/syntax is to see it. Escapes are wider there: engines do not agree whether
// \d, \w and \s hold digits, letters and spaces beyond ASCII, so they do. And every
// alternative is a group of its own, since the package joins alternatives that begin
// alike, and repetitions of repetitions: that would hide what is slow elsewhere.
func rewrite(format string) (string, string) {
	var plain strings.Builder
	depth := 0
	repeatable := false
	for rest := format; rest != ""; {
		token := tokenPattern.FindString(rest)
		rest = rest[len(token):]
		problem := ""
		couldRepeat := repeatable
		repeatable = true
		switch token[0] {
		case '(':
			depth++
			repeatable = false
			problem = openProblem(token, rest, depth)
			token = "(("
		case '|':
			repeatable = false
			problem = unless(depth > 0, withinProblem)
			token = ")|("
		case ')':
			depth--
			problem = unless(depth >= 0, withinProblem)
			token = "))"
		case '?', '*', '+', '{':
			repeatable = false
			problem = repeatProblem(token, couldRepeat)
		case '[':
			token, problem = class(token)
		case '\\':
			problem = unless(escapePattern.MatchString(token) && token != `\-`, escapeProblem)
			if token != `\.` {
				token = "[" + widen(token) + "]"
			}
		case '^', '$':
			problem = insideProblem
		case ']', '}':
			problem = closingProblem
		}
		if problem != "" {
			return "", problem
		}
		plain.WriteString(token)
	}
	return plain.String(), unless(depth == 0, pairProblem)
}

func openProblem(token, rest string, depth int) string {
	switch {
	case token == "(" && strings.HasPrefix(rest, "?"):
		return groupProblem
	case depth > maxGroups:
		return fmt.Sprintf("must not have more than %d groups one within the other", maxGroups)
	default:
		return ""
	}
}

func repeatProblem(token string, couldRepeat bool) string {
	if !couldRepeat || token == "{" {
		return quantifierProblem
	}
	_, err := syntax.Parse("x"+token, syntax.Perl)
	return unless(err == nil, fmt.Sprintf("must have quantifiers that go up and not beyond %d", maxRepeat))
}

var (
	escapePattern = regexp.MustCompile(`\\[.dws-]`)
	// classPattern has the places in which a hyphen may stand.
	classPattern = regexp.MustCompile(`^\[\^?-?(?:\\[.dws-]|[^\\\[-](?:-[^\\\[-])?)*-?\]$`)
	// Doubled, these are set operations in some engines, or warned of.
	doubledPattern = regexp.MustCompile(`&&|\|\||~~|--`)
)

// class checks a class and widens its escapes, but not where they are left out.
func class(token string) (string, string) {
	if strings.Contains(escapePattern.ReplaceAllString(token, ""), `\`) {
		return "", escapeProblem
	}
	_, err := syntax.Parse(token, syntax.Perl)
	if err != nil || !classPattern.MatchString(token) || doubledPattern.MatchString(token) {
		return "", classProblem
	}
	if !strings.HasPrefix(token, "[^") {
		token = escapePattern.ReplaceAllStringFunc(token, widen)
	}
	return token, ""
}

// widen adds to an escape what some engines take it for.
func widen(escape string) string {
	if escape == `\.` || escape == `\-` {
		return escape
	}
	return escape + `\x0b\x{80}-\x{10FFFF}`
}
